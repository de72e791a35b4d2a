// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// per-block has one form per shape of input; per_block.cpp chooses. Each launches on its own and leaves the whole
// result.
#pragma once

#include "methods/launching.hpp"

namespace gpuhisto::kernels::per_block {

/// One row without gaps: the fastest loop. Runs when flat_fits().
LaunchInfo describe_flat(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device);
void run_flat(const CountTask& task, const KernelPolicy& policy, LaunchContext& context);
bool flat_fits(const CountTask& task);
/// Whether the policy's number of units in flight is there for this task.
bool has_loads(const CountTask& task, const KernelPolicy& policy);

/// Rows with a pitch, any alignment.
LaunchInfo describe_rows(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device);
void run_rows(const CountTask& task, const KernelPolicy& policy, LaunchContext& context);

/// A mask chooses the pixels.
LaunchInfo describe_masked(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device);
void run_masked(const CountTask& task, const KernelPolicy& policy, LaunchContext& context);

/// Small gray images: few copies of the bins.
LaunchInfo describe_fused(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device);
void run_fused(const CountTask& task, const KernelPolicy& policy, LaunchContext& context);
bool fused_fits(const CountTask& task);
/// Threads of a block.
std::uint32_t fused_block(const CountTask& task);

}  // namespace gpuhisto::kernels::per_block
