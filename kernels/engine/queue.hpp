// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Counting in the background: start() returns as soon as copy and launches are queued, finish() waits and adds the
// counts. Each lane has one count at a time; counts of different lanes overlap.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/lane.hpp"

namespace gpuhisto::kernels {

class Queue {
 public:
  explicit Queue(const DeviceTraits& device) : device_(device), lanes_(GPUHISTO_LANES) {}

  /// The strips lie in one piece of host memory, which stays as it is until finish(); all between the first and the
  /// last is copied at once. After an exception nothing is under way in that lane.
  void start(gpuhisto_count& request, std::uint32_t lane);
  /// Nothing to do when nothing was started. Touches this lane alone: others may be started meanwhile.
  void finish(std::uint32_t lane);

 private:
  struct Started {
    Lane lane;
    DeviceBuffer pixels, items;
    PinnedBuffer host_items;
    Event done{Event::kSleeping};
    std::optional<LaneCounter> counter;
  };
  Started& at(std::uint32_t lane);
  void queue(Started& started, gpuhisto_count& request);

  const DeviceTraits& device_;
  std::vector<std::unique_ptr<Started>> lanes_;
};

}  // namespace gpuhisto::kernels
