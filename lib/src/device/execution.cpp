// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// The rules for --device, --method and --policy.
#include <algorithm>
#include <cstdio>
#include <string>

#include "gpuhisto/backend.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/method.hpp"
#include "gpuhisto/module.hpp"
#include "gpuhisto/policy.hpp"

namespace gpuhisto {
namespace {

std::string name_of(const DeviceRequest& device) {
  switch (device.kind) {
    case DeviceKind::kAuto:
      return "auto";
    case DeviceKind::kCpu:
      return "cpu";
    case DeviceKind::kGpu:
      return device.index < 0 ? "gpu" : "gpu:" + std::to_string(device.index);
    case DeviceKind::kEmulated:
      return "emulated";
  }
  return "";
}

void check_consistent(const DeviceRequest& device, const MethodInfo& method, const std::string& policy) {
  const bool on_cpu = device.kind == DeviceKind::kCpu, by_cpu = method.name == "cpu";
  const std::string name = "'" + std::string(method.name) + "'";
  if ((on_cpu && method.needs_gpu) || (by_cpu && device.kind != DeviceKind::kAuto && !on_cpu))
    throw Error(ErrorKind::kUsage, "method " + name + " does not run on device '" + name_of(device) + "'");
  if (!policy.empty() && (on_cpu || by_cpu))
    throw Error(ErrorKind::kUsage, "policy '" + policy + "' is for methods of a GPU, not for " +
                                       (by_cpu ? "method 'cpu'" : "device 'cpu'"));
}

/// Throws when the device can count not even one pixel of any kind so: better told once than for each file.
void try_one_pixel(Device& device, const std::string& method, const std::string& policy) {
  const std::uint8_t pixel[4] = {};
  std::optional<Error> refusal;
  for (int channels = 1; channels <= 4; ++channels) try {
      ImageHistogram unused;
      device.count({.image = {pixel, 1, 1, channels, 4}, .method = method, .policy = policy}, ChannelSet::all(),
                   LumaRule::kBt601, unused);
      return;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::kUnsupported) {
        if (!refusal) refusal = error;
        continue;
      }
      if (error.kind() == ErrorKind::kUsage || !policy.empty()) throw;
      return;  // a device that fails will be told where it loses an image
    }
  const std::string what = policy.empty()
                               ? "method '" + method + "' does not run on device '" + device.info().id + "': "
                               : std::string();  // the refusal names it
  throw Error(ErrorKind::kUsage, what + refusal->what());
}

/// Throws when the device cannot be had, or not with this method and policy.
Execution on(const std::string& id, const MethodInfo& method, const std::string& policy) {
  const auto device = open_device(id);
  const std::string name = method.name == "auto" ? "per-block" : std::string(method.name);
  if (method.name != "auto" || !policy.empty()) try_one_pixel(*device, name, policy);
  Execution execution;
  execution.device = id;
  execution.method = name;
  return execution;
}

std::string seconds(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f s", value);
  return value < 0.005 ? "under 0.01 s" : text;
}

bool gpu_module_is_installed() {
  const auto modules = installed_modules();
  return std::any_of(modules.begin(), modules.end(),
                     [](const std::string& name) { return name == "gpuhisto_hip" || name == "gpuhisto_cuda"; });
}

Execution by_estimate(const std::function<std::optional<Estimate>()>& how_long) {
  Execution execution;
  if (!gpu_module_is_installed()) {
    execution.why = "finds no module for GPUs";
    return execution;
  }
  execution.why = "cannot tell how much there is to do";
  const auto estimate = how_long();
  if (!estimate) return execution;
  execution.why = "expects " + seconds(estimate->cpu) + " on the CPU, " + seconds(estimate->gpu) + " with a GPU";
  if (!estimate->gpu_pays()) return execution;
  execution.start = "gpu:0";
  execution.automatic = true;
  return execution;
}

}  // namespace

Execution choose_execution(const DeviceRequest& device, const MethodInfo& method, const std::string& policy,
                           const std::function<std::optional<Estimate>()>& how_long) {
  check_policy(policy);
  check_consistent(device, method, policy);
  if (device.kind == DeviceKind::kGpu) return on("gpu:" + std::to_string(std::max(device.index, 0)), method, policy);
  if (device.kind == DeviceKind::kEmulated) return on("emulated", method, policy);
  const bool open = device.kind == DeviceKind::kAuto && method.name == "auto" && policy.empty();
  if (open && how_long) return by_estimate(how_long);
  if (!method.needs_gpu && policy.empty()) return {};
  try {
    Execution execution = on("gpu:0", method, policy);
    execution.automatic = true;
    return execution;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kUsage) throw;
    const std::string wish = method.needs_gpu ? "method '" + std::string(method.name) + "'" : "policy '" + policy + "'";
    Execution execution;
    execution.note =
        "the CPU counts instead of " + wish + ": " + error.what() + "; --device emulated runs it on the CPU";
    return execution;
  }
}

}  // namespace gpuhisto
