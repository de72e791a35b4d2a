// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <vector>

// Last, because it needs FILE and size_t without including them.
#include <jpeglib.h>

namespace gpuhisto::testing {

using Bytes = std::vector<std::uint8_t>;

/// What a test wants in a JPEG file. The pixels are smooth waves with some noise, the same for the same size.
struct JpegWish {
  int width = 40, height = 30;
  J_COLOR_SPACE input = JCS_RGB;     ///< gray, RGB or CMYK
  J_COLOR_SPACE stored = JCS_YCbCr;  ///< how libjpeg stores it
  int horizontal = 2, vertical = 2;  ///< sampling factors of the first component
  int restart_rows = 0;              ///< MCU rows between restart markers
  int flat_from = INT_MAX;           ///< the first row of those that have one color
  int quality = 85;
  std::function<int(int x, int y)> level;  ///< of all components, instead of waves
  bool progressive = false, arithmetic = false, adobe = true, flat = false;
  std::vector<jpeg_scan_info> scans;  ///< instead of the usual ones
  std::vector<Bytes> segments;        ///< APPn or COM segments: first byte the marker, the payload behind it
};

Bytes make_jpeg(const JpegWish& wish);

/// Plain libjpeg with its defaults, row by row: the oracle. Four components come as stored.
Bytes plain_libjpeg(const Bytes& file);

inline Bytes segment(std::uint8_t marker, const std::string& head, const Bytes& rest = {}) {
  Bytes bytes(1 + head.size() + rest.size(), marker);
  std::copy(rest.begin(), rest.end(), std::copy(head.begin(), head.end(), bytes.begin() + 1));
  return bytes;
}

}  // namespace gpuhisto::testing
