// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// per-block for pixels without gaps. Head and tail are dealt once, the body starts on a 128-byte line.
//
// Tuned on one H200 (Nov 2026, CUDA 13.0): 1024 threads, 2 blocks, 32 copies, 2 vectors of 16 bytes in flight. Fewer
// copies depend on the data (1 copy: ramp at 22 % of the read rate); 4 vectors in flight spill at 2048 threads.
#include <type_traits>

#include "device/rgb_tiles.hpp"
#include "methods/per_block/forms.hpp"
#include "methods/per_block/kernel.hpp"

namespace gpuhisto::kernels::per_block {
namespace {

template <typename Format, unsigned kReplicas, unsigned kLoads>
__global__ void GPUHISTO_LAUNCH_BOUNDS(kMostThreads, resident_blocks<Format>())
    per_block_flat_kernel(CountArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  BlockBins<Format, kReplicas> bins(shared, a.replicas);
  bins.clear();
  __syncthreads();
  const typename Format::Luma luma(a.luma);
  if constexpr (Format::kPixelBytes == 3)
    read_rgb_tiles<Format, kLoads>(a.view, luma, bins);
  else
    read_flat<Format, kLoads>(a.view, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x, luma, bins);
  complete_result<Format>(bins, {a.bins, a.next});
}

/// The most units in flight that a format comes with, from 1 by doubling: what was measured when the policies were
/// tuned. Other formats have their own number only.
template <typename Format>
constexpr unsigned kMostLoads = std::is_same_v<Format, GrayFormat>                             ? 4
                                : std::is_same_v<Format, RgbFormat<WeightedLuma>>              ? 2
                                : std::is_same_v<Format, RgbaFormat<WeightedLuma, Take::kAll>> ? 8
                                                                                               : 0;

template <typename Format>
auto* kernel_for(const KernelPolicy& policy) {
  if (policy.replicas != kTunedReplicas) return per_block_flat_kernel<Format, 0, Format::kLoads>;
  if constexpr (kMostLoads<Format> >= 2) {
    if (policy.loads == 1) return per_block_flat_kernel<Format, kTunedReplicas, 1>;
    if (policy.loads == 2) return per_block_flat_kernel<Format, kTunedReplicas, 2>;
  }
  if constexpr (kMostLoads<Format> >= 4)
    if (policy.loads == 4) return per_block_flat_kernel<Format, kTunedReplicas, 4>;
  if constexpr (kMostLoads<Format> >= 8)
    if (policy.loads == 8) return per_block_flat_kernel<Format, kTunedReplicas, 8>;
  return per_block_flat_kernel<Format, kTunedReplicas, Format::kLoads>;
}

}  // namespace

bool has_loads(const CountTask& task, const KernelPolicy& policy) {
  return with_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    if (policy.loads == Format::kLoads) return true;
    const bool power = (policy.loads & (policy.loads - 1)) == 0 && policy.loads <= kMostLoads<Format>;
    return power && policy.replicas == kTunedReplicas && flat_fits(task);
  });
}

bool flat_fits(const CountTask& task) {
  return task.view.rows == 1 && with_format(task, [&](auto tag) {
           return can_align<typename decltype(tag)::type>(reinterpret_cast<std::uintptr_t>(task.view.data));
         });
}

LaunchInfo describe_flat(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  return with_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    const std::uint64_t per_block = std::uint64_t{policy.block} * Format::kUnitPixels * policy.loads;
    const LaunchShape shape = {grid_for(pixels_of(task), per_block, policy, device), policy.block,
                               block_bins_bytes(Format::kSlots, policy.replicas)};
    return LaunchInfo{address_of(kernel_for<Format>(policy)), "per_block_flat_kernel", shape, 1};
  });
}

void run_flat(const CountTask& task, const KernelPolicy& policy, LaunchContext& context) {
  const LaunchShape shape = describe_flat(task, policy, context.device).shape;
  with_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    launch(kernel_for<Format>(policy), shape, context.stream(),
           zeroing_arguments<Format>(task, policy, policy.loads, shape.blocks, context));
  });
}

}  // namespace gpuhisto::kernels::per_block
