// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gpuhisto::testing {

using Bytes = std::vector<std::uint8_t>;

struct PngChunk {
  std::string type;
  Bytes data;
};

/// What a test wants in a PNG file. Samples are random, the same for the same wish.
struct PngWish {
  int width = 13, height = 11;
  int type = 2;  ///< 0 gray, 2 RGB, 3 palette, 4 gray+alpha, 6 RGBA
  int depth = 8;
  bool interlaced = false;
  int colors = 0;                       ///< of the palette; 0: all that the depth can name
  Bytes transparency;                   ///< payload of tRNS
  std::vector<PngChunk> before, after;  ///< between IHDR and the pixels; between the pixels and IEND
  int filter = -1;                      ///< of all rows; -1: they take all in turn
  std::size_t idat_bytes = 100;         ///< in each IDAT
  Bytes surplus;                        ///< zlib data longer than the image
};

struct PngFile {
  Bytes bytes;
  Bytes pixels;  ///< the rows that a decoder must give: 8 bits, palette expanded, tRNS as alpha
};

/// Written without libpng, so that it can serve as an oracle.
PngFile make_png(const PngWish& wish);

constexpr std::array<std::array<int, 2>, 15> kPngKinds = {{{0, 1},
                                                           {0, 2},
                                                           {0, 4},
                                                           {0, 8},
                                                           {0, 16},
                                                           {2, 8},
                                                           {2, 16},
                                                           {3, 1},
                                                           {3, 2},
                                                           {3, 4},
                                                           {3, 8},
                                                           {4, 8},
                                                           {4, 16},
                                                           {6, 8},
                                                           {6, 16}}};

Bytes png_chunk(const PngChunk& chunk);

/// The content of an eXIf chunk that tells the orientation alone.
inline Bytes orientation_block(std::uint8_t value) {
  return {'M', 'M', 0, '*', 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0, 0, 0, 0, 0};
}

}  // namespace gpuhisto::testing
