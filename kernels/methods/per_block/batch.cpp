// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// per-block for many small images in one launch: a block takes a whole image, so results are stored, not added, and
// need no clearing.
#include "methods/per_block/batch.hpp"

#include "methods/per_block/kernel.hpp"

namespace gpuhisto::kernels::per_block {
namespace {

constexpr unsigned kTeam = 32;  // lanes that read a segment together

struct BatchArguments {
  const BatchItem* items = nullptr;
  unsigned count = 0;
  LumaWeights luma;
  std::uint32_t* results = nullptr;
  unsigned replicas = 1;
};

template <typename Format>
__global__ void GPUHISTO_LAUNCH_BOUNDS(kMostThreads, resident_blocks<Format>())
    per_block_batch_kernel(BatchArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  BlockBins<Format, 0> bins(shared, a.replicas);
  const typename Format::Luma luma(a.luma);
  const unsigned teams = blockDim.x / kTeam;
  for (unsigned i = blockIdx.x; i < a.count; i += gridDim.x) {
    const BatchItem item = a.items[i];
    const PixelView view = {item.data, item.pixels, 1, 0};
    const std::uint32_t units = (item.pixels + Format::kUnitPixels - 1) / Format::kUnitPixels;
    const std::uint32_t segments = (units + kTeam * Format::kLoads - 1) / (kTeam * Format::kLoads);
    RowPlan plan = {kTeam, segments > 0 ? segments : 1};
    plan.set_teams(teams);
    bins.clear();
    __syncthreads();
    read_rows<Format, Format::kLoads>(view, plan, threadIdx.x / kTeam, luma, bins);
    __syncthreads();
    std::uint32_t* result = a.results + std::size_t{i} * kChannels * kBins;
    for (unsigned k = threadIdx.x; k < kChannels * kBins; k += blockDim.x)
      if (!format_counts<Format>(k / kBins)) result[k] = 0;
    bins.merge(
        [&](unsigned slot, unsigned bin, std::uint32_t sum) { result[Format::channel(slot) * kBins + bin] = sum; });
    __syncthreads();
  }
}

}  // namespace

void run_batch(const CountTask& task, const KernelPolicy& policy, LaunchContext& context, const BatchItem* items,
               unsigned count) {
  const BatchArguments a = {items, count, luma_weights(task.luma), context.bins, policy.replicas};
  with_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    const LaunchShape shape = {std::min(count, policy.blocks * context.device.multiprocessors), policy.block,
                               block_bins_bytes(Format::kSlots, policy.replicas)};
    launch(per_block_batch_kernel<Format>, shape, context.stream(), a);
  });
}

}  // namespace gpuhisto::kernels::per_block
