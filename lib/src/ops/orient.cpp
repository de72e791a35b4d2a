// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <string>

#include "gpuhisto/convert.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/parallel.hpp"
#include "ops/parts.hpp"

namespace gpuhisto {
namespace {

template <std::size_t kChannels>
struct Pixel {
  std::uint8_t values[kChannels];
};

/// The first pixel of a row; rows of an Image have no gaps.
template <std::size_t kChannels>
Pixel<kChannels>* row(Image& image, std::size_t y) {
  return reinterpret_cast<Pixel<kChannels>*>(image.view().row(y));
}

template <std::size_t kChannels>
void mirror_left_right(Image& image) {
  for (std::size_t y = 0; y < image.height(); ++y)
    std::reverse(row<kChannels>(image, y), row<kChannels>(image, y) + image.width());
}

template <std::size_t kChannels>
void mirror_top_bottom(Image& image) {
  for (std::size_t y = 0; y < image.height() / 2; ++y)
    std::swap_ranges(row<kChannels>(image, y), row<kChannels>(image, y) + image.width(),
                     row<kChannels>(image, image.height() - 1 - y));
}

template <std::size_t kChannels>
void turn_half(Image& image) {
  std::reverse(row<kChannels>(image, 0), row<kChannels>(image, 0) + image.width() * image.height());
}

/// Where the source of a transposed image begins: its columns become rows, from either end.
struct Corner {
  bool from_right = false;   ///< the first row of the result is the last column
  bool from_bottom = false;  ///< the first column of the result is the last row
};

// Of 8, 16, 32 and 64 columns by 16 to 256 rows the best all round, in widths of 4000 and of 4096, with 1, 3 and 4
// channels: the source rows of a tile stay in the first-level cache until all of their columns are used, and are few
// enough that rows a power of two apart do not evict each other.
constexpr std::size_t kTileRows = 64, kTileColumns = 16;

/// Rows [begin, end) of the result, in tiles.
template <std::size_t kChannels>
void transpose_rows(Image& from, Image& to, Corner corner, std::size_t begin, std::size_t end) {
  const std::size_t width = to.width(), last_row = from.height() - 1, last_column = from.width() - 1;
  for (std::size_t top = begin; top < end; top += kTileRows) {
    const std::size_t bottom = std::min(end, top + kTileRows);
    for (std::size_t left = 0; left < width; left += kTileColumns) {
      const std::size_t right = std::min(width, left + kTileColumns);
      const Pixel<kChannels>* rows[kTileColumns] = {};
      for (std::size_t x = left; x < right; ++x)
        rows[x - left] = row<kChannels>(from, corner.from_bottom ? last_row - x : x);
      for (std::size_t y = top; y < bottom; ++y) {
        const std::size_t column = corner.from_right ? last_column - y : y;
        auto* target = row<kChannels>(to, y) + left;
        if (right - left == kTileColumns) {  // a count known beforehand: unrolled
          for (std::size_t x = 0; x < kTileColumns; ++x) target[x] = rows[x][column];
        } else {
          for (std::size_t x = 0; x < right - left; ++x) target[x] = rows[x][column];
        }
      }
    }
  }
}

template <std::size_t kChannels>
Image transpose(Image& from, Corner corner, int threads) {
  Image to(from.height(), from.width(), from.channels());
  fork_join(to.height(), ops::parts_for(to.width() * to.height(), threads),
            [&](int, std::size_t begin, std::size_t end) { transpose_rows<kChannels>(from, to, corner, begin, end); });
  return to;
}

template <std::size_t kChannels>
Image orient_pixels(Image image, int orientation, int threads) {
  if (image.bytes() == 0 && orientation <= 4) return image;
  if (orientation == 2) mirror_left_right<kChannels>(image);
  if (orientation == 3) turn_half<kChannels>(image);
  if (orientation == 4) mirror_top_bottom<kChannels>(image);
  if (orientation == 5) return transpose<kChannels>(image, {}, threads);
  if (orientation == 6) return transpose<kChannels>(image, {.from_bottom = true}, threads);
  if (orientation == 7) return transpose<kChannels>(image, {.from_right = true, .from_bottom = true}, threads);
  if (orientation == 8) return transpose<kChannels>(image, {.from_right = true}, threads);
  return image;
}

}  // namespace

Image orient(Image image, int orientation, int threads) {
  if (orientation < 1 || orientation > 8)
    throw Error(ErrorKind::kUsage, "orientation " + std::to_string(orientation) + " is not one of 1 to 8");
  switch (image.channels()) {
    case 1:
      return orient_pixels<1>(std::move(image), orientation, threads);
    case 2:
      return orient_pixels<2>(std::move(image), orientation, threads);
    case 3:
      return orient_pixels<3>(std::move(image), orientation, threads);
    default:
      return orient_pixels<4>(std::move(image), orientation, threads);
  }
}

}  // namespace gpuhisto
