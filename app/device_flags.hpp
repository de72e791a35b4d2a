// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "gpuhisto/backend.hpp"
#include "gpuhisto/method.hpp"

namespace gpuhisto::app {

/// Where and how to count, as the user wrote it.
struct DeviceFlags {
  std::string device, method, policy, threads;
};
void add_device_flags(CLI::App& app, DeviceFlags& flags);

/// By the flag, else by the environment. They throw Error(kUsage).
DeviceRequest asked_device(const DeviceFlags& flags);
MethodInfo asked_method(const DeviceFlags& flags);
/// "GPUHISTO_DEVICE=gpu: " and so on for what came from the environment and not from a flag; "" when nothing did.
std::string wishes_from_environment(const DeviceFlags& flags);

}  // namespace gpuhisto::app
