// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "gpuhisto/clahe.hpp"
#include "gpuhisto/tone.hpp"

namespace gpuhisto::ops {

/// Tiles of one size that cover the image. Where they do not divide both sides, OpenCV 4 makes every tile larger by one
/// pixel, in both directions, and fills what is beyond the image by mirroring it (the border itself not repeated).
struct ClaheGrid {
  std::size_t width = 0, height = 0;  ///< of the image
  std::size_t across = 1, down = 1;
  std::size_t tile_width = 0, tile_height = 0;

  std::uint64_t tile_area() const { return std::uint64_t{tile_width} * tile_height; }
  std::size_t extended_height() const { return tile_height * down; }
};
/// Throws Error(kUsage) as clahe() does.
ClaheGrid clahe_grid(std::size_t width, std::size_t height, const ClaheOptions& options);

/// The position in 0 .. size-1 that mirroring gives for one from `size` on.
constexpr std::size_t mirrored(std::size_t position, std::size_t size) {
  if (size == 1) return 0;
  const std::size_t period = 2 * (size - 1);
  position %= period;
  return position < size ? position : period - position;
}

/// Where a position lies between the centres of tiles: `tile` and the one after it surround it (-1 and the last where
/// there is none), `weight` is the share of the one after.
struct BetweenTiles {
  std::ptrdiff_t tile;
  float weight;
};
inline BetweenTiles between_tiles(std::size_t position, float inverse_tile_size) {
  const float at = static_cast<float>(position) * inverse_tile_size - 0.5f;
  auto tile = static_cast<std::ptrdiff_t>(at);
  if (static_cast<float>(tile) > at) --tile;
  return {tile, at - static_cast<float>(tile)};
}

/// To the nearest integer, a tie to the even one, of 0 to 255: adding to where the unit in the last place is 1 rounds
/// so.
inline std::uint8_t rounded(float value) {
  constexpr float kUnitIsOne = 12582912;  // 1.5 * 2^23
  return static_cast<std::uint8_t>(std::bit_cast<std::uint32_t>(value + kUnitIsOne));
}

/// Pixels that a bin may hold; 0: no limit.
std::uint64_t clahe_bin_limit(std::uint64_t tile_area, double clip_limit);
/// The map of one tile: bins cut at the limit, what is over spread evenly, and cumulated.
Lut make_clahe_lut(Histogram histogram, std::uint64_t tile_area, std::uint64_t bin_limit);

}  // namespace gpuhisto::ops
