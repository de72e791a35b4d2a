// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/bins.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace gpuhisto {
namespace {

TEST(Bins, EachLevelLiesBetweenTheFirstLevelsOfItsBinAndTheNext) {
  for (std::size_t bins = 1; bins <= kBins; ++bins) {
    EXPECT_EQ(first_level(0, bins), 0u);
    EXPECT_EQ(first_level(bins, bins), kBins);
    for (std::size_t level = 0; level < kBins; ++level) {
      const std::size_t bin = bin_of(level, bins);
      ASSERT_LT(bin, bins);
      ASSERT_LE(first_level(bin, bins), level);
      ASSERT_LT(level, first_level(bin + 1, bins));
    }
  }
}

TEST(Bins, FirstLevelsAndAllLevelsHoldTheSameBins) {
  std::mt19937_64 random(3);
  Histogram levels;
  for (auto& count : levels) count = random() >> (8 + random() % 56);
  for (std::size_t bins = 1; bins <= kBins; ++bins) {
    const auto counts = bin_counts(levels, bins);
    EXPECT_EQ(counts, bin_counts(at_first_levels(levels, bins), bins));
    const Histogram spread = over_all_levels(levels, bins);
    EXPECT_EQ(counts, bin_counts(spread, bins));
    for (std::size_t bin = 0; bin < bins; ++bin) {
      const auto first = spread.begin() + static_cast<std::ptrdiff_t>(first_level(bin, bins));
      const auto end = spread.begin() + static_cast<std::ptrdiff_t>(first_level(bin + 1, bins));
      const auto [least, most] = std::minmax_element(first, end);
      ASSERT_LE(*most - *least, 1u);
      std::uint64_t rest = 0;  // above what all have
      for (auto level = first; level != end; ++level) {
        rest += *level - counts[bin] / static_cast<std::uint64_t>(end - first);
        const double even = static_cast<double>(counts[bin] % static_cast<std::uint64_t>(end - first)) *
                            static_cast<double>(level - first + 1) / static_cast<double>(end - first);
        ASSERT_NEAR(static_cast<double>(rest), even, 0.51);
      }
    }
  }
  EXPECT_EQ(at_first_levels(levels, kBins), levels);
  EXPECT_EQ(over_all_levels(levels, kBins), levels);
}

}  // namespace
}  // namespace gpuhisto
