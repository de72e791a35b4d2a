// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>

#include "gpuhisto/backend.hpp"
#include "kernels/plugin.h"

namespace gpuhisto {

/// The functions of a device module, opened if need be. Throws Error(kUnsupported) saying why not, or Error(kDevice)
/// when the runtime it needs is not installed.
const gpuhisto_plugin_table& device_table(const std::string& module);

/// Throws what a status that is not OK means: std::bad_alloc, or Error(kUsage | kUnsupported | kDevice) with the
/// module's own words.
void check_status(const gpuhisto_plugin_table& table, gpuhisto_status status);

/// The device "gpu:N" or "emulated", not opened. Throws Error(kDevice) saying why there is none.
DeviceInfo find_device(const std::string& id);

}  // namespace gpuhisto
