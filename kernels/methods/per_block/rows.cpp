// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// per-block for rows with a pitch, or pixels that no 16-byte boundary meets. Teams of lanes take segments of rows, each
// row with its own head and tail.
//
// Tuned on one H200: teams of 32 from 1536 gray pixels a row on, else of 16.
#include "methods/per_block/forms.hpp"
#include "methods/per_block/kernel.hpp"

namespace gpuhisto::kernels::per_block {
namespace {

template <typename Format, unsigned kReplicas>
__global__ void GPUHISTO_LAUNCH_BOUNDS(kMostThreads, resident_blocks<Format>())
    per_block_rows_kernel(CountArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  BlockBins<Format, kReplicas> bins(shared, a.replicas);
  bins.clear();
  __syncthreads();
  const typename Format::Luma luma(a.luma);
  read_rows<Format, Format::kLoads>(a.view, a.plan, team_of_grid(a.plan), luma, bins);
  complete_result<Format>(bins, {a.bins, a.next});
}

template <typename Format>
auto* kernel_for(const KernelPolicy& policy) {
  return policy.replicas == kTunedReplicas ? per_block_rows_kernel<Format, kTunedReplicas>
                                           : per_block_rows_kernel<Format, 0>;
}

}  // namespace

LaunchInfo describe_rows(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  return with_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    const std::uint64_t per_block = std::uint64_t{policy.block} * Format::kUnitPixels * Format::kLoads;
    const LaunchShape shape = {grid_for(pixels_of(task), per_block, policy, device), policy.block,
                               block_bins_bytes(Format::kSlots, policy.replicas)};
    return LaunchInfo{address_of(kernel_for<Format>(policy)), "per_block_rows_kernel", shape, 1};
  });
}

void run_rows(const CountTask& task, const KernelPolicy& policy, LaunchContext& context) {
  const LaunchShape shape = describe_rows(task, policy, context.device).shape;
  with_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    launch(kernel_for<Format>(policy), shape, context.stream(),
           zeroing_arguments<Format>(task, policy, Format::kLoads, shape.blocks, context));
  });
}

}  // namespace gpuhisto::kernels::per_block
