// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>

#include "kernels/plugin.h"

namespace gpuhisto {

/// The functions of a device module, opened if need be. Throws Error(kUnsupported | kDevice) saying why not.
const gpuhisto_plugin_table& device_table(const std::string& module);

/// Throws what a status that is not OK means: kUsage, kUnsupported or kDevice, with the module's own words.
void check_status(const gpuhisto_plugin_table& table, gpuhisto_status status);

}  // namespace gpuhisto
