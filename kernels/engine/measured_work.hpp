// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What a measurement launches: prepared once, launched many times.
#pragma once

#include <memory>

#include "engine/engine.hpp"

namespace gpuhisto::kernels {

class MeasuredWork {
 public:
  virtual ~MeasuredWork() = default;
  /// One launch, on data `offset` bytes further; `between` is recorded between two kernels, if there are two.
  virtual void launch(std::uint64_t offset, Event* between) = 0;
  virtual bool two_kernels() const { return false; }
  /// The counts of the last launch, if it counts.
  virtual void fetch_bins(std::uint64_t*) {}
};

/// Throws DeviceError when the request makes no sense or cannot be served in one launch.
std::unique_ptr<MeasuredWork> make_measured_work(Engine& engine, const gpuhisto_measure& request);

}  // namespace gpuhisto::kernels
