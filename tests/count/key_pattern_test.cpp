// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/key_pattern.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace gpuhisto {
namespace {

constexpr std::uint64_t kSeed = 0x0123456789abcdefu;
constexpr std::uint64_t kWhole = std::uint64_t{1} << 32;
constexpr std::uint64_t kRanges[] = {1, 2, 3, 77, 256, 1000, 4096, 4097, 70000, 1 << 24, kWhole - 1, kWhole};

std::uint64_t fnv1a(const std::vector<std::uint32_t>& keys) {
  std::uint64_t digest = 0xcbf29ce484222325u;
  for (const auto key : keys)
    for (int k = 0; k < 4; ++k) digest = (digest ^ (key >> (8 * k) & 255u)) * 0x100000001b3u;
  return digest;
}

TEST(KeyPattern, GoldenDigestsOfTheFirst65536Keys) {
  struct Digests {
    std::uint64_t of256, of4096, ofWhole;
  };
  const std::map<std::string, Digests> golden = {
      {"constant", {0x20ab746d814a2325, 0x20ab746d814a2325, 0x20ab746d814a2325}},
      {"two-level", {0x1001ef7f3c705aaa, 0x1051ff4bfd3ef353, 0xf7cd13ac7ce884b1}},
      {"ramp", {0x3aa22e3d3aae2325, 0x3ca3ce5798392325, 0xe6805697b3c7f325}},
      {"uniform", {0x3aed032f133c6f0c, 0xb1b4fcd4a7b5e489, 0x108e1d03b7f362c9}},
      {"gauss", {0x625f8f9607c0901d, 0x40baf10371d8c95e, 0x857ba083a364c05e}},
      {"every-4th-fixed", {0x2b7cb4b39d22089, 0x71707df6b64465ce, 0x4737c51af362dbe9}},
      {"hot-90", {0xd5bb8dbcf67b6f8, 0xcd0d312746e8e320, 0x42fa0b2763d52940}},
      {"zipf", {0x13e65a508d1cb0ce, 0xb669f6b269ac6129, 0xa33b473da8f7ea4d}},
  };
  std::vector<std::uint32_t> keys(65536);
  for (const auto& [name, spec] : kPatterns) {
    if (!pattern_has_keys(spec.pattern)) continue;
    ASSERT_TRUE(golden.contains(name)) << name;
    const auto digest = [&](std::uint64_t range) {
      fill_keys(keys.data(), keys.size(), {spec.pattern, range}, kSeed);
      return fnv1a(keys);
    };
    const Digests got = {digest(256), digest(4096), digest(kWhole)};
    const Digests& expected = golden.at(name);
    EXPECT_TRUE(got.of256 == expected.of256 && got.of4096 == expected.of4096 && got.ofWhole == expected.ofWhole)
        << "{\"" << name << std::hex << "\", {0x" << got.of256 << ", 0x" << got.of4096 << ", 0x" << got.ofWhole
        << "}},";
  }
}

TEST(KeyPattern, PatternsOfBytesHaveNoKeys) {
  std::string without;
  for (const auto& [name, spec] : kPatterns)
    if (!pattern_has_keys(spec.pattern)) without += std::string(name) + ' ';
  EXPECT_EQ(without, "photo entropy-2 entropy-3 entropy-4 entropy-5 ");
}

TEST(KeyPattern, KeysAreBelowTheRangeAndDependOnSeedAndIndexOnly) {
  constexpr std::uint64_t kFirst = kWhole - 50;  // across the low word's end
  std::vector<std::uint32_t> keys(300);
  for (const std::uint64_t range : kRanges) {
    const KeyTables tables = make_key_tables(range);
    for (const auto& [name, spec] : kPatterns) {
      if (!pattern_has_keys(spec.pattern)) continue;
      fill_keys(keys.data(), keys.size(), {spec.pattern, range}, kSeed, kFirst);
      for (std::uint64_t i = keys.size(); i-- > 0;) {
        ASSERT_LT(keys[i], range) << name;
        ASSERT_EQ(keys[i], key_value({spec.pattern, range}, kSeed, kFirst + i, tables)) << name << ' ' << range;
      }
    }
  }
}

TEST(KeyPattern, EveryFourthIsBinOneFromTheFirst) {
  std::vector<std::uint32_t> keys(64);
  for (const std::uint64_t range : kRanges) {
    fill_keys(keys.data(), keys.size(), {Pattern::kEveryFourth, range}, kSeed, 8);
    for (std::size_t i = 0; i < keys.size(); i += 4) EXPECT_EQ(keys[i], range > 1 ? 1u : 0u);
  }
}

/// Share of keys in [begin, end) among the first 2^18.
double share(const KeySpec& spec, std::uint64_t begin, std::uint64_t end) {
  std::vector<std::uint32_t> keys(std::size_t{1} << 18);
  fill_keys(keys.data(), keys.size(), spec, kSeed);
  double found = 0;
  for (const auto key : keys) found += key >= begin && key < end;
  return found / static_cast<double>(keys.size());
}

TEST(KeyPattern, DistributionsAreAsDescribed) {
  EXPECT_NEAR(share({Pattern::kUniform, 1000}, 0, 100), 0.1, 3e-3);
  EXPECT_NEAR(share({Pattern::kUniform, kWhole}, kWhole / 4, kWhole / 2), 0.25, 4e-3);
  EXPECT_NEAR(share({Pattern::kTwoLevel, 70000}, 69999, 70000), 0.5, 4e-3);
  EXPECT_NEAR(share({Pattern::kHot90, 4096}, 200, 201), 0.9, 3e-3);
  EXPECT_NEAR(share({Pattern::kHot90, 7}, 4, 5), 0.9 + 0.1 / 7, 3e-3);
  EXPECT_NEAR(share({Pattern::kEveryFourth, 4096}, 1, 2), 0.25, 3e-3);
  // The mean of eight uniforms has a standard deviation of 1 / sqrt(96).
  const double sigma = 1 / std::sqrt(96.0);
  for (const std::uint64_t range : {std::uint64_t{1} << 16, kWhole}) {
    const auto at = [&](double x) { return static_cast<std::uint64_t>(x * static_cast<double>(range)); };
    EXPECT_NEAR(share({Pattern::kGauss, range}, at(0.5 - sigma), at(0.5 + sigma)), 0.679, 5e-3);
    EXPECT_NEAR(share({Pattern::kGauss, range}, 0, at(0.5)), 0.5, 5e-3);
  }
}

/// The probabilities of the first keys, and of those above, against the formula.
TEST(KeyPattern, ZipfBucketsFollowTheFormula) {
  for (const std::uint64_t range : {std::uint64_t{256}, std::uint64_t{4096}, std::uint64_t{100000}}) {
    const KeyTables tables = make_key_tables(range);
    double total = 0, below = 0;
    for (std::uint64_t v = 0; v < range; ++v) total += std::pow(static_cast<double>(v + 1), -1.2);
    std::uint64_t v = 0;
    for (std::uint32_t k = 0; k < tables.buckets; ++k) {
      for (; v < pattern_detail::bucket_begin(k); ++v) below += std::pow(static_cast<double>(v + 1), -1.2);
      ASSERT_NEAR(tables.below[k] / 4294967296.0, below / total, 4e-6) << range << ' ' << k;
    }
    EXPECT_EQ(tables.buckets <= KeyTables::kSingle, range <= KeyTables::kSingle);
  }
}

TEST(KeyPattern, ZipfBucketsCoverTheWholeRange) {
  const KeyTables tables = make_key_tables(kWhole);
  EXPECT_EQ(tables.buckets, KeyTables::kMostBuckets);
  EXPECT_EQ(pattern_detail::bucket_begin(tables.buckets), kWhole);
  for (std::uint32_t k = 1; k < tables.buckets; ++k) {
    ASSERT_LT(tables.below[k - 1], tables.below[k]) << k;
    ASSERT_LT(pattern_detail::bucket_begin(k - 1), pattern_detail::bucket_begin(k)) << k;
  }
}

}  // namespace
}  // namespace gpuhisto
