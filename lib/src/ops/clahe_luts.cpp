// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "ops/clahe_luts.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "count/tables.hpp"
#include "gpuhisto/parallel.hpp"
#include "ops/luma_row.hpp"
#include "ops/parts.hpp"

namespace gpuhisto::ops {

const std::uint8_t* GrayRuns::of(const std::uint8_t* pixels, std::size_t count) {
  if (channels_ == 1) return pixels;
  luma_row(LumaRule::kYcrcb14, channels_, pixels, count, gray_);
  return gray_;
}

namespace {

/// Counts the values of one tile.
class TileCounter {
 public:
  TileCounter(const ImageView& image, const ClaheGrid& grid) : image_(image), grid_(grid), runs_(image.channels) {}

  /// Rows [begin, end) of the extended image, in the columns of one tile.
  Histogram count(std::size_t column, std::size_t begin, std::size_t end) {
    const std::size_t left = column * grid_.tile_width, right = left + grid_.tile_width;
    Histogram bins{};
    for (std::size_t y = begin; y < end; ++y) {
      const std::uint8_t* row = image_.row(y < grid_.height ? y : mirrored(y, grid_.height));
      for (std::size_t x = left, inside = std::min(right, grid_.width); x < inside;) {
        const std::size_t size = std::min(inside - x, runs_.most());
        add(row + x * pixel_, size, bins);
        x += size;
      }
      for (std::size_t x = std::max(left, grid_.width); x < right; ++x)
        add(row + mirrored(x, grid_.width) * pixel_, 1, bins);
    }
    fold(bins);
    return bins;
  }

 private:
  void add(const std::uint8_t* pixels, std::size_t count, Histogram& bins) {
    if (counted_ > UINT32_MAX - count) fold(bins);
    count::count_bytes(runs_.of(pixels, count), count, tables_.data());
    counted_ += count;
  }
  void fold(Histogram& bins) {
    count::fold_bytes(tables_.data(), bins.data());
    tables_.fill(0);
    counted_ = 0;
  }

  const ImageView& image_;
  const ClaheGrid& grid_;
  const std::size_t pixel_ = static_cast<std::size_t>(image_.channels);
  GrayRuns runs_;
  std::uint64_t counted_ = 0;  // since the last fold: no counter is above
  std::array<std::uint32_t, count::kByteTableSize> tables_{};
};

/// Rows of tiles that several threads count a part of each.
class SharedTileRows {
 public:
  explicit SharedTileRows(const ClaheGrid& grid) : grid_(grid) {}

  /// Adds the counts of `rows` rows of pixels; true when the row of tiles is complete, which then is in `counts`.
  bool add(std::size_t tile_row, std::size_t rows, std::vector<Histogram>& counts) {
    const std::lock_guard lock(mutex_);
    Part& part = parts_[tile_row];
    part.counts.resize(counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i)
      for (std::size_t v = 0; v < kBins; ++v) part.counts[i][v] += counts[i][v];
    part.rows += rows;
    if (part.rows < grid_.tile_height) return false;
    counts = std::move(part.counts);
    parts_.erase(tile_row);
    return true;
  }

 private:
  struct Part {
    std::size_t rows = 0;
    std::vector<Histogram> counts;
  };
  const ClaheGrid& grid_;
  std::mutex mutex_;
  std::map<std::size_t, Part> parts_;
};

}  // namespace

std::vector<Lut> make_clahe_luts(const ImageView& image, const ClaheGrid& grid, std::uint64_t bin_limit, int threads) {
  std::vector<Lut> luts(grid.across * grid.down);
  SharedTileRows shared(grid);
  const std::size_t rows = grid.extended_height();
  fork_join(rows, parts_for(grid.width * grid.height, threads), [&](int, std::size_t begin, std::size_t end) {
    TileCounter counter(image, grid);
    std::vector<Histogram> counts(grid.across);
    while (begin < end) {
      const std::size_t tile_row = begin / grid.tile_height;
      const std::size_t stop = std::min(end, (tile_row + 1) * grid.tile_height);
      for (std::size_t column = 0; column < grid.across; ++column) counts[column] = counter.count(column, begin, stop);
      if (stop - begin == grid.tile_height || shared.add(tile_row, stop - begin, counts))
        for (std::size_t column = 0; column < grid.across; ++column)
          luts[tile_row * grid.across + column] = make_clahe_lut(counts[column], grid.tile_area(), bin_limit);
      begin = stop;
    }
  });
  return luts;
}

}  // namespace gpuhisto::ops
