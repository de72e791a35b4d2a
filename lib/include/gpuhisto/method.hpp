// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gpuhisto/cost_model.hpp"
#include "gpuhisto/histogram.hpp"

namespace gpuhisto {

/// A counting strategy by name. Help text, tests and the command line iterate methods().
struct MethodInfo {
  std::string_view name;     ///< the spelling on the command line and in JSON
  std::string_view summary;  ///< one line for help
  bool needs_gpu = true;     ///< or an emulated device
};
/// All methods a user may name, "auto" and "cpu" first.
std::span<const MethodInfo> methods();

/// The closest name by edit distance, or "" when none is near; for "did you mean".
std::string_view nearest(std::string_view word, std::span<const std::string_view> names);

/// What --device names.
enum class DeviceKind { kAuto, kCpu, kGpu, kEmulated };
/// A wish for a device.
struct DeviceRequest {
  DeviceKind kind = DeviceKind::kAuto;
  int index = -1;  ///< of gpu:N, or -1
};
/// "auto", "cpu", "gpu", "gpu:N", "emulated". Throws Error(kUsage) with the nearest name.
DeviceRequest parse_device(const std::string& text);
/// The entry of methods() of that name. Throws Error(kUsage) with the nearest name.
const MethodInfo& parse_method(const std::string& text);

/// The method whose kernel counts where `method` was asked for: per-block for pixels under a mask, and in place of the
/// vendor's library, which counts every pixel, where those of alpha 0 are left out.
std::string counting_method(const std::string& method, const PixelPredicate& predicate, int channels);

/// What will count: names for JSON, and a note for stderr when a wish could not be met.
struct Execution {
  std::string device = "cpu";  ///< "cpu", "gpu:N" or "emulated"
  std::string method = "cpu";  ///< as in methods()
  std::string note;            ///< a wish that could not be met, and why; may be empty
  std::string start;           ///< a device to be started in the background, as it is expected to pay; "" where none is
  std::string why;             ///< what auto "expects", in seconds, or "cannot tell"; "" where it did not choose
  bool automatic = false;      ///< nobody asked for this device by name: if it is lost, the CPU may finish
};
/// The rules for --device, --method and --policy ("key=value,…", or ""). Throws Error(kUsage) for a contradiction (cpu
/// with a GPU method or a policy, a GPU with `cpu`), for a policy that is none or that the device cannot run, the limit
/// named, and for a method that the device cannot run; Error(kDevice) when an explicit gpu or emulated device cannot be
/// had. Where they leave the choice open, the CPU counts, and `how_long` is asked, once, if it is given and a module
/// for GPUs is installed: when a GPU would pay, Execution::start names it. No module is opened.
Execution choose_execution(const DeviceRequest& device, const MethodInfo& method, const std::string& policy = {},
                           const std::function<std::optional<Estimate>()>& how_long = {});

}  // namespace gpuhisto
