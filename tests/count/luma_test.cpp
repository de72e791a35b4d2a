// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// All 2^24 colours, for every rule.
#include <gtest/gtest.h>

#include <vector>

#include "count/formula.hpp"
#include "count/oracle.hpp"
#include "count/split.hpp"

#ifdef GPUHISTO_TEST_OPENCV
#include <opencv2/imgproc.hpp>
#endif

namespace gpuhisto {
namespace {

constexpr unsigned kColors = 1u << 24;
constexpr unsigned kRow = 1u << 16;  // colours of one red value

std::vector<std::uint8_t> colors_of_red(unsigned red, std::size_t step) {
  std::vector<std::uint8_t> pixels(kRow * step, 0x5a);
  for (std::size_t i = 0; i < kRow; ++i) {
    pixels[i * step] = static_cast<std::uint8_t>(red);
    pixels[i * step + 1] = static_cast<std::uint8_t>(i >> 8);
    pixels[i * step + 2] = static_cast<std::uint8_t>(i);
  }
  return pixels;
}

TEST(Luma, OfEveryColorEqualsTheFormula) {
  for (const LumaRule rule : test::kLumaRules)
    for (unsigned c = 0; c < kColors; ++c) {
      const unsigned r = c >> 16, g = c >> 8 & 255, b = c & 255;
      const auto luma =
          luma_of(rule, static_cast<std::uint8_t>(r), static_cast<std::uint8_t>(g), static_cast<std::uint8_t>(b));
      ASSERT_EQ(luma, test::luma_formula(rule, r, g, b)) << luma_name(rule) << ' ' << c;
    }
}

/// The planes hold the pixels in order.
void expect_split(count::SplitFunction split, LumaRule rule, int channels) {
  const auto step = static_cast<std::size_t>(channels);
  std::vector<std::uint8_t> luma(kRow), red(kRow), green(kRow), blue(kRow), alpha(kRow);
  for (unsigned r = 0; r < 256; ++r) {
    const auto pixels = colors_of_red(r, step);
    const count::Planes planes{luma.data(), red.data(), green.data(), blue.data(),
                               channels == 4 ? alpha.data() : nullptr};
    split(pixels.data(), kRow, channels, count::luma_formula(rule), planes);
    for (std::size_t i = 0; i < kRow; ++i) {
      ASSERT_EQ(red[i], r);
      ASSERT_EQ(luma[i], test::luma_formula(rule, red[i], green[i], blue[i]))
          << luma_name(rule) << ' ' << r << ' ' << i;
      ASSERT_EQ(alpha[i], channels == 4 ? 0x5a : 0);
      ASSERT_EQ(green[i] * 256u + blue[i], i);
    }
  }
}

/// Every rule with RGB; RGBA, which differs only in how channels come apart, with one.
void expect_splits(count::SplitFunction split) {
  for (const LumaRule rule : test::kLumaRules) expect_split(split, rule, 3);
  expect_split(split, LumaRule::kBt709, 4);
}

TEST(Luma, SplitOfGrayAndAlphaKeepsTheOrder) {
  std::vector<std::uint8_t> pixels(2 * 256), gray(256), alpha(256);
  for (std::size_t i = 0; i < 256; ++i) {
    pixels[2 * i] = static_cast<std::uint8_t>(i);
    pixels[2 * i + 1] = static_cast<std::uint8_t>(255 - i);
  }
  count::Planes planes;
  planes.luma = gray.data();
  planes.alpha = alpha.data();
  for (const std::size_t n : std::initializer_list<std::size_t>{1, 31, 32, 33, 95, 256}) {
    count::best_split()(pixels.data(), n, 2, count::luma_formula(LumaRule::kBt601), planes);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(gray[i], i);
      ASSERT_EQ(alpha[i], 255 - i);
    }
  }
}

TEST(Luma, PortableSplitOfEveryColor) { expect_splits(&count::split_portable); }

TEST(Luma, Avx2SplitOfEveryColor) {
  if (!count::avx2_split()) GTEST_SKIP() << "this CPU or build has no AVX2";
  expect_splits(count::avx2_split());
}

TEST(Luma, Bt601EqualsOpenCv) {
#ifdef GPUHISTO_TEST_OPENCV
  for (unsigned r = 0; r < 256; ++r) {
    auto pixels = colors_of_red(r, 3);
    const cv::Mat colors(256, 256, CV_8UC3, pixels.data());
    cv::Mat gray, ycrcb;
    cv::cvtColor(colors, gray, cv::COLOR_RGB2GRAY);
    cv::cvtColor(colors, ycrcb, cv::COLOR_RGB2YCrCb);
    for (std::size_t i = 0; i < kRow; ++i) {
      const std::uint8_t *p = &pixels[3 * i], y = ycrcb.data[3 * i];
      ASSERT_EQ(luma_of(LumaRule::kBt601, p[0], p[1], p[2]), gray.data[i]) << r << ' ' << i;
      ASSERT_EQ(luma_of(LumaRule::kYcrcb14, p[0], p[1], p[2]), y) << r << ' ' << i;
    }
  }
#else
  GTEST_SKIP() << "built without OpenCV";
#endif
}

}  // namespace
}  // namespace gpuhisto
