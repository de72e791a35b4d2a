// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

__extension__ typedef __float128 Quad;  // 113 bits: the sums below are exact or nearly so

struct Reference {
  Quad mean = 0, variance = 0, third = 0, fourth = 0;
};

/// The textbook's two passes.
Reference reference(const Histogram& histogram) {
  Reference r;
  Quad n = 0;
  for (std::size_t v = 0; v < kBins; ++v) n += histogram[v];
  for (std::size_t v = 0; v < kBins; ++v) r.mean += static_cast<Quad>(histogram[v]) * v / n;
  for (std::size_t v = 0; v < kBins; ++v) {
    const Quad d = v - r.mean, share = static_cast<Quad>(histogram[v]) / n;
    r.variance += d * d * share;
    r.third += d * d * d * share;
    r.fourth += d * d * d * d * share;
  }
  return r;
}

void expect_close(double actual, long double expected, const char* what) {
  // The absolute part is the reference's own rounding, where its terms cancel.
  EXPECT_LE(std::fabs(static_cast<long double>(actual) - expected), 4e-16L * std::fabs(expected) + 1e-30L) << what;
}

void expect_matches_reference(const Histogram& histogram) {
  const auto s = compute_statistics(histogram, {});
  const Reference r = reference(histogram);
  expect_close(s.mean.value(), static_cast<long double>(r.mean), "mean");
  expect_close(s.mean01.value(), static_cast<long double>(r.mean / 255), "mean01");
  expect_close(s.variance.value(), static_cast<long double>(r.variance), "variance");
  const long double std = std::sqrt(static_cast<long double>(r.variance));
  expect_close(s.std.value(), std, "std");
  expect_close(s.std01.value(), std / 255, "std01");
  ASSERT_TRUE(s.skewness && s.kurtosis);
  expect_close(*s.skewness, static_cast<long double>(r.third) / (std * std * std), "skewness");
  expect_close(*s.kurtosis, static_cast<long double>(r.fourth / (r.variance * r.variance) - 3), "kurtosis");
}

TEST(Statistics, OfNothing) {
  const auto s = compute_statistics(Histogram{}, parse_percentiles("5,50"));
  EXPECT_EQ(s.count, 0u);
  EXPECT_FALSE(s.min || s.max || s.mode || s.mean || s.std || s.variance || s.mean01 || s.std01 || s.median ||
               s.entropy || s.skewness || s.kurtosis || s.at0 || s.at255);
  EXPECT_EQ(s.percentiles, (std::vector<std::optional<int>>(2)));
}

TEST(Statistics, OfOnePixelAndOfConstants) {
  for (const std::uint64_t count : {std::uint64_t{1}, std::uint64_t{25'000'000}, ~std::uint64_t{0}}) {
    for (const int value : {0, 1, 127, 255}) {
      Histogram histogram{};
      histogram[static_cast<std::size_t>(value)] = count;
      const auto s = compute_statistics(histogram, parse_percentiles("0,50,100"));
      EXPECT_EQ(s.count, count);
      EXPECT_EQ(s.min, value);
      EXPECT_EQ(s.max, value);
      EXPECT_EQ(s.mode, value);
      EXPECT_EQ(s.mean, value);
      EXPECT_EQ(s.median, value);
      EXPECT_EQ(s.variance, 0.0);
      EXPECT_EQ(s.std, 0.0);
      EXPECT_EQ(s.entropy, 0.0);
      EXPECT_FALSE(std::signbit(*s.entropy));
      EXPECT_FALSE(s.skewness || s.kurtosis);
      EXPECT_EQ(s.at0, value == 0 ? 1.0 : 0.0);
      EXPECT_EQ(s.at255, value == 255 ? 1.0 : 0.0);
      for (const auto& p : s.percentiles) EXPECT_EQ(p, value);
    }
  }
}

TEST(Statistics, OfADataSetAreWeightedByPixels) {
  Histogram histogram{};
  histogram[0] = 10 * 10;
  histogram[200] = 30 * 30;
  const auto s = compute_statistics(histogram, {});
  EXPECT_EQ(s.mean, 180.0);
  EXPECT_EQ(s.std, 60.0);
  EXPECT_EQ(s.variance, 3600.0);
  EXPECT_EQ(s.mean01, 180.0 / 255);
  EXPECT_EQ(s.std01, 60.0 / 255);
  EXPECT_EQ(s.at0, 0.1);
  // Bernoulli with p = 0.9: (1 - 2p) / sqrt(p q) and (1 - 6 p q) / (p q).
  EXPECT_DOUBLE_EQ(s.skewness.value(), -0.8 / 0.3);
  EXPECT_DOUBLE_EQ(s.kurtosis.value(), (1 - 6 * 0.09) / 0.09);
  EXPECT_DOUBLE_EQ(s.entropy.value(), -0.1 * std::log2(0.1) - 0.9 * std::log2(0.9));
}

TEST(Statistics, MedianAndMode) {
  Histogram histogram{};
  histogram[3] = histogram[8] = 2;
  auto s = compute_statistics(histogram, {});
  EXPECT_EQ(s.median, 5.5);  // 3 3 | 8 8
  EXPECT_EQ(s.mode, 3);      // the lowest of the tie
  ++histogram[8];
  s = compute_statistics(histogram, {});
  EXPECT_EQ(s.median, 8.0);  // 3 3 8 8 8
  EXPECT_EQ(s.mode, 8);
  histogram = {};
  histogram[0] = histogram[255] = ~std::uint64_t{0} / 2;
  EXPECT_EQ(compute_statistics(histogram, {}).median, 127.5);
  ++histogram[0];
  EXPECT_EQ(compute_statistics(histogram, {}).median, 0.0);
}

