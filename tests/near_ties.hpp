// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// How far OpenCV's equalizeHist, which works in 32-bit floats, may be from the exact table.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "ops/oracle.hpp"

namespace gpuhisto::test {

/// Whether 255 * above / range lies as near to k + 1/2 as four roundings to 24 bits (of the two counts, the quotient
/// and the product) can carry it: relatively (1 + 2^-24)^4 - 1 < 4.01 * 2^-24.
inline bool is_near_tie(int k, Wide above, Wide range) {
  const Wide twice = 2 * 255 * above;
  const Wide off = twice > (2 * k + 1) * range ? twice - (2 * k + 1) * range : (2 * k + 1) * range - twice;
  return off * (1 << 24) * 100 <= 401 * twice;
}

/// Returns the number of entries that differ.
inline int expect_equal_but_for_near_ties(const Histogram& histogram, const Lut& exact, const Lut& rounded) {
  std::size_t lowest = 0;
  while (histogram[lowest] == 0) ++lowest;
  Wide range = 0, above = 0;
  for (std::size_t v = lowest + 1; v < kBins; ++v) range += histogram[v];
  int differing = 0;
  for (std::size_t v = lowest; v < kBins; ++v) {
    if (v > lowest) above += histogram[v];
    if (exact[v] == rounded[v]) continue;
    ++differing;
    EXPECT_EQ(std::abs(exact[v] - rounded[v]), 1) << v;
    EXPECT_TRUE(is_near_tie(std::min(exact[v], rounded[v]), above, range)) << v;
  }
  return differing;
}

}  // namespace gpuhisto::test
