// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpuhisto {

/// "1 row", "2 rows": the noun alone, and with its number.
inline std::string noun_for(std::uint64_t count, std::string_view noun) {
  return std::string(noun) + (count == 1 ? "" : "s");
}
inline std::string number_of(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + " " + noun_for(count, noun);
}

}  // namespace gpuhisto
