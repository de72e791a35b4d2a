// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "ops/clahe_grid.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "gpuhisto/error.hpp"

namespace gpuhisto::ops {
namespace {

void check(const ClaheOptions& options) {
  if (!std::isfinite(options.clip_limit) || options.clip_limit < 0)
    throw Error(ErrorKind::kUsage, "the clip limit must be a number from 0 on");
  for (const std::size_t tiles : {options.tiles_across, options.tiles_down})
    if (tiles < 1 || tiles > ClaheOptions::kMostTiles)
      throw Error(ErrorKind::kUsage, "the tiles must be 1 to " + std::to_string(ClaheOptions::kMostTiles) +
                                         " in each direction, not " + std::to_string(tiles));
}

/// Cuts the bins and spreads what was above the limit: the same for each bin, then one more for bins at equal
/// distances.
void clip(Histogram& histogram, std::uint64_t limit) {
  std::uint64_t excess = 0;
  for (std::uint64_t& bin : histogram) {
    if (bin <= limit) continue;
    excess += bin - limit;
    bin = limit;
  }
  for (std::uint64_t& bin : histogram) bin += excess / kBins;
  const std::size_t rest = excess % kBins;
  if (rest == 0) return;
  const std::size_t step = kBins / rest;
  for (std::size_t i = 0; i < rest; ++i) ++histogram[i * step];
}

}  // namespace

ClaheGrid clahe_grid(std::size_t width, std::size_t height, const ClaheOptions& options) {
  check(options);
  ClaheGrid grid{width, height, options.tiles_across, options.tiles_down, 0, 0};
  const std::size_t larger = width % grid.across == 0 && height % grid.down == 0 ? 0 : 1;
  grid.tile_width = width / grid.across + larger;
  grid.tile_height = height / grid.down + larger;
  return grid;
}

std::uint64_t clahe_bin_limit(std::uint64_t tile_area, double clip_limit) {
  if (!(clip_limit > 0)) return 0;
  // From 256 on no bin can be above it.
  const double limit = std::min(clip_limit, static_cast<double>(kBins)) * static_cast<double>(tile_area) / kBins;
  return std::max<std::uint64_t>(static_cast<std::uint64_t>(limit), 1);
}

Lut make_clahe_lut(Histogram histogram, std::uint64_t tile_area, std::uint64_t bin_limit) {
  if (bin_limit > 0) clip(histogram, bin_limit);
  const float scale = 255.0f / static_cast<float>(tile_area);
  Lut lut;
  std::uint64_t sum = 0;
  for (std::size_t v = 0; v < kBins; ++v) {
    sum += histogram[v];
    lut[v] = rounded(static_cast<float>(sum) * scale);
  }
  return lut;
}

}  // namespace gpuhisto::ops
