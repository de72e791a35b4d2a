// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include "bench/rotation.hpp"
#include "gpuhisto/bench.hpp"

namespace gpuhisto::bench {
namespace {

TEST(BenchSummary, MedianRangeAndSpreadOfTheMiddleHalf) {
  const Summary summary = summarize({5, 1, 4, 2, 3});
  EXPECT_EQ(summary.count, 5u);
  EXPECT_DOUBLE_EQ(summary.median, 3);
  EXPECT_DOUBLE_EQ(summary.low, 1);
  EXPECT_DOUBLE_EQ(summary.high, 5);
  EXPECT_DOUBLE_EQ(summary.spread, 2.0 / 3);  // quartiles 2 and 4
  EXPECT_DOUBLE_EQ(summarize({1, 2}).median, 1.5);
  EXPECT_DOUBLE_EQ(summarize({7}).spread, 0);
  EXPECT_EQ(summarize({}).count, 0u);
}

TEST(BenchSummary, OneOutlierDoesNotMakeItNoisy) {
  EXPECT_LT(summarize({1, 1, 1, 1, 100}).spread, kNoisySpread);
  EXPECT_GT(summarize({1, 1, 1.2, 1.4, 1.6}).spread, kNoisySpread);
}

TEST(BenchRotation, ImagesPassThroughTheCacheOrItIsEmptied) {
  constexpr std::uint64_t kCache = 512 << 20;
  const Rotation large = cold_rotation(1 << 30, kCache);
  EXPECT_EQ(large.copies, 1u);
  EXPECT_FALSE(large.evict);
  const Rotation middle = cold_rotation(1 << 25, kCache);
  EXPECT_EQ(middle.copies, 16u);
  EXPECT_FALSE(middle.evict);
  const Rotation small = cold_rotation(1000, kCache);
  EXPECT_EQ(small.copies, 256u);
  EXPECT_EQ(small.stride, 1024u);
  EXPECT_TRUE(small.evict);
  EXPECT_EQ(hot_rotation(1000).copies, 1u);
  EXPECT_FALSE(hot_rotation(1000).evict);
  EXPECT_TRUE(cold_rotation(1000, 0).evict);
  EXPECT_EQ(cold_rotation(0, kCache).copies, 1u);
}

TEST(BenchVerify, FindsTheFirstBinOfABatch) {
  Shape shape;
  shape.keys = Keys::kU32;
  shape.bins = 3;
  shape.images = 2;
  Verification result;
  const std::vector<std::uint64_t> expected = {1, 2, 3, 4, 5, 6};
  std::vector<std::uint64_t> got = expected;
  verify(expected, got, shape, result);
  EXPECT_TRUE(result.passed());
  got[4] = 2;
  got[5] = 7;
  verify(expected, got, shape, result);
  EXPECT_FALSE(result.passed());
  EXPECT_EQ(result.first->image, 1u);
  EXPECT_EQ(result.first->bin, 1u);
  EXPECT_FALSE(result.first->channel);
  EXPECT_EQ(result.first->expected, 5u);
  EXPECT_EQ(result.first->got, 2u);
  EXPECT_EQ(result.missing, 3u);
  EXPECT_EQ(result.expected_total, 42u);
  EXPECT_EQ(result.wrong, 1u);
}

TEST(BenchReference, CountsKeysByModuloAndRange) {
  const std::vector<std::uint32_t> keys = {0, 1, 5, 7, 7, 4294967295u};
  Shape shape;
  shape.keys = Keys::kU32;
  shape.width = keys.size();
  shape.bins = 5;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(keys.data());
  EXPECT_EQ(reference_counts(shape, bytes), (std::vector<std::uint64_t>{3, 1, 2, 0, 0}));
  shape.map = BinMap::kRange;
  EXPECT_EQ(reference_counts(shape, bytes), (std::vector<std::uint64_t>{1, 1, 0, 0, 0}));
}

TEST(BenchReference, EqualsTheLibraryCounter) {
  constexpr std::size_t kPixels = 100000;
  std::vector<std::uint8_t> bytes(kPixels * 4);
  fill_pattern(bytes.data(), bytes.size(), {Pattern::kUniform, 1}, 3);
  for (int channels = 1; channels <= 4; ++channels) {
    Shape shape;
    shape.channels = channels;
    shape.width = kPixels;
    shape.luma = channels >= 3;
    const auto counts = reference_counts(shape, bytes.data());
    const auto row = kPixels * static_cast<std::size_t>(channels);
    const ImageHistogram histogram = count_image({bytes.data(), kPixels, 1, channels, row}, {}, 1);
    for (std::size_t c = 0; c < kChannelCount; ++c)
      for (std::size_t v = 0; v < kBins; ++v) ASSERT_EQ(counts[c * kBins + v], histogram.counts[c][v]) << c << " " << v;
  }
}

}  // namespace
}  // namespace gpuhisto::bench
