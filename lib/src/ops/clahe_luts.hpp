// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <vector>

#include "ops/clahe_grid.hpp"

namespace gpuhisto::ops {

/// The gray values of pixels, or the Y of YCrCb, some at a time.
class GrayRuns {
 public:
  static constexpr std::size_t kMost = 1024;  ///< pixels of a run that is not gray already

  explicit GrayRuns(int channels) : channels_(channels) {}
  /// Pixels that may be asked for at once.
  std::size_t most() const { return channels_ == 1 ? std::size_t{1} << 30 : kMost; }
  /// Of `count` pixels; stays until the next call.
  const std::uint8_t* of(const std::uint8_t* pixels, std::size_t count);

 private:
  int channels_;
  std::uint8_t gray_[kMost];
};

/// The maps of all tiles, row by row.
std::vector<Lut> make_clahe_luts(const ImageView& image, const ClaheGrid& grid, std::uint64_t bin_limit, int threads);

}  // namespace gpuhisto::ops
