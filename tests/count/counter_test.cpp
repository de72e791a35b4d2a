// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Every table, split and bound, each forced with small images.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "count/oracle.hpp"
#include "count/pixel_counter.hpp"

namespace gpuhisto::count {
namespace {

using test::expect_same;
using test::naive_count;
using test::TestImage;

std::vector<SplitFunction> all_splits() {
  std::vector<SplitFunction> splits = {&split_portable};
  if (avx2_split()) splits.push_back(avx2_split());
  return splits;
}

using Bins = std::vector<std::uint64_t>;
Bins naive_bins(const std::vector<std::uint8_t>& values) {
  Bins bins(256);
  for (const auto v : values) ++bins[v];
  return bins;
}

std::vector<std::uint8_t> pattern_values(const PatternSpec& spec, std::size_t n) {
  std::vector<std::uint8_t> values(n);
  fill_pattern(values.data(), n, spec, n);
  return values;
}

TEST(Tables, EachCountsEveryPattern) {
  for (const auto& [name, spec] : kPatterns)
    for (const std::size_t n : {std::size_t{0}, kPairBlock, 3 * kPairBlock, std::size_t{1} << 17}) {
      const auto values = pattern_values(spec, n);
      const Bins want = naive_bins(values);
      Bins bytes(256), wide(256), narrow(256);
      std::vector<std::uint32_t> byte_tables(kByteTableSize), wide_table(kPairTableSize);
      std::vector<std::uint8_t> narrow_table(kPairTableSize);
      count_bytes(values.data(), n, byte_tables.data());
      fold_bytes(byte_tables.data(), bytes.data());
      count_wide(values.data(), n, wide_table.data());
      fold_wide(wide_table.data(), wide.data());
      count_narrow(values.data(), n, narrow_table.data(), narrow.data());
      fold_narrow(narrow_table.data(), narrow.data());
      EXPECT_EQ(bytes, want) << name << ' ' << n;
      EXPECT_EQ(wide, want) << name << ' ' << n;
      EXPECT_EQ(narrow, want) << name << ' ' << n;
    }
}

TEST(Tables, BytesCountEveryLengthAndRepeatedPairs) {
  for (std::size_t n = 0; n < 300; ++n)
    for (const int b : {7, 200}) {  // 7 7 7 … and 7 200 7 200 …
      std::vector<std::uint8_t> values(n, 7);
      for (std::size_t i = 1; i < n; i += 2) values[i] = static_cast<std::uint8_t>(b);
      if (n > 130) values[129] = 99;
      std::vector<std::uint32_t> tables(kByteTableSize);
      Bins bins(256);
      count_bytes(values.data(), n, tables.data());
      fold_bytes(tables.data(), bins.data());
      EXPECT_EQ(bins, naive_bins(values)) << n << ' ' << b;
    }
}

TEST(Tables, NarrowCountersOverflowExactly) {
  for (const std::size_t pairs : {254u, 255u, 256u, 257u, 511u, 512u, 513u, 70000u}) {
    const std::vector<std::uint8_t> values((pairs + 31) / 32 * kPairBlock, 77);
    std::vector<std::uint8_t> table(kPairTableSize);
    Bins bins(256);
    count_narrow(values.data(), values.size(), table.data(), bins.data());
    fold_narrow(table.data(), bins.data());
    EXPECT_EQ(bins, naive_bins(values)) << pairs;
  }
}

TEST(PlaneCounter, FoldsBeforeACounterPassesItsLimit) {
  for (const std::uint64_t limit : {1u, 63u, 64u, 1000u, 5000u})
    for (const std::uint64_t beyond : {0u, 1u, 2u}) {
      CountPolicy policy;
      policy.counter_limit = limit;
      policy.bytes_first = 0;
      policy.look_every = 700;
      PlaneCounter counter(policy);
      const std::vector<std::uint8_t> values(static_cast<std::size_t>(limit + beyond), 77);
      counter.add(values.data(), values.size());
      EXPECT_EQ(counter.folds(), limit == 1 ? beyond : std::uint64_t{beyond > 0}) << limit << ' ' << beyond;
      Histogram bins{};
      counter.drain(bins);
      EXPECT_EQ(bins[77], limit + beyond);
      EXPECT_EQ(std::accumulate(bins.begin(), bins.end(), std::uint64_t{0}), limit + beyond);
    }
}

TEST(PlaneCounter, ChoosesByTheDataAndChangesWithThem) {
  using Table = PlaneCounter::Table;
  PlaneCounter counter(CountPolicy{});
  EXPECT_EQ(counter.table(), Table::kBytes);
  const std::pair<Pattern, Table> choices[] = {{Pattern::kPhoto, Table::kWide},     {Pattern::kUniform, Table::kNarrow},
                                               {Pattern::kConstant, Table::kBytes}, {Pattern::kTwoLevel, Table::kWide},
                                               {Pattern::kHot90, Table::kBytes},    {Pattern::kGauss, Table::kNarrow}};
  Histogram want{}, got{};
  for (const auto& [pattern, table] : choices) {
    const auto values = pattern_values({pattern, 1}, std::size_t{1} << 18);
    for (const auto v : values) ++want[v];
    counter.add(values.data(), values.size());
    EXPECT_EQ(counter.table(), table) << static_cast<int>(pattern);
  }
  counter.drain(got);
  EXPECT_EQ(got, want);
}

TEST(TablePool, GivesZerosOnly) {
  for (int use = 0; use < 3; ++use) {
    PlaneCounter counter(CountPolicy{});
    for (const Pattern pattern : {Pattern::kPhoto, Pattern::kUniform}) {
      const auto values = pattern_values({pattern, 1}, std::size_t{1} << 19);
      counter.add(values.data(), values.size());
    }
    Histogram bins{};
    counter.drain(bins);
    const auto wide = take_table<std::uint32_t>();
    const auto narrow = take_table<std::uint8_t>();
    for (std::size_t i = 0; i < kPairTableSize; ++i) ASSERT_TRUE(wide[i] == 0 && narrow[i] == 0) << i;
  }
}

/// Policies that reach every table, the change from one to another, and folding, within a few thousand values.
std::vector<CountPolicy> policies() {
  CountPolicy pairs, restless, tight;
  pairs.bytes_first = 0;
  pairs.look_every = 512;
  restless.bytes_first = 3000;
  restless.look_every = 1024;
  tight.bytes_first = 0;
  tight.look_every = 2048;
  tight.counter_limit = 777;
  return {CountPolicy{}, pairs, restless, tight};
}

TEST(PixelCounter, EveryPolicySplitChannelsAndPattern) {
  for (const auto& policy : policies())
    for (const auto split : all_splits())
      for (int channels = 1; channels <= 4; ++channels)
        for (const auto& [name, pattern] : kPatterns) {
          const TestImage image({9001, 1, channels, 0, 3}, pattern, 11);
          PixelCounter::Settings settings;
          settings.channels = channels;
          settings.wanted = ChannelSet::all();
          settings.split = split;
          settings.policy = policy;
          PixelCounter counter(settings);
          const auto step = static_cast<std::size_t>(channels);
          ImageHistogram got;
          for (int use = 0; use < 2; ++use) {  // once more after drain
            counter.add(image.view().data, 5000);
            counter.add(image.view().data + 5000 * step, 1);
            counter.add(image.view().data + 5001 * step, 4000);
            counter.drain(got);
          }
          auto want = naive_count(image.view(), {});
          want.add(naive_count(image.view(), {}));
          expect_same(got, want, name);
        }
}

TEST(PixelCounter, EverySetOfChannelsOfEveryWidth) {
  for (const auto split : all_splits())
    for (int channels = 1; channels <= 4; ++channels)
      for (unsigned bits = 0; bits < 32; ++bits)
        for (const std::size_t n : {1u, 31u, 32u, 33u, 95u, 2047u, 2049u}) {
          const TestImage image({n, 1, channels, 0, 1}, {}, n);
          CountSpec spec;
          spec.channels = ChannelSet();
          for (const Channel c : kChannels)
            if (bits >> static_cast<unsigned>(c) & 1u) spec.channels.set(c);
          PixelCounter::Settings settings;
          settings.channels = channels;
          settings.wanted = spec.channels & ChannelSet::of_image(channels);
          settings.split = split;
          PixelCounter counter(settings);
          counter.add(image.view().data, n);
          ImageHistogram got;
          counter.drain(got);
          expect_same(got, naive_count(image.view(), spec), std::to_string(channels) + "/" + std::to_string(bits));
        }
}

}  // namespace
}  // namespace gpuhisto::count
