// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What launchers of keys share, beyond methods/launching.hpp.
#pragma once

#include "device/block_key_bins.hpp"
#include "methods/keys/key_method.hpp"
#include "methods/launching.hpp"

namespace gpuhisto::kernels {

/// What every kernel of keys takes.
struct KeyArguments {
  PixelView view;
  RowPlan plan;
  BinNumbers numbers;
  KeyResult to;
  std::uint32_t window = 0;   ///< bins that a block counts
  std::uint32_t windows = 1;  ///< blocks take turns at them
  unsigned replicas = 1;
};

template <typename Rule>
struct RuleTag {
  using type = Rule;
};

/// Calls use(RuleTag<R>) with the rule that the task needs.
template <typename Use>
auto with_rule(const KeyTask& task, Use use) {
  if (task.rule == GPUHISTO_BIN_RANGE) return use(RuleTag<RangeRule>{});
  if ((task.bins & (task.bins - 1)) == 0) return use(RuleTag<MaskRule>{});
  return use(RuleTag<ModuloRule>{});
}

/// The task as pixels of 4 bytes: what shapes of launches go by.
CountTask shape_of(const KeyTask& task);

/// For a launch of that shape, whose kernel reads `loads` vectors at a time and adds to a cleared result.
KeyArguments key_arguments(const KeyTask& task, const KernelPolicy& policy, const LaunchShape& shape, unsigned loads,
                           const LaunchContext& context);

/// Sets block, blocks, replicas, lanes, loads and bound where they are zero.
void tune_keys(const KeyTask& task, const DeviceTraits& device, std::uint32_t block, KernelPolicy& policy);

/// "" or why no method can launch with this policy.
std::string check_key_policy(const KeyTask& task, const KernelPolicy& policy, const DeviceTraits& device);
/// "" or that a block's shared memory does not hold the copies of the bins.
std::string check_shared_bins(const KeyTask& task, const KernelPolicy& policy, const DeviceTraits& device);

/// Zeroes the next launch's bins, for kernels that do not; without next bins, the task's own.
void clear_key_bins(const KeyTask& task, const LaunchContext& context);

}  // namespace gpuhisto::kernels
