// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// One line of work on a device. Lanes run side by side: while one copies pixels in, another counts.
#pragma once

#include <memory>
#include <vector>

#include "engine/result_ring.hpp"
#include "methods/per_block/batch.hpp"
#include "methods/registry.hpp"
#include "plugin.h"

namespace gpuhisto::kernels {

inline constexpr std::size_t kResultWords = std::size_t{kChannels} * kBins;
inline constexpr std::size_t kResultBytes = sizeof(std::uint32_t) * kResultWords;
inline constexpr unsigned kMostPending = 256;  ///< images' results on the device before they are fetched

struct Lane {
  Stream stream;
  ResultRing ring{kResultWords, kMostPending + 1};
  DeviceBuffer workspace;
  DeviceBuffer bins;  ///< of a batch, or of keys with many bins
  PinnedBuffer results;
};

/// Counts what lies on the device: cut into launches that 32-bit counters hold, or many small images in one launch.
/// Counts are pending until fetch() has queued their way to the host, the stream has got there, and add() is called.
class LaneCounter {
 public:
  /// Of the request, the strips are not looked at; `method` and `policy` must stay until the last launch.
  LaneCounter(const DeviceTraits& device, Lane& lane, const gpuhisto_count& request);

  /// Whether strips like this one may share a launch.
  bool batchable(const gpuhisto_strip& strip) const;
  /// `strip.bins` get the counts.
  void count(const gpuhisto_strip& strip);
  /// Up to kMostPending images that are batchable; `items` lie on the device, in the order of their strips.
  void count_batch(const per_block::BatchItem* items, const gpuhisto_strip* strips, unsigned strips_count);

  void fetch();
  void add();
  void fetch_and_add() {
    fetch();
    lane_.stream.wait();
    add();
  }
  /// Null until something was launched.
  const Method* counted_by() const { return counted_by_; }
  const CountTask& format() const { return format_; }

 private:
  void count_flat(CountTask task, std::uint64_t pixels, std::uint64_t most, std::uint64_t* bins);
  void launch_one(const CountTask& task, std::uint64_t* bins);
  std::uint64_t bound(const CountTask& task) const;

  const DeviceTraits& device_;
  Lane& lane_;
  const gpuhisto_count& request_;
  CountTask format_;
  const Method* counted_by_ = nullptr;
  std::vector<std::uint64_t*> pending_;  // where the counts of each launch, or of each image of a batch, go
  unsigned first_pending_ = 0;           // their place in the ring
  bool batch_ = false;                   // what is pending
};

}  // namespace gpuhisto::kernels
