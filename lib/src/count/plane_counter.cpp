// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "count/plane_counter.hpp"

#include <algorithm>
#include <utility>

namespace gpuhisto::count {
namespace {

constexpr std::size_t kClusters = 16, kPairsPerCluster = 8;  // a cluster is a cache line of values at most: few misses
constexpr std::size_t kSamples = kClusters * kPairsPerCluster;

struct Sample {
  std::size_t lines = 0;    ///< different cache lines of the wide table among kSamples pairs
  std::size_t repeats = 0;  ///< pairs equal to the one sampled before
};

Sample sample_pairs(const std::uint8_t* values, std::size_t n) {
  constexpr std::size_t kPairsPerLine = 16;
  std::uint64_t touched[kPairTableSize / kPairsPerLine / 64] = {};
  Sample sample;
  const std::size_t step = (n - 2 * kPairsPerCluster) / kClusters;
  unsigned last = 0x10000;
  for (std::size_t k = 0; k < kSamples; ++k) {
    const std::uint8_t* pair = values + k / kPairsPerCluster * step + 2 * (k % kPairsPerCluster);
    const unsigned index = pair[0] | static_cast<unsigned>(pair[1]) << 8;
    std::uint64_t& word = touched[index / kPairsPerLine / 64];
    const std::uint64_t bit = std::uint64_t{1} << (index / kPairsPerLine % 64);
    sample.lines += (word & bit) == 0;
    word |= bit;
    sample.repeats += index == last;
    last = index;
  }
  return sample;
}

}  // namespace

/// Looks at values just counted, which are in the cache: looking ahead cost up to a tenth of the time.
void PlaneCounter::look(const std::uint8_t* values, std::size_t n) {
  until_look_ = policy_.look_every;
  if (seen_ < policy_.bytes_first || n < 2 * kSamples) return;
  table_ = Table::kBytes;
  const Sample sample = sample_pairs(values, n);
  // One pair again and again: its one counter would be waited for, whereas eight tables of bytes share the work.
  if (sample.repeats > kSamples / 3) return;
  // Uniform values give about 126 lines, a photograph mostly 30 to 70; both tables are equally fast near 80.
  table_ = sample.lines > 80 ? Table::kNarrow : Table::kWide;
  if (table_ == Table::kWide && !wide_) wide_ = take_table<std::uint32_t>();
  if (table_ == Table::kNarrow && !narrow_) narrow_ = take_table<std::uint8_t>();
}

void PlaneCounter::add(const std::uint8_t* values, std::size_t n) {
  while (n > 0) {
    if (unfolded_ >= policy_.counter_limit) fold();
    const auto room = std::min<std::uint64_t>(until_look_, policy_.counter_limit - unfolded_);
    const std::size_t part = static_cast<std::size_t>(std::min<std::uint64_t>(n, room));
    count(values, part);
    seen_ += part;
    unfolded_ += part;
    until_look_ -= part;
    if (until_look_ == 0) look(values, part);
    values += part;
    n -= part;
  }
}

void PlaneCounter::count(const std::uint8_t* values, std::size_t n) {
  const std::size_t pairs = table_ == Table::kBytes ? 0 : n / kPairBlock * kPairBlock;
  if (pairs > 0 && table_ == Table::kWide) count_wide(values, pairs, wide_.get());
  if (pairs > 0 && table_ == Table::kNarrow) count_narrow(values, pairs, narrow_.get(), bins_.data());
  count_bytes(values + pairs, n - pairs, bytes_);
}

void PlaneCounter::fold() {
  fold_bytes(bytes_, bins_.data());
  std::fill(std::begin(bytes_), std::end(bytes_), 0u);
  if (wide_) {
    fold_wide(wide_.get(), bins_.data());
    std::fill_n(wide_.get(), kPairTableSize, 0u);
  }
  if (narrow_) {
    fold_narrow(narrow_.get(), bins_.data());
    std::fill_n(narrow_.get(), kPairTableSize, std::uint8_t{0});
  }
  unfolded_ = 0;
  ++folds_;
}

void PlaneCounter::drain(Histogram& bins) {
  fold();
  for (std::size_t v = 0; v < kBins; ++v) bins[v] += bins_[v];
  bins_.fill(0);
  seen_ = 0;
  until_look_ = policy_.look_every;
  table_ = Table::kBytes;
  return_table(std::move(wide_));
  return_table(std::move(narrow_));
}

}  // namespace gpuhisto::count
