// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// A module that loads and belongs to another version of the program, or of the device interface.
extern "C" __attribute__((visibility("default"))) const char* gpuhisto_module_version() { return GPUHISTO_VERSION; }
extern "C" __attribute__((visibility("default"))) const void* gpuhisto_plugin(unsigned) { return nullptr; }
