// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>
#include <vector>

#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

Histogram random_histogram(std::mt19937& random, std::uint64_t occupied, std::uint64_t most) {
  Histogram histogram{};
  for (std::uint64_t i = 0; i < occupied; ++i) histogram[random() % kBins] += 1 + random() % most;
  return histogram;
}

std::uint64_t sum_of(const Histogram& histogram) {
  std::uint64_t sum = 0;
  for (const auto count : histogram) sum += count;
  return sum;
}

/// Every pixel `times` times, in the order of their values.
std::vector<int> pixels_of(const Histogram& histogram, std::uint64_t times) {
  std::vector<int> pixels;
  for (std::size_t v = 0; v < kBins; ++v) pixels.insert(pixels.end(), histogram[v] * times, static_cast<int>(v));
  return pixels;
}

/// On a line the least work moves the pixel of each rank to that of the same rank.
double emd_by_ranks(const Histogram& a, const Histogram& b) {
  const auto from = pixels_of(a, sum_of(b)), to = pixels_of(b, sum_of(a));
  std::uint64_t work = 0;
  for (std::size_t i = 0; i < from.size(); ++i) work += static_cast<std::uint64_t>(std::abs(from[i] - to[i]));
  return static_cast<double>(work) / static_cast<double>(from.size());
}

TEST(Compare, IsWhatTheFormulasSay) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    const Histogram a = random_histogram(random, 1 + random() % 40, 9),
                    b = random_histogram(random, 1 + random() % 40, 9);
    const double sum_a = static_cast<double>(sum_of(a)), sum_b = static_cast<double>(sum_of(b));
    double l1 = 0, chi_square = 0, intersection = 0, coefficient = 0;
    for (std::size_t v = 0; v < kBins; ++v) {
      const double p = static_cast<double>(a[v]) / sum_a, q = static_cast<double>(b[v]) / sum_b;
      l1 += std::abs(p - q);
      if (p > 0) chi_square += (p - q) * (p - q) / p;
      intersection += std::min(p, q);
      coefficient += std::sqrt(p * q);
    }
    const auto distances = compare_histograms(a, b);
    ASSERT_TRUE(distances);
    EXPECT_NEAR(distances->l1, l1, 1e-13);
    EXPECT_NEAR(distances->chi_square, chi_square, 1e-13 * (1 + chi_square));
    EXPECT_NEAR(distances->intersection, intersection, 1e-13);
    EXPECT_NEAR(distances->bhattacharyya, std::sqrt(std::max(0.0, 1 - coefficient)), 1e-7);
    EXPECT_EQ(distances->emd, emd_by_ranks(a, b));
  }
}

void expect_equal(const std::optional<Distances>& distances) {
  ASSERT_TRUE(distances);
  for (const Metric metric : kMetrics)
    EXPECT_EQ(distance(*distances, metric), metric == Metric::kIntersection ? 1 : 0) << metric_name(metric);
}

TEST(Compare, EqualHistogramsOfAnySizeGiveExactlyNothing) {
  std::mt19937 random(12);
  for (int round = 0; round < 100; ++round) {
    const Histogram a = random_histogram(random, 1 + random() % 256, 1u << 20);
    Histogram scaled = a;
    const std::uint64_t times = 1 + random() % 1'000'000;
    for (auto& count : scaled) count *= times;
    expect_equal(compare_histograms(a, a));
    expect_equal(compare_histograms(a, scaled));
    expect_equal(compare_histograms(scaled, a));
  }
}

TEST(Compare, WhatHasNothingInCommonIsAsFarApartAsCanBe) {
  Histogram black{}, white{}, mixed{};
  black[0] = UINT64_MAX;
  white[255] = UINT64_MAX - 1;
  for (std::size_t v = 1; v < 255; ++v) mixed[v] = 7 * v;
  const Distances d = *compare_histograms(black, white);
  EXPECT_EQ(d.l1, 2);
  EXPECT_EQ(d.chi_square, 1);  // white's bin is none of the reference's
  EXPECT_EQ(d.intersection, 0);
  EXPECT_EQ(d.bhattacharyya, 1);
  EXPECT_EQ(d.emd, 255);
  EXPECT_EQ(compare_histograms(mixed, white)->bhattacharyya, 1);
  EXPECT_EQ(compare_histograms(mixed, white)->intersection, 0);
}

TEST(Compare, CountsUpTo64BitsAreExact) {
  Histogram a{}, b{};
  a[10] = a[20] = std::uint64_t{1} << 63;
  a[20] -= 1;
  b[10] = 1;
  b[20] = UINT64_MAX - 1;
  // p - q in bin 10 is (2^63 - 1) / (2^64 - 1).
  const double half = static_cast<double>((std::ldexp(1.0L, 63) - 1) / (std::ldexp(1.0L, 64) - 1));
  EXPECT_EQ(compare_histograms(a, b)->emd, 10 * half);
  EXPECT_EQ(compare_histograms(a, b)->l1, 2 * half);
  a[30] = 1;
  EXPECT_THROW(compare_histograms(a, b), Error);
}

TEST(Compare, WithoutPixelsThereIsNoDistance) {
  Histogram one{};
  one[3] = 1;
  EXPECT_FALSE(compare_histograms({}, one));
  EXPECT_FALSE(compare_histograms(one, {}));
}

ImageHistogram gray(std::size_t level, std::uint64_t pixels) {
  ImageHistogram histogram;
  histogram.channels.set(Channel::kLuma);
  histogram[Channel::kLuma][level] = histogram.pixels = pixels;
  return histogram;
}

TEST(CompareImages, ComparesTheChannelsThatBothHave) {
  ImageHistogram color = gray(5, 2);
  color.channels.set(Channel::kRed);
  color[Channel::kRed][9] = 2;
  const Comparison both = compare_images(color, gray(6, 1), ChannelSet::all());
  EXPECT_EQ(both.status, Status::kOk);
  EXPECT_EQ(both.channels[0]->emd, 1);
  EXPECT_FALSE(both.channels[1]);
  EXPECT_EQ(compare_images(color, gray(6, 1), ChannelSet().set(Channel::kRed)).error,
            "has none of the channels to compare: red");
  EXPECT_EQ(compare_images(color, gray(6, 0), ChannelSet::all()).error, "has no pixel to compare");
}

std::string sorted(Metric metric, std::uint64_t max_bytes) {
  std::ostringstream out;
  CompareOptions options;
  options.header = false;
  options.counts = gray(10, 4);
  const auto reporter =
      make_sorted(make_compare_reporter(ReportFormat::kCsv, options, out), metric, Channel::kLuma, max_bytes);
  reporter->begin();
  Comparison failed;
  failed.input = "failed";
  failed.status = Status::kError;
  reporter->result(failed);
  for (const auto& [name, level] : {std::pair("far", 200u), {"near", 11u}, {"same", 10u}, {"near too", 9u}}) {
    Comparison comparison = compare_images(options.counts, gray(level, 3), ChannelSet::all());
    comparison.input = name;
    reporter->result(comparison);
  }
  reporter->finish({});
  std::string names;
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);) names += line.substr(0, line.find(',')) + ' ';
  return names;
}

TEST(CompareSorted, MostAlikeFirstAndTheRestInItsOrder) {
  EXPECT_EQ(sorted(Metric::kEmd, 1 << 20), "same near near too far failed ");
  EXPECT_EQ(sorted(Metric::kIntersection, 1 << 20), "same far near near too failed ");
  EXPECT_THROW(sorted(Metric::kEmd, 1000), Error);
}

}  // namespace
}  // namespace gpuhisto
