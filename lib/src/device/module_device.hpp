// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <memory>

#include "gpuhisto/backend.hpp"
#include "kernels/plugin.h"

namespace gpuhisto {

/// A device behind its module's C ABI, opened. Throws Error(kDevice).
std::shared_ptr<Device> make_module_device(const gpuhisto_plugin_table& table, const DeviceInfo& info);

}  // namespace gpuhisto
