// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Counting and mapping as anyone would write them first: what every kernel must equal. Formulas are those of the
// documentation, not shared with the kernels or the library.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "plugin.h"

namespace gpuhisto::test {

using Bins = std::array<std::array<std::uint64_t, 256>, 5>;  // luma, red, green, blue, alpha

inline int oracle_luma(std::uint32_t rule, int r, int g, int b) {
  switch (rule) {
    case GPUHISTO_LUMA_BT601:
      return (9798 * r + 19235 * g + 3735 * b + 16384) >> 15;
    case GPUHISTO_LUMA_BT709:
      return (6966 * r + 23436 * g + 2366 * b + 16384) >> 15;
    case GPUHISTO_LUMA_AVERAGE:
      return (r + g + b + 1) / 3;
    case GPUHISTO_LUMA_VALUE:
      return std::max({r, g, b});
    default:
      return (4899 * r + 9617 * g + 1868 * b + 8192) >> 14;
  }
}

struct OracleImage {
  const std::uint8_t* data;
  std::size_t width, height, row_bytes;
  unsigned channels;
};

inline Bins oracle_count(const OracleImage& image, std::uint32_t luma, bool skip_transparent,
                         const std::vector<std::uint8_t>* mask = nullptr) {
  Bins bins{};
  for (std::size_t y = 0; y < image.height; ++y)
    for (std::size_t x = 0; x < image.width; ++x) {
      const std::uint8_t* p = image.data + y * image.row_bytes + x * image.channels;
      if (mask && (*mask)[y * image.width + x] == 0) continue;
      const bool has_alpha = image.channels % 2 == 0;
      if (has_alpha && skip_transparent && p[image.channels - 1] == 0) continue;
      if (has_alpha) ++bins[4][p[image.channels - 1]];
      if (image.channels < 3) {
        ++bins[0][p[0]];
        continue;
      }
      for (unsigned c = 0; c < 3; ++c) ++bins[1 + c][p[c]];
      if (luma != GPUHISTO_LUMA_NONE) ++bins[0][static_cast<std::size_t>(oracle_luma(luma, p[0], p[1], p[2]))];
    }
  return bins;
}

/// Y of the 14-bit YCrCb through a table and back, in place.
inline void oracle_ycrcb(std::uint8_t* p, const std::uint8_t* table) {
  const auto clip = [](int v) { return std::clamp(v, 0, 255); };
  const auto down = [](int v) { return (v + 8192) >> 14; };
  const int r = p[0], g = p[1], b = p[2];
  const int y = (4899 * r + 9617 * g + 1868 * b + 8192) >> 14;
  const int cr = clip(((r - y) * 11682 + (128 << 14) + 8192) >> 14) - 128;
  const int cb = clip(((b - y) * 9241 + (128 << 14) + 8192) >> 14) - 128;
  const int mapped = table[y];
  p[0] = static_cast<std::uint8_t>(clip(mapped + down(22987 * cr)));
  p[1] = static_cast<std::uint8_t>(clip(mapped + down(-11698 * cr - 5636 * cb)));
  p[2] = static_cast<std::uint8_t>(clip(mapped + down(29049 * cb)));
}

}  // namespace gpuhisto::test
