// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The emulated device as a module that fails when told to: GPUHISTO_TEST_FAULT="CALL ERROR SKIP TIMES", the failure
// that emulated::plan_failure() plans. Under a GPU module's name the program takes it for a GPU.
#include <cstdlib>
#include <sstream>
#include <string>

#include "emulated/config.hpp"

// The program asks before anything else, and after the module's own objects exist.
extern "C" __attribute__((visibility("default"))) const char* gpuhisto_module_version() {
  const char* text = std::getenv("GPUHISTO_TEST_FAULT");
  std::istringstream words(text ? text : "");
  std::string call;
  int error = 0, skip = 0, times = 0;
  if (words >> call >> error >> skip >> times) gpuhisto::emulated::plan_failure(call, error, skip, times);
  return GPUHISTO_VERSION;
}
