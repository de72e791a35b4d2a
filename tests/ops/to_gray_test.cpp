// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include "gpuhisto/convert.hpp"
#include "oracle.hpp"

namespace gpuhisto {
namespace {

using test::PaddedImage;
using test::Sizes;

constexpr LumaRule kRules[] = {LumaRule::kBt601, LumaRule::kBt709, LumaRule::kAverage, LumaRule::kValue,
                               LumaRule::kYcrcb14};

int slow_luma(LumaRule rule, const std::uint8_t* p) {
  switch (rule) {
    case LumaRule::kBt601:
      return (9798 * p[0] + 19235 * p[1] + 3735 * p[2] + 16384) / 32768;
    case LumaRule::kBt709:
      return (6966 * p[0] + 23436 * p[1] + 2366 * p[2] + 16384) / 32768;
    case LumaRule::kAverage:
      return (p[0] + p[1] + p[2] + 1) / 3;
    case LumaRule::kValue:
      return std::max({p[0], p[1], p[2]});
    default:
      return test::slow_y(p);
  }
}

void expect_gray(PaddedImage& image, LumaRule rule, int threads) {
  const bool alpha = has_alpha(image.view.channels);
  const Image gray = to_gray(image.view, rule, threads);
  ASSERT_EQ(gray.channels(), alpha ? 2 : 1);
  ASSERT_EQ(gray.width(), image.view.width);
  ASSERT_EQ(gray.height(), image.view.height);
  const auto step = static_cast<std::size_t>(gray.channels());
  for (std::size_t y = 0; y < gray.height(); ++y)
    for (std::size_t x = 0; x < gray.width(); ++x) {
      const std::uint8_t* from = image.pixel(x, y);
      const std::uint8_t* to = gray.view().row(y) + x * step;
      ASSERT_EQ(to[0], has_color(image.view.channels) ? slow_luma(rule, from) : from[0]);
      if (alpha) {
        ASSERT_EQ(to[1], from[image.view.channels - 1]);
      }
    }
}

TEST(ToGray, FollowsEveryRuleAtAnySize) {
  std::mt19937 random(15);
  for (const LumaRule rule : kRules)
    for (int channels = 1; channels <= 4; ++channels)
      for (const std::size_t width : Sizes{0, 1, 2, 3, 15, 16, 17, 31, 33, 64, 100, 1023, 1024, 1025, 2500})
        for (const std::size_t height : Sizes{0, 1, 3}) {
          PaddedImage image(width, height, channels, random() % 8, random() % 9);
          image.fill(random);
          expect_gray(image, rule, 1);
        }
}

TEST(ToGray, AnyNumberOfThreads) {
  std::mt19937 random(16);
  for (int channels = 1; channels <= 4; ++channels) {
    PaddedImage image(619, 457, channels, 0, 3);
    image.fill(random);
    for (const int threads : {2, 3, 7}) expect_gray(image, LumaRule::kBt601, threads);
  }
}

}  // namespace
}  // namespace gpuhisto
