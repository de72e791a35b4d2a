// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>
#include <vector>

namespace gpuhisto {

/// Where modules (gpuhisto_codecs.so, gpuhisto_draw.so, gpuhisto_hip.so, …) are looked for: the folder of the program's
/// own modules (../lib/gpuhisto beside its bin), then these, in order. The program passes GPUHISTO_PLUGIN_PATH here.
void set_module_path(std::vector<std::string> folders);

/// A shared object opened on first use and kept open. Thread-safe.
class Module {
 public:
  /// `name` without ".so", e.g. "gpuhisto_codecs". Throws Error(kUnsupported) saying where it was looked for, or why it
  /// does not load, or that it belongs to another version of gpuhisto.
  static const Module& open(const std::string& name);
  /// Address of an exported function. Throws Error(kUnsupported) when it is absent.
  void* symbol(const char* name) const;
  /// The same as a function of a type that the caller knows.
  template <typename Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

 private:
  explicit Module(void* handle, std::string path) : handle_(handle), path_(std::move(path)) {}
  void* handle_;
  std::string path_;
};

/// Names of the modules found (not opened), for --version.
std::vector<std::string> installed_modules();

}  // namespace gpuhisto
