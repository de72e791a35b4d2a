// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "oracle.hpp"

namespace gpuhisto {
namespace {

using test::is_rounded;
using test::Wide;

Lut identity() {
  Lut lut;
  std::iota(lut.begin(), lut.end(), std::uint8_t{0});
  return lut;
}

void expect_follows_definition(const Histogram& histogram) {
  const Lut lut = make_equalization_lut(histogram);
  std::size_t lowest = 0;
  while (histogram[lowest] == 0) ++lowest;
  Wide range = 0;
  for (std::size_t v = lowest + 1; v < kBins; ++v) range += histogram[v];
  Wide above = 0;
  for (std::size_t v = 0; v < kBins; ++v) {
    if (v > lowest) above += histogram[v];
    ASSERT_TRUE(is_rounded(lut[v], above, range)) << "at " << v;
  }
  EXPECT_TRUE(std::is_sorted(lut.begin(), lut.end()));
  EXPECT_EQ(lut[lowest], 0);
  EXPECT_EQ(lut[255], 255);
}

TEST(EqualizationLut, NothingCountedIsTheIdentity) { EXPECT_EQ(make_equalization_lut({}), identity()); }

TEST(EqualizationLut, OneOccupiedBinIsTheIdentity) {
  for (std::size_t v = 0; v < kBins; ++v) {
    for (const std::uint64_t count : {std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max()}) {
      Histogram histogram{};
      histogram[v] = count;
      EXPECT_TRUE(is_flat(histogram));
      EXPECT_EQ(make_equalization_lut(histogram), identity());
    }
  }
}

TEST(EqualizationLut, TwoBinsBecomeBlackAndWhite) {
  for (std::size_t low = 0; low < kBins; ++low) {
    for (std::size_t high = low + 1; high < kBins; ++high) {
      Histogram histogram{};
      histogram[low] = 1 + low * high;
      histogram[high] = 1;
      EXPECT_FALSE(is_flat(histogram));
      const Lut lut = make_equalization_lut(histogram);
      for (std::size_t v = 0; v < kBins; ++v) ASSERT_EQ(lut[v], v < high ? 0 : 255);
    }
  }
}

TEST(EqualizationLut, SixteenEvenStepsStay) {
  Histogram histogram{};
  for (std::size_t v = 0; v < kBins; v += 17) histogram[v] = 1000;
  const Lut lut = make_equalization_lut(histogram);
  for (std::size_t v = 0; v < kBins; v += 17) EXPECT_EQ(lut[v], v);
}

TEST(EqualizationLut, EveryValueOnceIsTheIdentity) {
  Histogram histogram;
  histogram.fill(std::uint64_t{1} << 62);
  EXPECT_EQ(make_equalization_lut(histogram), identity());
}

TEST(EqualizationLut, TiesGoToTheEvenLevel) {
  // 510 pixels above the lowest bin: each is worth exactly half a level.
  Histogram histogram;
  histogram.fill(1);
  histogram[255] = 510 - 254;
  const Lut lut = make_equalization_lut(histogram);
  for (std::size_t v = 0; v < 255; ++v) EXPECT_EQ(lut[v], v % 4 == 3 ? (v + 1) / 2 : v / 2) << v;
}

TEST(EqualizationLut, FollowsTheDefinitionForRandomCounts) {
  std::mt19937 random(20240601);
  std::uniform_int_distribution<std::uint64_t> bits;
  for (int round = 0; round < 4000; ++round) {
    Histogram histogram{};
    const unsigned shift = random() % 64, keep = 1 + random() % 256;
    for (auto& count : histogram)
      if (random() % 256 < keep) count = bits(random) >> shift;
    if (random() % 4 == 0) histogram[random() % kBins] = bits(random);  // a spike
    if (is_flat(histogram)) continue;
    expect_follows_definition(histogram);
  }
}

TEST(EqualizationLut, FollowsTheDefinitionForTheLargestCounts) {
  Histogram histogram;
  histogram.fill(std::numeric_limits<std::uint64_t>::max());
  expect_follows_definition(histogram);
  histogram[0] = 1;
  expect_follows_definition(histogram);
  histogram[255] = 1;
  expect_follows_definition(histogram);
}

}  // namespace
}  // namespace gpuhisto
