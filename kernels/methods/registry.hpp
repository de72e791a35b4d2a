// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <span>
#include <string>

#include "methods/method.hpp"

namespace gpuhisto::kernels {

/// Every method of this module. Help, measurements, tests and fuzzers iterate it.
std::span<const Method* const> all_methods();
/// "auto" is the production method. Throws DeviceError(kRequest) when there is none of that name.
const Method& find_method(const std::string& name);

}  // namespace gpuhisto::kernels
