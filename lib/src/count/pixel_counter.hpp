// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpuhisto/histogram.hpp"

namespace gpuhisto::count {

/// Counts runs of interleaved pixels, all of them, on one thread.
class PixelCounter {
 public:
  /// `wanted`: those of the image's channels to count.
  PixelCounter(int channels, ChannelSet wanted, LumaRule rule) : channels_(channels), rule_(rule) {
    counts_.channels = wanted;
  }
  /// Reads exactly n * channels bytes.
  void add(const std::uint8_t* pixels, std::size_t n);
  /// Adds the counts so far to `sum` and starts again from zero.
  void drain(ImageHistogram& sum);

 private:
  int channels_;
  LumaRule rule_;
  ImageHistogram counts_;
};

}  // namespace gpuhisto::count
