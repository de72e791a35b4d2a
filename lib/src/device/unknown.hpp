// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gpuhisto {

/// Throws Error(kUsage): "unknown WHAT 'TEXT'", with the nearest of the names, or all of them when none is near.
[[noreturn]] void throw_unknown(const std::string& what, const std::string& text,
                                std::span<const std::string_view> names);

}  // namespace gpuhisto
