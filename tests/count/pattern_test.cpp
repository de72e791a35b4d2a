// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/pattern.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

namespace gpuhisto {
namespace {

constexpr std::uint64_t kSeed = 0x0123456789abcdefu;

std::uint64_t fnv1a(const std::vector<std::uint8_t>& bytes) {
  std::uint64_t digest = 0xcbf29ce484222325u;
  for (const auto byte : bytes) digest = (digest ^ byte) * 0x100000001b3u;
  return digest;
}

TEST(Philox, GivesThePublishedKnownAnswers) {
  struct Case {
    PhiloxBlock counter;
    std::uint32_t key0, key1;
    PhiloxBlock answer;
  };
  // The vectors that Random123, the authors' library, publishes for philox4x32 with 10 rounds.
  const Case cases[] = {
      {{{0, 0, 0, 0}}, 0, 0, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}},
      {{{~0u, ~0u, ~0u, ~0u}}, ~0u, ~0u, {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}},
      {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
       0xa4093822,
       0x299f31d0,
       {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}},
  };
  for (const auto& c : cases) {
    const auto block = philox4x32_10(c.counter, c.key0, c.key1);
    for (int w = 0; w < 4; ++w) EXPECT_EQ(block.word[w], c.answer.word[w]);
  }
}

TEST(Pattern, TablesEqualTheirFormulas) {
  const auto tables = make_pattern_tables();
  double total = 0, below = 0;
  for (int v = 0; v < 256; ++v) total += std::pow(v + 1, -1.2);
  for (int i = 0; i < 256; ++i) {
    EXPECT_EQ(tables.sine[i], std::lround(127 * std::sin(2 * std::numbers::pi * i / 256))) << i;
    EXPECT_NEAR(tables.zipf_below[i] / 4294967296.0, below / total, 3e-5) << i;
    below += std::pow(i + 1, -1.2);
  }
}

TEST(Pattern, GoldenDigestsOfTheFirst65536Values) {
  const std::map<std::string, std::uint64_t> golden = {
      {"constant", 0x0c9b0b490e272325},        {"two-level", 0xd5f81129880e00d4}, {"ramp", 0x1ec0db407f352325},
      {"uniform", 0xddfc0aeecc8cfba4},         {"gauss", 0x242ba6a8ba37b55e},     {"photo", 0x609f6d174b0d70fc},
      {"every-4th-fixed", 0x1a7fa584d08cd954}, {"hot-90", 0x440fe471bcd8059d},    {"zipf", 0x210b66ed81dec099},
      {"entropy-2", 0x1b097a4c1afd0a0a},       {"entropy-3", 0xe83a5014c5c758d5}, {"entropy-4", 0xd0dec41e61caa661},
      {"entropy-5", 0x092749fd3dcc8714},
  };
  ASSERT_EQ(golden.size(), std::size(kPatterns));
  std::vector<std::uint8_t> values(65536);
  for (const auto& [name, spec] : kPatterns) {
    fill_pattern(values.data(), values.size(), spec, kSeed);
    EXPECT_EQ(fnv1a(values), golden.at(name)) << name << std::hex << " 0x" << fnv1a(values);
  }
}

TEST(Pattern, ValueDependsOnSeedAndIndexOnly) {
  const auto tables = make_pattern_tables();
  constexpr std::uint64_t kFirst = (std::uint64_t{1} << 32) - 50;  // across the low word's end
  std::vector<std::uint8_t> values(100);
  for (const auto& [name, spec] : kPatterns) {
    fill_pattern(values.data(), values.size(), spec, kSeed, kFirst);
    for (std::uint64_t i = values.size(); i-- > 0;)
      EXPECT_EQ(values[i], pattern_value(spec, kSeed, kFirst + i, tables)) << name << ' ' << i;
  }
}

TEST(Pattern, AnotherSeedGivesOtherRandomValues) {
  std::vector<std::uint8_t> a(4096), b(4096);
  for (const auto& [name, spec] : kPatterns) {
    fill_pattern(a.data(), a.size(), spec, 1);
    fill_pattern(b.data(), b.size(), spec, std::uint64_t{1} << 32);
    const bool fixed = spec.pattern == Pattern::kConstant || spec.pattern == Pattern::kRamp;
    EXPECT_EQ(a == b, fixed) << name;
  }
}

/// Share of each value among the first 2^18.
std::vector<double> shares(const PatternSpec& spec) {
  std::vector<std::uint8_t> values(std::size_t{1} << 18);
  fill_pattern(values.data(), values.size(), spec, kSeed);
  std::vector<double> share(256);
  for (const auto v : values) share[v] += 1.0 / static_cast<double>(values.size());
  return share;
}

TEST(Pattern, DistributionsAreAsDescribed) {
  EXPECT_NEAR(shares({Pattern::kConstant, 1})[77], 1, 1e-9);
  const auto two = shares({Pattern::kTwoLevel, 1});
  EXPECT_NEAR(two[0], 0.5, 0.01);
  EXPECT_NEAR(two[255], 0.5, 0.01);
  for (const auto share : shares({Pattern::kRamp, 1})) EXPECT_NEAR(share, 1.0 / 256, 1e-9);
  for (const auto share : shares({Pattern::kUniform, 1})) EXPECT_NEAR(share, 1.0 / 256, 7e-4);
  const auto gauss = shares({Pattern::kGauss, 1});
  double mean = 0, square = 0;
  for (std::size_t v = 0; v < 256; ++v) mean += static_cast<double>(v) * gauss[v];
  for (std::size_t v = 0; v < 256; ++v)
    square += (static_cast<double>(v) - mean) * (static_cast<double>(v) - mean) * gauss[v];
  EXPECT_NEAR(mean, 125.75, 0.5);           // 8 * 31.5 / 2, less 1/4 for halving odd sums
  EXPECT_NEAR(square, 8 * 341.25 / 4, 10);  // a 6-bit uniform has variance 341.25
  EXPECT_NEAR(shares({Pattern::kEveryFourth, 1})[1], 0.25 + 0.75 / 256, 1e-3);
  EXPECT_NEAR(shares({Pattern::kHot90, 1})[200], 0.9 + 0.1 / 256, 3e-3);
  EXPECT_NEAR(shares({Pattern::kZipf, 1})[0], 0.2527, 5e-3);
  EXPECT_NEAR(shares({Pattern::kEntropy, 3})[0], std::pow(7.0 / 8, 8), 5e-3);
}

TEST(Pattern, PhotoIsSmoothAlongRows) {
  std::vector<std::uint8_t> values(std::size_t{1} << 16);
  fill_pattern(values.data(), values.size(), {Pattern::kPhoto, 1}, kSeed);
  int lowest = 255, highest = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    lowest = std::min<int>(lowest, values[i]);
    highest = std::max<int>(highest, values[i]);
    if (i % 8192 == 0) continue;
    EXPECT_LE(std::abs(values[i] - values[i - 1]), 17) << i;
  }
  EXPECT_GE(lowest, 52);
  EXPECT_LE(highest, 204);
  EXPECT_GT(highest - lowest, 60);
}

}  // namespace
}  // namespace gpuhisto
