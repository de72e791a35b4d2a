// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include "gpuhisto/convert.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

using Sizes = std::initializer_list<std::size_t>;

/// Every pixel tells where it was, as far as the bytes go.
Image make_image(std::size_t width, std::size_t height, int channels) {
  Image image(width, height, channels);
  for (std::size_t i = 0; i < image.bytes(); ++i)
    image.view().data[i] = static_cast<std::uint8_t>((i * 2654435761u) >> 11);
  return image;
}

/// Where the pixel shown at (x, y) is stored in an image of width x height, as EXIF defines the eight orientations by
/// the sides that row 0 and column 0 of the stored image have.
std::pair<std::size_t, std::size_t> stored_at(int orientation, std::size_t x, std::size_t y, std::size_t width,
                                              std::size_t height) {
  switch (orientation) {
    case 2:  // row 0 top, column 0 right
      return {width - 1 - x, y};
    case 3:  // row 0 bottom, column 0 right
      return {width - 1 - x, height - 1 - y};
    case 4:  // row 0 bottom, column 0 left
      return {x, height - 1 - y};
    case 5:  // row 0 left, column 0 top
      return {y, x};
    case 6:  // row 0 right, column 0 top
      return {y, height - 1 - x};
    case 7:  // row 0 right, column 0 bottom
      return {width - 1 - y, height - 1 - x};
    case 8:  // row 0 left, column 0 bottom
      return {width - 1 - y, x};
    default:
      return {x, y};
  }
}

std::string bytes_of(const Image& image) { return {reinterpret_cast<const char*>(image.view().data), image.bytes()}; }

void expect_oriented(std::size_t width, std::size_t height, int channels, int orientation, int threads) {
  const Image source = make_image(width, height, channels);
  const Image result = orient(make_image(width, height, channels), orientation, threads);
  const bool turned = orientation >= 5;
  ASSERT_EQ(result.width(), turned ? height : width);
  ASSERT_EQ(result.height(), turned ? width : height);
  ASSERT_EQ(result.channels(), channels);
  const auto step = static_cast<std::size_t>(channels);
  for (std::size_t y = 0; y < result.height(); ++y)
    for (std::size_t x = 0; x < result.width(); ++x) {
      const auto [from_x, from_y] = stored_at(orientation, x, y, width, height);
      for (std::size_t c = 0; c < step; ++c)
        ASSERT_EQ(result.view().row(y)[x * step + c], source.view().row(from_y)[from_x * step + c])
            << orientation << ": " << width << 'x' << height << 'x' << channels << " at " << x << ',' << y;
    }
}

TEST(Orient, FollowsTheDefinition) {
  for (int channels = 1; channels <= 4; ++channels)
    for (int orientation = 1; orientation <= 8; ++orientation)
      for (const std::size_t width : Sizes{0, 1, 2, 3, 8, 17, 63, 65, 131})
        for (const std::size_t height : Sizes{0, 1, 2, 5, 16, 64, 67})
          expect_oriented(width, height, channels, orientation, 1);
}

TEST(Orient, AnyNumberOfThreads) {
  for (int orientation = 1; orientation <= 8; ++orientation)
    for (const int threads : {2, 5}) expect_oriented(523, 401, 3, orientation, threads);
}

TEST(Orient, TheInversePutsItBack) {
  constexpr int kInverse[] = {0, 1, 2, 3, 4, 5, 8, 7, 6};
  for (int channels = 1; channels <= 4; ++channels)
    for (int orientation = 1; orientation <= 8; ++orientation) {
      const Image source = make_image(77, 41, channels);
      const Image back = orient(orient(make_image(77, 41, channels), orientation), kInverse[orientation]);
      EXPECT_EQ(back.width(), source.width());
      EXPECT_EQ(bytes_of(back), bytes_of(source)) << orientation;
    }
}

TEST(Orient, RefusesOtherNumbers) {
  for (const int orientation : {-1, 0, 9}) EXPECT_THROW(orient(make_image(2, 2, 3), orientation), Error);
}

}  // namespace
}  // namespace gpuhisto
