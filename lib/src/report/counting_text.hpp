// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// How pixels were counted, from the strings of the JSON schema.
#pragma once

#include <string>
#include <string_view>

#include "gpuhisto/report.hpp"
#include "report/table_schema.hpp"

namespace gpuhisto {

inline constexpr std::string_view kNoSha256 = "is not the 64 hexadecimal digits of a SHA-256";
bool is_sha256(std::string_view digits);

/// Takes a string of "counting", or does nothing for another place; what is wrong with it, or "".
std::string_view take_counting(Place place, const std::string& value, Counting& counting);

}  // namespace gpuhisto
