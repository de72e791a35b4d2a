// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/clahe.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "clahe_oracle.hpp"
#include "gpuhisto/error.hpp"
#include "ops/clahe_map.hpp"

namespace gpuhisto {
namespace {

using test::PaddedImage;

ClaheOptions options_of(double clip, std::size_t across, std::size_t down, int threads = 1) {
  return {clip, across, down, threads};
}

/// Mostly smooth, so that tiles have few values and the limit cuts, with some noise.
void fill_smooth(PaddedImage& image, std::mt19937& random) {
  const auto slope = random() % 5, base = random() % 256, noise = 1 + random() % 40;
  for (std::size_t y = 0; y < image.view.height; ++y)
    for (std::size_t x = 0; x < image.view.width; ++x)
      for (int c = 0; c < image.view.channels; ++c)
        image.pixel(x, y)[c] = static_cast<std::uint8_t>(base + slope * (x + y) / 4 + random() % noise);
}

PaddedImage random_image(std::mt19937& random, int channels, std::size_t most) {
  PaddedImage image(1 + random() % most, 1 + random() % most, channels, random() % 16, random() % 9);
  if (random() % 2)
    image.fill(random);
  else
    fill_smooth(image, random);
  return image;
}

void expect_as_defined(const PaddedImage& before, const ClaheOptions& options) {
  PaddedImage expected = before;
  test::slow_clahe(expected.view, options);
  for (const ops::Kernels& kernels : ops::kernels()) {
    PaddedImage actual = before;
    ops::clahe(actual.view, options, kernels);
    ASSERT_EQ(actual.buffer, expected.buffer)
        << kernels.name << ", " << before.view.width << 'x' << before.view.height << 'x' << before.view.channels
        << ", tiles " << options.tiles_across << 'x' << options.tiles_down << ", clip " << options.clip_limit;
  }
}

TEST(Clahe, IsAsDefinedAtAnySizeGridAndLimit) {
  std::mt19937 random(1);
  const double clips[] = {2, 0, 0.01, 1, 3.7, 40, 256, 1e9};
  for (int round = 0; round < 600; ++round)
    expect_as_defined(random_image(random, 1 + round % 4, round % 3 == 0 ? 12 : 90),
                      options_of(clips[random() % std::size(clips)], 1 + random() % 12, 1 + random() % 12));
}

TEST(Clahe, IsAsDefinedForRunsAndColumnsOfEveryLength) {
  std::mt19937 random(2);
  for (std::size_t width = 1; width <= 200; ++width) {
    PaddedImage row(width, 2, 1, width % 16, width % 5);
    row.fill(random);
    expect_as_defined(row, options_of(2, 1, 1));
    expect_as_defined(row, options_of(2, 2, 1));
  }
}

TEST(Clahe, IsAsDefinedWhereTilesAreWiderThanARun) {
  std::mt19937 random(3);
  for (const int channels : {1, 3}) {
    PaddedImage image(5003, 9, channels, 3, 1);
    fill_smooth(image, random);
    expect_as_defined(image, options_of(2, 2, 3));
  }
}

TEST(Clahe, IsAsDefinedWithMoreTilesThanPixels) {
  std::mt19937 random(4);
  PaddedImage image(7, 300, 3);
  image.fill(random);
  expect_as_defined(image, options_of(2, 256, 256));
}

TEST(Clahe, IsTheSameForAnyNumberOfThreads) {
  std::mt19937 random(5);
  for (const int channels : {1, 4}) {
    PaddedImage image(701, 803, channels, 1, 3);  // as many parts as threads, below 9
    fill_smooth(image, random);
    for (const std::size_t down : test::Sizes{1, 3, 8, 200}) {
      PaddedImage one = image;
      clahe(one.view, options_of(2, 5, down));
      for (const int threads : {2, 3, 8, 64}) {
        PaddedImage many = image;
        clahe(many.view, options_of(2, 5, down, threads));
        ASSERT_EQ(many.buffer, one.buffer) << threads << " threads, " << down << " tiles down";
      }
    }
  }
}

TEST(Clahe, AnImageWithoutPixelsIsLeftAlone) {
  clahe({nullptr, 0, 5, 1, 0}, {});
  clahe({nullptr, 5, 0, 3, 15}, {});
}

TEST(Clahe, RefusesWhatMakesNoSense) {
  std::uint8_t pixel = 7;
  const MutableImageView image = {&pixel, 1, 1, 1, 1};
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  for (const ClaheOptions& options :
       {options_of(-1, 8, 8), options_of(not_a_number, 8, 8), options_of(infinite, 8, 8), options_of(2, 0, 8),
        options_of(2, 8, 0), options_of(2, 257, 8), options_of(2, 8, 257)})
    EXPECT_THROW(clahe(image, options), Error);
  EXPECT_EQ(pixel, 7);
}

}  // namespace
}  // namespace gpuhisto
