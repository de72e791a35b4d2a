// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include "gpuhisto/convert.hpp"
#include "oracle.hpp"

namespace gpuhisto {
namespace {

using test::PaddedImage;
using test::Sizes;

constexpr std::array<std::uint8_t, 3> kBackground = {200, 7, 255};

void expect_flattens(PaddedImage& image, int threads) {
  const bool alpha = has_alpha(image.view.channels);
  const int kept = image.view.channels - (alpha ? 1 : 0);
  const Image result = flatten(image.view, kBackground, threads);
  ASSERT_EQ(result.channels(), kept);
  ASSERT_EQ(result.width(), image.view.width);
  ASSERT_EQ(result.height(), image.view.height);
  for (std::size_t y = 0; y < result.height(); ++y)
    for (std::size_t x = 0; x < result.width(); ++x)
      for (int c = 0; c < kept; ++c) {
        const unsigned value = image.pixel(x, y)[c], a = alpha ? image.pixel(x, y)[kept] : 255;
        const unsigned expected = (a * value + (255 - a) * kBackground[static_cast<std::size_t>(c)] + 127) / 255;
        ASSERT_EQ(result.view().row(y)[x * static_cast<std::size_t>(kept) + static_cast<std::size_t>(c)], expected);
      }
}

TEST(Flatten, FollowsTheFormulaAtAnySize) {
  std::mt19937 random(12);
  for (int channels = 1; channels <= 4; ++channels)
    for (const std::size_t width : Sizes{0, 1, 2, 3, 15, 16, 17, 511, 512, 513, 1300})
      for (const std::size_t height : Sizes{0, 1, 3}) {
        PaddedImage image(width, height, channels, 1, 7);
        image.fill(random);
        expect_flattens(image, 1);
      }
}

TEST(Flatten, IsExactForEveryAlphaAndValue) {
  for (const int channels : {2, 4}) {
    PaddedImage image(256, 256, channels);
    for (std::size_t y = 0; y < 256; ++y)
      for (std::size_t x = 0; x < 256; ++x) {
        std::fill_n(image.pixel(x, y), channels, static_cast<std::uint8_t>(x));
        image.pixel(x, y)[channels - 1] = static_cast<std::uint8_t>(y);
      }
    expect_flattens(image, 1);
  }
}

TEST(Flatten, AnyNumberOfThreads) {
  std::mt19937 random(13);
  PaddedImage image(613, 450, 4, 0, 9);
  image.fill(random);
  for (const int threads : {2, 3, 7}) expect_flattens(image, threads);
}

TEST(IsOpaque, LooksAtEveryAlphaAndAtNothingElse) {
  for (int channels = 1; channels <= 4; ++channels)
    for (const std::size_t width : Sizes{1, 3, 16, 33, 70}) {
      PaddedImage image(width, 3, channels, 1, 6);
      std::mt19937 random(14);
      image.fill(random, 0, 254);
      const auto set_alpha = [&](std::size_t x, std::size_t y, int alpha) {
        if (has_alpha(channels)) image.pixel(x, y)[channels - 1] = static_cast<std::uint8_t>(alpha);
      };
      for (std::size_t i = 0; i < 3 * width; ++i) set_alpha(i % width, i / width, 255);
      EXPECT_TRUE(is_opaque(image.view));
      for (std::size_t i = 0; i < 3 * width; ++i) {
        set_alpha(i % width, i / width, 254);
        EXPECT_EQ(is_opaque(image.view), !has_alpha(channels));
        set_alpha(i % width, i / width, 255);
      }
    }
  EXPECT_TRUE(is_opaque(PaddedImage(0, 0, 4).view));
}

}  // namespace
}  // namespace gpuhisto
