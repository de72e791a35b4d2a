// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// The rules for --device and --method.
#include <string>

#include "gpuhisto/error.hpp"
#include "gpuhisto/method.hpp"
#include "gpuhisto/module.hpp"

namespace gpuhisto {
namespace {

/// Why no device of these modules can be used.
std::string why_missing(std::initializer_list<const char*> modules) {
  std::string why;
  for (const char* module : modules) {
    try {
      Module::open(module);
      why += std::string(why.empty() ? "" : "; ") + module + ".so has no device that this version can use";
    } catch (const Error& error) {
      why += (why.empty() ? "" : "; ") + std::string(error.what());
    }
  }
  return why;
}

void check_consistent(const DeviceRequest& device, const MethodInfo& method) {
  const bool on_cpu = device.kind == DeviceKind::kCpu;
  if (on_cpu && method.needs_gpu)
    throw Error(ErrorKind::kUsage, "method '" + std::string(method.name) + "' does not run with --device cpu");
  if (method.name == "cpu" && device.kind != DeviceKind::kAuto && !on_cpu)
    throw Error(ErrorKind::kUsage, "method 'cpu' does not run on a GPU: leave out --device or --method");
}

}  // namespace

Execution choose_execution(const DeviceRequest& device, const MethodInfo& method) {
  check_consistent(device, method);
  if (device.kind == DeviceKind::kGpu)
    throw Error(ErrorKind::kDevice, "no GPU can be used: " + why_missing({"gpuhisto_hip", "gpuhisto_cuda"}));
  if (device.kind == DeviceKind::kEmulated)
    throw Error(ErrorKind::kDevice, "no emulated device can be used: " + why_missing({"gpuhisto_emulated"}));
  Execution execution;
  if (method.needs_gpu)
    execution.note = "no GPU can be used: the CPU counts instead of method '" + std::string(method.name) + "'";
  return execution;
}

}  // namespace gpuhisto
