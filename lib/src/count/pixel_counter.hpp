// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "count/plane_counter.hpp"
#include "count/split.hpp"
#include "gpuhisto/histogram.hpp"

namespace gpuhisto::count {

/// Counts runs of interleaved pixels, all of them, on one thread. Runs are split into planes in a small buffer, which
/// is counted when it is full; long runs of gray are counted where they lie.
class PixelCounter {
 public:
  struct Settings {
    int channels = 1;
    ChannelSet wanted;  ///< of the image's channels
    LumaRule luma = LumaRule::kBt601;
    SplitFunction split = best_split();
    CountPolicy policy;
  };
  explicit PixelCounter(const Settings& settings);

  /// Reads exactly n * channels bytes.
  void add(const std::uint8_t* pixels, std::size_t n);
  /// Adds the counts so far to `sum` and starts again from zero.
  void drain(ImageHistogram& sum);
  std::uint64_t folds() const;  ///< of all planes; for tests

 private:
  /// Five planes of this many pixels leave most of a 32 KiB first-level cache to the tables.
  static constexpr std::size_t kStaged = 2048;

  void stage(const std::uint8_t* pixels, std::size_t n);
  void flush();

  Settings settings_;
  LumaFormula formula_;
  std::vector<Channel> channels_;       // those counted
  std::vector<PlaneCounter> counters_;  // one for each
  std::vector<std::uint8_t> planes_;    // kStaged bytes for each
  Planes targets_;
  std::size_t staged_ = 0;
  std::uint64_t pixels_ = 0;
};

}  // namespace gpuhisto::count
