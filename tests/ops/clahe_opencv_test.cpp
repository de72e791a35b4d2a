// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#ifndef GPUHISTO_HAVE_OPENCV
TEST(ClaheAgainstOpenCv, Compared) {
  GTEST_SKIP() << "built without OpenCV's core and imgproc: nothing to compare with";
}
#else
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "gpuhisto/clahe.hpp"
#include "oracle.hpp"

namespace gpuhisto {
namespace {

using test::PaddedImage;

cv::Mat mat_of(const PaddedImage& image) {
  const MutableImageView& view = image.view;
  return {static_cast<int>(view.height), static_cast<int>(view.width), CV_8UC(view.channels), view.data,
          view.row_bytes};
}

/// OpenCV's way: gray as it is; of colour the Y of YCrCb, back to RGB.
cv::Mat clahe_by_opencv(const cv::Mat& image, const ClaheOptions& options) {
  const auto clahe = cv::createCLAHE(options.clip_limit,
                                     {static_cast<int>(options.tiles_across), static_cast<int>(options.tiles_down)});
  cv::Mat result;
  if (image.channels() == 1) {
    clahe->apply(image, result);
    return result;
  }
  cv::Mat ycrcb, y;
  cv::cvtColor(image, ycrcb, cv::COLOR_RGB2YCrCb);
  cv::extractChannel(ycrcb, y, 0);
  clahe->apply(y, y);
  cv::insertChannel(y, ycrcb, 0);
  cv::cvtColor(ycrcb, result, cv::COLOR_YCrCb2RGB);
  return result;
}

/// The image in a larger one of poison, which must survive.
void expect_equal(PaddedImage& image, const ClaheOptions& options) {
  const cv::Mat expected = clahe_by_opencv(mat_of(image), options);
  PaddedImage poison = image;
  clahe(image.view, options);
  ASSERT_EQ(cv::norm(mat_of(image), expected, cv::NORM_INF), 0)
      << image.view.width << 'x' << image.view.height << 'x' << image.view.channels << ", tiles "
      << options.tiles_across << 'x' << options.tiles_down << ", clip " << options.clip_limit;
  for (std::size_t y = 0; y < image.view.height; ++y)
    std::copy_n(image.view.row(y), image.view.width * static_cast<std::size_t>(image.view.channels),
                poison.view.row(y));
  ASSERT_EQ(image.buffer, poison.buffer) << "written outside of the pixels";
}

/// Waves, a dark and a bright half, noise: what tiles of photos are like.
void fill_picture(PaddedImage& image, std::mt19937& random) {
  const auto period = 1 + random() % 60, noise = 1 + random() % 30, kind = random() % 4;
  for (std::size_t y = 0; y < image.view.height; ++y)
    for (std::size_t x = 0; x < image.view.width; ++x)
      for (int c = 0; c < image.view.channels; ++c) {
        const std::size_t wave = (x * (2 + static_cast<std::size_t>(c)) + y * 3) / period % 64;
        const std::size_t half = x + y < image.view.width ? 20 : 150;
        const std::size_t values[] = {wave + half + random() % noise, half, random() % 256, random() % 2 * 255};
        image.pixel(x, y)[c] = static_cast<std::uint8_t>(values[kind]);
      }
}

constexpr double kClips[] = {2, 0, 0.5, 1, 4, 40, 300};

TEST(ClaheAgainstOpenCv, EverySmallSizeByEveryGrid) {
  std::mt19937 random(1);
  for (std::size_t width = 1; width <= 20; ++width)
    for (std::size_t height = 1; height <= 20; ++height)
      for (std::size_t across = 1; across <= 9; ++across) {
        PaddedImage image(width, height, 1, random() % 16, random() % 9);
        fill_picture(image, random);
        expect_equal(image, {kClips[random() % std::size(kClips)], across, 1 + random() % 9, 1});
      }
}

TEST(ClaheAgainstOpenCv, LargerSizes) {
  std::mt19937 random(2);
  for (int round = 0; round < 150; ++round) {
    PaddedImage image(1 + random() % 700, 1 + random() % 500, round % 3 == 2 ? 3 : 1, random() % 16, random() % 9);
    fill_picture(image, random);
    expect_equal(image, {kClips[random() % std::size(kClips)], 1 + random() % 20, 1 + random() % 20,
                         1 + static_cast<int>(random() % 4)});
  }
}

TEST(ClaheAgainstOpenCv, OnlyOneSideNotDivisible) {
  std::mt19937 random(3);
  for (const auto& [width, height] : {std::pair<std::size_t, std::size_t>{64, 65}, {65, 64}, {64, 64}, {8, 1}, {1, 8}})
    for (const int channels : {1, 3}) {
      PaddedImage image(width, height, channels);
      fill_picture(image, random);
      expect_equal(image, {});
    }
}

TEST(ClaheAgainstOpenCv, RowsAndColumns) {
  std::mt19937 random(4);
  for (std::size_t length = 1; length <= 600; length += 1 + length / 8)
    for (const bool row : {true, false}) {
      PaddedImage image(row ? length : 1, row ? 1 : length, 1, 0, 3);
      fill_picture(image, random);
      expect_equal(image, {2, 1 + random() % 16, 1 + random() % 16, 2});
    }
}

TEST(ClaheAgainstOpenCv, ConstantImages) {
  for (const int value : {0, 1, 77, 128, 255})
    for (const double clip : kClips) {
      PaddedImage image(100, 70, 1);
      mat_of(image).setTo(value);
      expect_equal(image, {clip, 8, 8, 1});
    }
}

TEST(ClaheAgainstOpenCv, ManyTiles) {
  std::mt19937 random(5);
  PaddedImage image(3000, 1001, 1, 5, 7);
  fill_picture(image, random);
  expect_equal(image, {2, 256, 256, 2});
}

TEST(ClaheAgainstOpenCv, TilesOfMorePixelsThanAFloatHolds) {
  // 2^24 and more pixels a tile: sums of bins are rounded on their way into floats.
  std::mt19937 random(6);
  PaddedImage image(6007, 3001, 1);
  fill_picture(image, random);
  expect_equal(image, {0, 1, 1, 2});
}

TEST(ClaheAgainstOpenCv, AlphaStays) {
  std::mt19937 random(7);
  for (const int channels : {2, 4}) {
    PaddedImage image(131, 77, channels, 1, 2);
    image.fill(random);
    cv::Mat colors, alpha;
    const int color_channels = channels - 1;
    std::vector<cv::Mat> planes;
    cv::split(mat_of(image), planes);
    alpha = planes.back().clone();
    planes.pop_back();
    cv::merge(planes, colors);
    ASSERT_EQ(colors.channels(), color_channels);
    const cv::Mat expected = clahe_by_opencv(colors, {});
    clahe(image.view, {});
    cv::split(mat_of(image), planes);
    EXPECT_EQ(cv::norm(planes.back(), alpha, cv::NORM_INF), 0);
    planes.pop_back();
    cv::merge(planes, colors);
    EXPECT_EQ(cv::norm(colors, expected, cv::NORM_INF), 0) << channels;
  }
}

}  // namespace
}  // namespace gpuhisto
#endif
