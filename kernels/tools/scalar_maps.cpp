// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "tools/scalar_maps.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tools/report_device.hpp"

namespace gpuhisto::report {
namespace {

int clip(int v) { return std::clamp(v, 0, 255); }

using Table = std::array<std::uint8_t, 256>;

Table table_of(std::array<std::uint64_t, 256> bins, std::uint64_t area, std::uint64_t limit) {
  std::uint64_t over = 0;
  for (std::uint64_t& bin : bins)
    if (limit > 0 && bin > limit) over += bin - limit, bin = limit;
  for (std::uint64_t& bin : bins) bin += over / 256;
  for (std::uint64_t i = 0, rest = over % 256; i < rest; ++i) ++bins[i * (256 / rest)];
  Table table;
  std::uint64_t sum = 0;
  for (std::size_t v = 0; v < 256; ++v) {
    sum += bins[v];
    table[v] = static_cast<std::uint8_t>(std::nearbyint(static_cast<float>(sum) * (255.0f / static_cast<float>(area))));
  }
  return table;
}

std::uint64_t mirrored(std::uint64_t position, std::uint64_t size) {
  if (size == 1) return 0;
  const std::uint64_t rest = position % (2 * (size - 1));
  return rest < size ? rest : 2 * (size - 1) - rest;
}

struct Between {
  std::uint64_t first, second;
  float weight;
};
Between between(std::uint64_t position, std::uint64_t tile_size, std::uint64_t tiles) {
  const float at = static_cast<float>(position) * (1.0f / static_cast<float>(tile_size)) - 0.5f, tile = std::floor(at);
  return {static_cast<std::uint64_t>(std::max(tile, 0.0f)), std::min(static_cast<std::uint64_t>(tile + 1), tiles - 1),
          at - tile};
}

}  // namespace

int scalar_y(const std::uint8_t* rgb) { return (4899 * rgb[0] + 9617 * rgb[1] + 1868 * rgb[2] + 8192) >> 14; }

void replace_y(const std::uint8_t* rgb, int new_y, std::uint8_t* mapped) {
  const int y = scalar_y(rgb);
  const int cr = clip(((rgb[0] - y) * 11682 + (128 << 14) + 8192) >> 14) - 128;
  const int cb = clip(((rgb[2] - y) * 9241 + (128 << 14) + 8192) >> 14) - 128;
  mapped[0] = static_cast<std::uint8_t>(clip(new_y + ((22987 * cr + 8192) >> 14)));
  mapped[1] = static_cast<std::uint8_t>(clip(new_y + ((-11698 * cr - 5636 * cb + 8192) >> 14)));
  mapped[2] = static_cast<std::uint8_t>(clip(new_y + ((29049 * cb + 8192) >> 14)));
}

std::vector<std::uint8_t> scalar_clahe(const std::uint8_t* pixels, const gpuhisto_apply& request) {
  const std::uint64_t width = request.strips[0].width, height = request.strips[0].height;
  const std::uint64_t across = request.tiles_across, down = request.tiles_down;
  const std::uint64_t area = request.tile_width * request.tile_height;
  const auto gray = [&](std::uint64_t x, std::uint64_t y) {
    const std::uint8_t* p = pixels + (y * width + x) * request.channels;
    return static_cast<std::uint8_t>(request.channels == 1 ? *p : scalar_y(p));
  };
  std::vector<Table> tables(across * down);
  in_parallel(tables.size(), [&](unsigned, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t tile = begin; tile < end; ++tile) {
      std::array<std::uint64_t, 256> bins{};
      for (std::uint64_t i = 0; i < area; ++i) {
        const std::uint64_t x = tile % across * request.tile_width + i % request.tile_width;
        const std::uint64_t y = tile / across * request.tile_height + i / request.tile_width;
        ++bins[gray(mirrored(x, width), mirrored(y, height))];
      }
      tables[tile] = table_of(bins, area, request.bin_limit);
    }
  });
  std::vector<std::uint8_t> mapped(width * height * request.channels);
  in_parallel(height, [&](unsigned, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t y = begin; y < end; ++y)
      for (std::uint64_t x = 0; x < width; ++x) {
        const Between row = between(y, request.tile_height, down), column = between(x, request.tile_width, across);
        const auto entry = [&](std::uint64_t tile_row, std::uint64_t tile_column) {
          return static_cast<float>(tables[tile_row * across + tile_column][gray(x, y)]);
        };
        const float left = 1.0f - column.weight, above = 1.0f - row.weight;
        const float upper = entry(row.first, column.first) * left + entry(row.first, column.second) * column.weight;
        const float lower = entry(row.second, column.first) * left + entry(row.second, column.second) * column.weight;
        const auto value = static_cast<int>(std::nearbyint(upper * above + lower * row.weight));
        const std::uint64_t at = (y * width + x) * request.channels;
        if (request.channels == 1)
          mapped[at] = static_cast<std::uint8_t>(value);
        else
          replace_y(pixels + at, value, mapped.data() + at);
      }
  });
  return mapped;
}

}  // namespace gpuhisto::report
