// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// The rules for --device and --method.
#include <string>

#include "gpuhisto/backend.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/method.hpp"

namespace gpuhisto {
namespace {

void check_consistent(const DeviceRequest& device, const MethodInfo& method) {
  const bool on_cpu = device.kind == DeviceKind::kCpu;
  if (on_cpu && method.needs_gpu)
    throw Error(ErrorKind::kUsage, "method '" + std::string(method.name) + "' does not run with --device cpu");
  if (method.name == "cpu" && device.kind != DeviceKind::kAuto && !on_cpu)
    throw Error(ErrorKind::kUsage, "method 'cpu' does not run on a GPU: leave out --device or --method");
}

Execution on(const std::string& id, const MethodInfo& method) {
  open_device(id);  // throws when it cannot be had
  const bool automatic = method.name == "auto";
  return {id, automatic ? "per-block" : std::string(method.name), "", false};
}

}  // namespace

Execution choose_execution(const DeviceRequest& device, const MethodInfo& method) {
  check_consistent(device, method);
  if (device.kind == DeviceKind::kGpu) return on("gpu:" + std::to_string(std::max(device.index, 0)), method);
  if (device.kind == DeviceKind::kEmulated) return on("emulated", method);
  if (!method.needs_gpu) return {};
  try {
    Execution execution = on("gpu:0", method);
    execution.automatic = true;
    return execution;
  } catch (const Error& error) {
    Execution execution;
    execution.note = "the CPU counts instead of method '" + std::string(method.name) + "': " + error.what();
    return execution;
  }
}

}  // namespace gpuhisto
