// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "methods/launching.hpp"

namespace gpuhisto::kernels::per_block {

/// Images of one launch are this small at most: larger ones fill the device on their own.
inline constexpr std::uint64_t kMostBatchedPixels = std::uint64_t{1} << 20;

/// One image of a batch: pixels without gaps.
struct BatchItem {
  const std::uint8_t* data = nullptr;
  std::uint32_t pixels = 0;
  std::uint32_t unused = 0;
};

/// Counts each item into its own kChannels x kBins of `results`, all in one launch. `items` and `results` are on the
/// device; `task` gives the format alone. The policy is the one that tune() made for such a task.
void run_batch(const CountTask& task, const KernelPolicy& policy, LaunchContext& context, const BatchItem* items,
               unsigned count);

}  // namespace gpuhisto::kernels::per_block