TEST(Statistics, OfSymmetryAndOfTheUniform) {
  for (const std::uint64_t count : {std::uint64_t{1}, std::uint64_t{3}, (std::uint64_t{1} << 55) + 12345}) {
    Histogram histogram;
    histogram.fill(count);
    const auto s = compute_statistics(histogram, {});
    EXPECT_EQ(s.mean, 127.5);
    EXPECT_EQ(s.median, 127.5);
    EXPECT_EQ(s.variance, (256.0 * 256.0 - 1) / 12);
    EXPECT_EQ(s.skewness, 0.0);  // exactly: nothing cancels in integers
    EXPECT_DOUBLE_EQ(s.kurtosis.value(), -1.2 * (65536.0 + 1) / (65536.0 - 1));
    EXPECT_EQ(s.entropy, 8.0);
  }
}

TEST(Statistics, MatchQuadPrecision) {
  std::mt19937_64 random(20240607);
  for (int round = 0; round < 300; ++round) {
    Histogram histogram{};
    const int bits = 1 + round % 55;
    const std::size_t levels = 2 + random() % 255;
    for (std::size_t i = 0; i < levels; ++i) histogram[random() % 256] = random() >> (64 - bits);
    histogram[0] += 1;
    histogram[255] += 2;
    SCOPED_TRACE(round);
    expect_matches_reference(histogram);
  }
}

TEST(Statistics, MatchQuadPrecisionForAdversarialCounts) {
  const std::uint64_t huge = std::uint64_t{1} << 60;
  const std::vector<std::vector<std::pair<std::size_t, std::uint64_t>>> cases = {
      {{0, huge}, {1, 1}},         // a variance of 2^-60
      {{254, huge}, {255, huge}},  // large mean, small variance
      {{255, 15 * huge}, {254, 3}},
      {{0, 1}, {255, ~std::uint64_t{0} - 1}},
      {{7, (std::uint64_t{1} << 32) + 1}, {9, 5}},
      {{100, huge + 1}, {101, huge}, {102, huge}}};
  for (const auto& bins : cases) {
    Histogram histogram{};
    for (const auto& [value, count] : bins) histogram[value] = count;
    SCOPED_TRACE(bins.front().first);
    expect_matches_reference(histogram);
  }
}

TEST(Statistics, OfNearSymmetryKeepTheirDigits) {
  Histogram histogram{};
  histogram[100] = (std::uint64_t{1} << 60) + 1;
  histogram[101] = histogram[102] = std::uint64_t{1} << 60;
  // In rational arithmetic, rounded last.
  EXPECT_DOUBLE_EQ(compute_statistics(histogram, {}).skewness.value(), 5.311484201212962e-19);
}

TEST(Statistics, DeviationsAreWithinAUnitInTheLastPlace) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 3000; ++round) {
    Histogram histogram{};
    std::uint64_t n = 0, s1 = 0, s2 = 0;
    for (std::uint64_t v = 0; v < kBins; ++v) {
      const std::uint64_t count = histogram[v] = random() % 1000;
      n += count, s1 += count * v, s2 += count * v * v;
    }
    const long double std = std::sqrt(static_cast<long double>(n * s2 - s1 * s1)) / static_cast<long double>(n);
    const auto statistics = compute_statistics(histogram, {});
    for (const auto& [value, exact] : {std::pair(*statistics.std, std), std::pair(*statistics.std01, std / 255)}) {
      const long double ulp = std::nextafter(value, 1e9) - value;
      ASSERT_LE(std::abs(static_cast<long double>(value) - exact), ulp);
    }
  }
}

TEST(Statistics, EntropyKeepsItsDigitsNextToZero) {
  // One pixel apart among N: (log2 N + 1 / ln 2) / N, up to 1 / N^2.
  for (const int bits : {8, 30, 52, 60}) {
    Histogram histogram{};
    const std::uint64_t n = std::uint64_t{1} << bits;
    histogram[10] = n - 1;
    histogram[20] = 1;
    const long double share = 1.0L / static_cast<long double>(n);
    const long double expected = share * bits - (1 - share) * std::log1p(-share) / std::log(2.0L);
    EXPECT_NEAR(compute_statistics(histogram, {}).entropy.value() / static_cast<double>(expected), 1, 1e-15) << bits;
  }
}

TEST(Statistics, EntropyMatchesTheDefinition) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 100; ++round) {
    Histogram histogram{};
    long double n = 0, expected = 0;
    for (auto& bin : histogram) n += static_cast<long double>(bin = random() >> (10 + random() % 54));
    for (const auto bin : histogram)
      if (bin > 0) expected -= static_cast<long double>(bin) / n * std::log2(static_cast<long double>(bin) / n);
    EXPECT_NEAR(compute_statistics(histogram, {}).entropy.value() / static_cast<double>(expected), 1, 2e-15);
  }
}

TEST(Statistics, MoreThan64BitsAreRefused) {
  Histogram histogram{};
  histogram[0] = ~std::uint64_t{0};
  histogram[1] = 1;
  EXPECT_THROW(compute_statistics(histogram, {}), Error);
}

}  // namespace
}  // namespace gpuhisto
