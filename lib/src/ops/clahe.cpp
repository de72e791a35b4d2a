// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Between four centres of tiles the maps that a pixel goes through are the same four: the image is worked on in such
// cells, so that the maps stay in the first-level cache, or in registers.
#include "gpuhisto/clahe.hpp"

#include <algorithm>

#include "gpuhisto/parallel.hpp"
#include "ops/clahe_luts.hpp"
#include "ops/clahe_map.hpp"
#include "ops/parts.hpp"

namespace gpuhisto {
namespace ops {
namespace {

/// Columns that lie between the same tiles, GrayRuns::kMost at most.
struct Columns {
  std::size_t begin = 0, end = 0;
  std::ptrdiff_t tile = 0;
  float weights[GrayRuns::kMost];
};

class ClaheMapper {
 public:
  ClaheMapper(const MutableImageView& image, const ClaheGrid& grid, const std::vector<Lut>& luts,
              const Kernels& kernels)
      : image_(image), grid_(grid), luts_(luts), kernels_(kernels), runs_(image.channels) {}

  void map(std::size_t begin, std::size_t end) {
    while (begin < end) {
      std::size_t stop = begin;
      const std::ptrdiff_t tile = row_place(begin).tile;
      while (stop < end && row_place(stop).tile == tile) ++stop;
      for (columns_.end = 0; columns_.end < grid_.width;) {
        find_columns();
        cell_.set(map_of(columns_.tile, tile), map_of(columns_.tile + 1, tile), map_of(columns_.tile, tile + 1),
                  map_of(columns_.tile + 1, tile + 1));
        for (std::size_t y = begin; y < stop; ++y) map_run(y);
      }
      begin = stop;
    }
  }

 private:
  BetweenTiles row_place(std::size_t y) const { return between_tiles(y, 1.0f / static_cast<float>(grid_.tile_height)); }

  /// Those from columns_.end on.
  void find_columns() {
    const float inverse = 1.0f / static_cast<float>(grid_.tile_width);
    const std::size_t last = std::min(columns_.end + GrayRuns::kMost, grid_.width);
    columns_.begin = columns_.end;
    columns_.tile = between_tiles(columns_.begin, inverse).tile;
    for (; columns_.end < last; ++columns_.end) {
      const BetweenTiles place = between_tiles(columns_.end, inverse);
      if (place.tile != columns_.tile) break;
      columns_.weights[columns_.end - columns_.begin] = place.weight;
    }
  }

  /// Beyond the outermost centres the tile at the edge stands for its neighbour.
  const Lut& map_of(std::ptrdiff_t column, std::ptrdiff_t row) const {
    const auto clamped = [](std::ptrdiff_t tile, std::size_t tiles) {
      return std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(tile, 0)), tiles - 1);
    };
    return luts_[clamped(row, grid_.down) * grid_.across + clamped(column, grid_.across)];
  }

  void map_run(std::size_t y) {
    const auto step = static_cast<std::size_t>(image_.channels);
    const std::size_t count = columns_.end - columns_.begin;
    std::uint8_t* pixels = image_.row(y) + columns_.begin * step;
    const float below = row_place(y).weight;
    if (step == 1) return kernels_.map_cell(pixels, pixels, count, cell_, columns_.weights, below);
    const std::uint8_t* gray = runs_.of(pixels, count);
    kernels_.map_cell(gray, mapped_, count, cell_, columns_.weights, below);
    if (has_color(image_.channels)) return kernels_.replace_luma(pixels, count, image_.channels, gray, mapped_);
    for (std::size_t i = 0; i < count; ++i) pixels[2 * i] = mapped_[i];
  }

  const MutableImageView& image_;
  const ClaheGrid& grid_;
  const std::vector<Lut>& luts_;
  const Kernels& kernels_;
  GrayRuns runs_;
  Columns columns_;
  CellMaps cell_;
  std::uint8_t mapped_[GrayRuns::kMost];
};

}  // namespace

void clahe(const MutableImageView& image, const ClaheOptions& options, const Kernels& kernels) {
  const ClaheGrid grid = clahe_grid(image.width, image.height, options);
  if (image.width == 0 || image.height == 0) return;
  const auto luts =
      make_clahe_luts(image, grid, clahe_bin_limit(grid.tile_area(), options.clip_limit), options.threads);
  fork_join(image.height, parts_for(image.width * image.height, options.threads),
            [&](int, std::size_t begin, std::size_t end) { ClaheMapper(image, grid, luts, kernels).map(begin, end); });
}

}  // namespace ops

std::uint64_t clahe_memory(const ClaheOptions& options) {
  // Each thread counts a row of tiles; those that share one add their counts up, in as many rows again at most.
  const std::uint64_t row = options.tiles_across * sizeof(Histogram);
  return options.tiles_across * options.tiles_down * sizeof(Lut) +
         2 * row * static_cast<std::uint64_t>(options.threads);
}

void clahe(const MutableImageView& image, const ClaheOptions& options) {
  ops::clahe(image, options, ops::kernels().back());
}

}  // namespace gpuhisto
