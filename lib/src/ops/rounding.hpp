// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>

namespace gpuhisto::ops {

/// numerator / denominator to the nearest integer, a tie to the even one. The quotient is at most 255; twice the
/// denominator fits the type.
template <typename Wide>
std::uint8_t round_half_even(const Wide& numerator, const Wide& denominator) {
  const auto quotient = static_cast<unsigned>(numerator / denominator);
  const Wide twice_rest = 2 * (numerator % denominator);
  const bool up = twice_rest > denominator || (twice_rest == denominator && quotient % 2 == 1);
  return static_cast<std::uint8_t>(quotient + (up ? 1 : 0));
}

}  // namespace gpuhisto::ops
