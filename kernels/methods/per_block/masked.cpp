// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// per-block where a mask chooses the pixels: one pixel and one mask byte at a time. Masks are rare and made by people,
// so this form is for being right in every shape, not for speed.
#include "methods/per_block/forms.hpp"
#include "methods/per_block/kernel.hpp"

namespace gpuhisto::kernels::per_block {
namespace {

struct MaskArguments {
  CountArguments count;
  const std::uint8_t* mask = nullptr;
  std::size_t mask_pitch = 0;
};

template <typename Format>
__global__ void GPUHISTO_LAUNCH_BOUNDS(kMostThreads, 1) per_block_masked_kernel(MaskArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  BlockBins<Format, 0> bins(shared, a.count.replicas);
  bins.clear();
  __syncthreads();
  const typename Format::Luma luma(a.count.luma);
  PixelWalk walk(a.count.view, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
  for (; walk.inside(); walk.next())
    if (a.mask[walk.row() * a.mask_pitch + walk.column()] != 0)
      visit_pixel<Format>(load_pixel_at<Format>(a.count.view, walk), luma, bins);
  complete_result<Format>(bins, {a.count.bins, a.count.next});
}

}  // namespace

LaunchInfo describe_masked(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  return with_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    const LaunchShape shape = {grid_for(pixels_of(task), policy.block, policy, device), policy.block,
                               block_bins_bytes(Format::kSlots, policy.replicas)};
    return LaunchInfo{address_of(per_block_masked_kernel<Format>), "per_block_masked_kernel", shape, 1};
  });
}

void run_masked(const CountTask& task, const KernelPolicy& policy, LaunchContext& context) {
  const LaunchShape shape = describe_masked(task, policy, context.device).shape;
  with_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    const MaskArguments a = {zeroing_arguments<Format>(task, policy, 1, shape.blocks, context), task.mask,
                             task.mask_pitch};
    launch(per_block_masked_kernel<Format>, shape, context.stream(), a);
  });
}

}  // namespace gpuhisto::kernels::per_block
