// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#ifndef GPUHISTO_HAVE_OPENCV
TEST(OpsAgainstOpenCv, Compared) { GTEST_SKIP() << "built without OpenCV's core and imgproc: nothing to compare with"; }
#else
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "gpuhisto/convert.hpp"
#include "near_ties.hpp"
#include "ops/kernels.hpp"
#include "ops/map_pixels.hpp"
#include "oracle.hpp"

namespace gpuhisto {
namespace {

using test::expect_equal_but_for_near_ties;
using test::PaddedImage;

/// equalizeHist's table, in its own 32-bit float steps; needs two occupied bins and at most 2^31 - 1 pixels.
Lut float_lut(const Histogram& histogram) {
  std::size_t v = 0;
  while (histogram[v] == 0) ++v;
  std::int64_t range = 0;
  for (std::size_t i = v + 1; i < kBins; ++i) range += static_cast<std::int64_t>(histogram[i]);
  const float scale = 255.f / static_cast<float>(range);
  Lut lut{};
  std::int64_t sum = 0;
  for (++v; v < kBins; ++v) {
    sum += static_cast<std::int64_t>(histogram[v]);
    const float scaled = static_cast<float>(sum) * scale;
    lut[v] = cv::saturate_cast<std::uint8_t>(scaled);
  }
  return lut;
}

Histogram random_histogram(std::mt19937& random, std::uint64_t largest_bin) {
  Histogram histogram{};
  const auto keep = random() % 3 == 0 ? 2 + random() % 5 : 1 + random() % 256;
  std::uniform_int_distribution<std::uint64_t> count(0, largest_bin);
  for (auto& bin : histogram)
    if (random() % 256 < keep) bin = count(random) >> (random() % 8);
  if (random() % 4 == 0) histogram[random() % kBins] = largest_bin;
  if (is_flat(histogram)) histogram[3] = 1, histogram[200] = 1 + largest_bin / 2;
  return histogram;
}

TEST(OpsAgainstOpenCv, GrayEqualizationEqualsEqualizeHistButForNearTies) {
  std::mt19937 random(17);
  for (int round = 0; round < 2000; ++round) {
    const Histogram histogram = random_histogram(random, 1 + random() % 200);
    std::vector<std::uint8_t> values;
    for (std::size_t v = 0; v < kBins; ++v) values.insert(values.end(), histogram[v], static_cast<std::uint8_t>(v));
    const cv::Mat image(1, static_cast<int>(values.size()), CV_8UC1, values.data());
    cv::Mat result;
    cv::equalizeHist(image, result);
    const Lut floats = float_lut(histogram);
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(result.data[i], floats[values[i]]) << "not equalizeHist's arithmetic";
    const Lut exact = make_equalization_lut(histogram);
    expect_equal_but_for_near_ties(histogram, exact, floats);
    auto ours = values;
    test::equalize({ours.data(), ours.size(), 1, 1, ours.size()}, {});
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(ours[i], exact[values[i]]);
  }
}

TEST(OpsAgainstOpenCv, LutsOfLargeCountsEqualItsFloatsButForNearTies) {
  std::mt19937 random(18);
  int differing = 0;
  for (int round = 0; round < 20000; ++round) {
    const Histogram histogram = random_histogram(random, 1 + random() % (round % 2 == 0 ? 2000 : 8388607));
    differing += expect_equal_but_for_near_ties(histogram, make_equalization_lut(histogram), float_lut(histogram));
  }
  EXPECT_GT(differing, 0) << "no near tie came up: the criterion was not tried";
}

/// All 2^24 colours, blue fastest.
cv::Mat all_colors() {
  cv::Mat colors(4096, 4096, CV_8UC3);
  for (unsigned i = 0; i < 1u << 24; ++i) {
    std::uint8_t* p = colors.data + std::size_t{3} * i;
    p[0] = static_cast<std::uint8_t>(i >> 16);
    p[1] = static_cast<std::uint8_t>(i >> 8);
    p[2] = static_cast<std::uint8_t>(i);
  }
  return colors;
}

/// OpenCV's way: forward, the table on Y, back.
cv::Mat replace_luma_by_opencv(const cv::Mat& rgb, const Lut& lut) {
  cv::Mat ycrcb, result;
  cv::cvtColor(rgb, ycrcb, cv::COLOR_RGB2YCrCb);
  for (int y = 0; y < ycrcb.rows; ++y)
    for (int x = 0; x < ycrcb.cols; ++x) {
      std::uint8_t& luma = ycrcb.ptr(y)[3 * x];
      luma = lut[luma];
    }
  cv::cvtColor(ycrcb, result, cv::COLOR_YCrCb2RGB);
  return result;
}

MutableImageView view_of(cv::Mat& mat) {
  return {mat.data, static_cast<std::size_t>(mat.cols), static_cast<std::size_t>(mat.rows), mat.channels(), mat.step};
}

bool same_pixels(const cv::Mat& a, const cv::Mat& b) { return cv::norm(a, b, cv::NORM_INF) == 0; }

TEST(OpsAgainstOpenCv, YIsTheSameForEveryColour) {
  cv::Mat colors = all_colors(), ycrcb, y;
  cv::cvtColor(colors, ycrcb, cv::COLOR_RGB2YCrCb);
  cv::extractChannel(ycrcb, y, 0);
  const Image ours = to_gray(view_of(colors), LumaRule::kYcrcb14, 1);
  EXPECT_TRUE(std::equal(y.datastart, y.dataend, ours.view().data));
}

TEST(OpsAgainstOpenCv, GrayIsTheSameForEveryColour) {
  cv::Mat colors = all_colors(), gray;
  cv::cvtColor(colors, gray, cv::COLOR_RGB2GRAY);
  const Image ours = to_gray(view_of(colors), LumaRule::kBt601, 1);
  EXPECT_TRUE(std::equal(gray.datastart, gray.dataend, ours.view().data));
}

TEST(OpsAgainstOpenCv, NewLumaIsTheSameForEveryColour) {
  std::mt19937 random(19);
  const cv::Mat colors = all_colors();
  for (int round = 0; round < 2; ++round) {
    ops::PixelMap map;
    map.kind = ops::PixelMap::Kind::kLuma;
    for (std::size_t v = 0; v < kBins; ++v)
      map.luma.luts[0][v] = static_cast<std::uint8_t>(round == 0 ? 255 - v : random());
    const cv::Mat expected = replace_luma_by_opencv(colors, map.luma.luts[0]);
    for (const ops::Kernels& kernels : ops::kernels()) {
      cv::Mat actual = colors.clone();
      ops::map_pixels(view_of(actual), map, {}, kernels, 2);
      ASSERT_TRUE(same_pixels(actual, expected)) << kernels.name << ", round " << round;
    }
  }
}

TEST(OpsAgainstOpenCv, LumaEqualizationIsItsPipelineWithOurTable) {
  std::mt19937 random(20);
  for (int round = 0; round < 200; ++round) {
    const int width = 1 + static_cast<int>(random() % 400), height = 1 + static_cast<int>(random() % 20);
    PaddedImage image(static_cast<std::size_t>(width), static_cast<std::size_t>(height), 3, random() % 16,
                      random() % 9);
    image.fill(random, 20, 30 + static_cast<int>(random() % 225));
    const cv::Mat rgb(height, width, CV_8UC3, image.view.data, image.view.row_bytes);
    const cv::Mat before = rgb.clone();
    const ImageHistogram counts = test::equalize(image.view, {ToneMode::kLuma, {}, 1});
    const bool flat = is_flat(counts[Channel::kLuma]);
    const cv::Mat expected =
        flat ? before : replace_luma_by_opencv(before, make_equalization_lut(counts[Channel::kLuma]));
    ASSERT_TRUE(same_pixels(rgb, expected)) << width << 'x' << height;
  }
}

}  // namespace
}  // namespace gpuhisto
#endif
