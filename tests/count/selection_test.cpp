// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "count/selection.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "count/oracle.hpp"

namespace gpuhisto::count {
namespace {

TEST(Clip, MeetsTheRangeExactly) {
  const auto expect = [](const Range& got, std::size_t begin, std::size_t end) {
    EXPECT_EQ(got.begin, begin);
    EXPECT_EQ(got.end, end);
  };
  expect(clip(0, 10, 3, 4), 3, 7);
  expect(clip(0, 10, 3, 40), 3, 10);
  expect(clip(5, 10, 3, 4), 0, 2);
  expect(clip(5, 10, 7, 2), 2, 4);
  expect(clip(0, 10, 3, UINT64_MAX), 3, 10);
  expect(clip(5, 10, UINT64_MAX, UINT64_MAX), 10, 10);
  EXPECT_EQ(clip(5, 10, 0, 5).size(), 0u);
  EXPECT_EQ(clip(5, 10, 15, 5).size(), 0u);
  EXPECT_EQ(clip(5, 10, 7, 0).size(), 0u);
  EXPECT_EQ(clip(5, 0, 0, 100).size(), 0u);
}

TEST(Sieve, KeepsOrderAndDropsWhatDoesNotCount) {
  for (int channels = 1; channels <= 4; ++channels)
    for (const bool skip : {false, true})
      for (const bool masked : {false, true}) {
        if (skip && !has_alpha(channels)) continue;
        const auto step = static_cast<std::size_t>(channels);
        constexpr std::size_t kPixels = 777;
        std::vector<std::uint8_t> pixels(kPixels * step), mask(kPixels), out((kPixels + 1) * step), want;
        fill_pattern(pixels.data(), pixels.size(), {Pattern::kEntropy, 5}, 3);
        fill_pattern(mask.data(), mask.size(), {Pattern::kEntropy, 3}, 4);
        for (std::size_t i = 0; i < kPixels; ++i) {
          if ((skip && pixels[i * step + step - 1] == 0) || (masked && mask[i] == 0)) continue;
          for (std::size_t c = 0; c < step; ++c) want.push_back(pixels[i * step + c]);
        }
        const auto n =
            Sieve{channels, skip}.compact(pixels.data(), masked ? mask.data() : nullptr, kPixels, out.data());
        out.resize(n * step);
        EXPECT_EQ(out, want) << channels << skip << masked;
      }
}

}  // namespace
}  // namespace gpuhisto::count
