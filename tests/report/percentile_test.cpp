// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "gpuhisto/error.hpp"
#include "gpuhisto/statistics.hpp"

namespace gpuhisto {
namespace {

TEST(Percentiles, AreKeptAsExactFractionsAndAsWritten) {
  const auto list = parse_percentiles("0,2.5,099.999999999,100.0,50");
  ASSERT_EQ(list.size(), 5u);
  EXPECT_EQ(list[0].numerator, 0u);
  EXPECT_EQ(list[1].numerator, 25u);
  EXPECT_EQ(list[1].denominator, 10u);
  EXPECT_EQ(list[1].text, "2.5");
  EXPECT_EQ(list[2].numerator, 99'999'999'999u);
  EXPECT_EQ(list[2].denominator, 1'000'000'000u);
  EXPECT_EQ(list[3].numerator, 1000u);
  EXPECT_EQ(list[4].text, "50");
}

TEST(Percentiles, BadPartsAreNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "''"},       {"1,,5", "''"},       {"5,", "''"},         {"101", "'101'"},
      {"-1", "'-1'"},   {"1,x", "'x'"},       {"1,5 ", "'5 '"},     {"1e1", "'1e1'"},
      {".5", "'.5'"},   {"5.", "'5.'"},       {"100.1", "'100.1'"}, {"1.0000000001", "'1.0000000001'"},
      {"nan", "'nan'"}, {"1.2.3", "'1.2.3'"}, {"5,5.0", "'5.0'"},   {"99999999999999999999999", "'9999999"}};
  for (const auto& [text, named] : cases) {
    try {
      parse_percentiles(text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage) << text;
      EXPECT_NE(std::string(error.what()).find(named), std::string::npos) << text << " -> " << error.what();
    }
  }
}

// Sorted values and a rank found by walking: 100 * rank * denominator >= p * N, no division.
int brute_force(const Histogram& histogram, std::uint64_t numerator, std::uint64_t denominator) {
  std::vector<int> values;
  for (std::size_t v = 0; v < kBins; ++v) values.insert(values.end(), histogram[v], static_cast<int>(v));
  std::size_t rank = 1;
  while (rank * 100 * denominator < numerator * values.size()) ++rank;
  return values[rank - 1];
}

TEST(Percentiles, MatchTheRankFoundByCounting) {
  std::mt19937_64 random(7);
  const auto list =
      parse_percentiles("0,0.1,0.000000001,1,2.5,5,25,33.333333333,50,66.666666667,75,95,99,99.9,99.999999999,100");
  for (int round = 0; round < 200; ++round) {
    Histogram histogram{};
    const int pixels = 1 + static_cast<int>(random() % (round < 100 ? 9 : 3000));
    for (int i = 0; i < pixels; ++i) ++histogram[random() % (round % 2 ? 256 : 5)];
    const auto statistics = compute_statistics(histogram, list);
    for (std::size_t i = 0; i < list.size(); ++i)
      EXPECT_EQ(statistics.percentiles[i], brute_force(histogram, list[i].numerator, list[i].denominator))
          << list[i].text << " of " << pixels;
  }
}

TEST(Percentiles, AreExactWhereDoublesAreNot) {
  // N = 2^60: rank of 50 is 2^59, which is the last pixel of bin 0; with one pixel fewer there it is in bin 255.
  Histogram histogram{};
  histogram[0] = histogram[255] = std::uint64_t{1} << 59;
  EXPECT_EQ(compute_statistics(histogram, parse_percentiles("50")).percentiles[0], 0);
  --histogram[0];
  ++histogram[255];
  EXPECT_EQ(compute_statistics(histogram, parse_percentiles("50")).percentiles[0], 255);
  // 2^64 - 1 pixels, all but one at 0: only p = 100 reaches the last.
  histogram = {};
  histogram[0] = ~std::uint64_t{0} - 1;
  histogram[9] = 1;
  const auto statistics = compute_statistics(histogram, parse_percentiles("99.999999999,100"));
  EXPECT_EQ(statistics.percentiles[0], 0);
  EXPECT_EQ(statistics.percentiles[1], 9);
}

}  // namespace
}  // namespace gpuhisto
