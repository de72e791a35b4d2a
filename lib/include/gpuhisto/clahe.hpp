// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpuhisto/image.hpp"

namespace gpuhisto {

/// How clahe() cuts an image into tiles, and how far it may raise contrast.
struct ClaheOptions {
  static constexpr std::size_t kMostTiles = 256;  ///< across, and down

  /// A bin of a tile holds at most this many times what it would if the tile's values were spread evenly; the rest is
  /// spread over all bins. 0: no limit.
  double clip_limit = 2;
  std::size_t tiles_across = 8, tiles_down = 8;
  int threads = 1;
};

/// Contrast-limited adaptive histogram equalisation, in place: every tile has a map of its own, and each pixel goes
/// through those of the four nearest tiles, weighted by its distance from their centres. Of gray images the same bytes
/// as OpenCV 4's CLAHE; of colour, of the Y of YCrCb, as its RGB2YCrCb, CLAHE and YCrCb2RGB. Alpha never changes. The
/// same for any number of threads. Throws Error(kUsage) when the limit is not a number from 0 on, or the tiles are not
/// 1 to kMostTiles.
void clahe(const MutableImageView& image, const ClaheOptions& options);
/// Bytes that it needs at most, whatever the image.
std::uint64_t clahe_memory(const ClaheOptions& options);

}  // namespace gpuhisto
