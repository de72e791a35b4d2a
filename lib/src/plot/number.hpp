// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <string>

namespace gpuhisto::plot {

/// `value` with up to `decimals` digits after the point, trailing zeros dropped; the same in every locale.
std::string decimal(double value, int decimals);

/// With one digit after the point, always.
std::string tenths(double value);

/// At most three significant digits and an SI letter: "950", "1.5k", "2.13M".
std::string human_count(double count);

/// All digits, in groups of three: "12,192,768".
std::string grouped(std::uint64_t count);

/// "99 %", "0.4 %", "<0.1 %".
std::string percent(double share);

}  // namespace gpuhisto::plot
