// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// CLAHE as it is defined, a pixel at a time over an extended copy; nothing of the library's own arithmetic is used. To
// be compiled with -ffp-contract=off.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gpuhisto/clahe.hpp"
#include "oracle.hpp"

namespace gpuhisto::test {

/// A plane of gray values without gaps.
struct Plane {
  std::size_t width = 0, height = 0;
  std::vector<std::uint8_t> values;

  Plane(std::size_t w, std::size_t h) : width(w), height(h), values(w * h) {}
  std::uint8_t& at(std::size_t x, std::size_t y) { return values[y * width + x]; }
};

/// Steps back and forth through 0 .. size-1.
inline std::size_t slow_mirror(std::size_t steps, std::size_t size) {
  std::size_t at = 0;
  bool up = true;
  for (; size > 1 && steps > 0; --steps) {
    if (up && at == size - 1) up = false;
    if (!up && at == 0) up = true;
    at = up ? at + 1 : at - 1;
  }
  return at;
}

inline std::vector<std::uint8_t> slow_clahe_lut(std::vector<int> bins, int area, double clip) {
  const int limit = clip > 0 && clip < 256 ? std::max(1, static_cast<int>(clip * area / 256)) : area;
  int over = 0;
  for (int& bin : bins) over += std::max(0, bin - limit), bin = std::min(bin, limit);
  for (int& bin : bins) bin += over / 256;
  if (const int rest = over % 256; rest > 0)
    for (int i = 0, left = rest; i < 256 && left > 0; i += std::max(1, 256 / rest), --left)
      ++bins[static_cast<std::size_t>(i)];
  std::vector<std::uint8_t> lut;
  const float scale = 255.0f / static_cast<float>(area);
  int sum = 0;
  for (const int bin : bins) {
    sum += bin;
    lut.push_back(static_cast<std::uint8_t>(std::min(255L, std::lrint(static_cast<float>(sum) * scale))));
  }
  return lut;
}

inline Plane slow_clahe(Plane plane, const ClaheOptions& options) {
  const std::size_t across = options.tiles_across, down = options.tiles_down;
  const bool fits = plane.width % across == 0 && plane.height % down == 0;
  const std::size_t wide = fits ? plane.width : plane.width + across - plane.width % across;
  const std::size_t high = fits ? plane.height : plane.height + down - plane.height % down;
  const std::size_t tile_width = wide / across, tile_height = high / down;
  std::vector<std::vector<int>> bins(across * down, std::vector<int>(256));
  for (std::size_t y = 0; y < high; ++y)
    for (std::size_t x = 0; x < wide; ++x)
      ++bins[y / tile_height * across + x / tile_width]
            [plane.at(slow_mirror(x, plane.width), slow_mirror(y, plane.height))];
  std::vector<std::vector<std::uint8_t>> luts;
  for (const auto& tile : bins)
    luts.push_back(slow_clahe_lut(tile, static_cast<int>(tile_width * tile_height), options.clip_limit));
  const auto place = [](std::size_t position, std::size_t size, std::size_t tiles) {
    const float at = static_cast<float>(position) * (1.0f / static_cast<float>(size)) - 0.5f;
    const float below = std::floor(at);
    struct {
      std::size_t first, second;
      float weight;
    } found = {static_cast<std::size_t>(std::max(0.0f, below)),
               std::min(static_cast<std::size_t>(below + 1), tiles - 1), at - below};
    return found;
  };
  for (std::size_t y = 0; y < plane.height; ++y)
    for (std::size_t x = 0; x < plane.width; ++x) {
      const auto row = place(y, tile_height, down), column = place(x, tile_width, across);
      const auto entry = [&](std::size_t tile_row, std::size_t tile_column) {
        return static_cast<float>(luts[tile_row * across + tile_column][plane.at(x, y)]);
      };
      const float left = 1.0f - column.weight, above = 1.0f - row.weight;
      const float upper = entry(row.first, column.first) * left + entry(row.first, column.second) * column.weight;
      const float lower = entry(row.second, column.first) * left + entry(row.second, column.second) * column.weight;
      plane.at(x, y) = static_cast<std::uint8_t>(std::min(255L, std::lrint(upper * above + lower * row.weight)));
    }
  return plane;
}

/// What becomes of the pixels of an image: Y of colours, the gray values of others.
inline void slow_clahe(const MutableImageView& image, const ClaheOptions& options) {
  Plane plane(image.width, image.height);
  const auto pixel = [&](std::size_t x, std::size_t y) {
    return image.row(y) + x * static_cast<std::size_t>(image.channels);
  };
  for (std::size_t y = 0; y < image.height; ++y)
    for (std::size_t x = 0; x < image.width; ++x)
      plane.at(x, y) = has_color(image.channels) ? static_cast<std::uint8_t>(slow_y(pixel(x, y))) : *pixel(x, y);
  Plane mapped = slow_clahe(plane, options);
  for (std::size_t y = 0; y < image.height; ++y)
    for (std::size_t x = 0; x < image.width; ++x) {
      Lut lut;
      lut[plane.at(x, y)] = mapped.at(x, y);
      if (has_color(image.channels))
        slow_replace_luma(pixel(x, y), lut);
      else
        *pixel(x, y) = mapped.at(x, y);
    }
}

}  // namespace gpuhisto::test
