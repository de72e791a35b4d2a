// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// per-grid: one global atomic per channel and pixel, one pixel at a time.
// Idea: the whole grid shares one histogram in global memory; the L2 cache orders the updates.
// Wins when: never on a large image; it is what everything else is measured against.
// Loses when: values repeat, since updates of one address queue up.
// Limits: any image; 32-bit counters, hence at most 2^31 pixels a launch.
// Source: the first kernel of every histogram chapter (N. Wilt, The CUDA Handbook, ch. 15: "per-grid").
#include "device/global_bins.hpp"
#include "methods/launching.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr std::uint32_t kBlock = 256;

template <typename Format>
__global__ void GPUHISTO_LAUNCH_BOUNDS(1024, 1) per_grid_kernel(CountArguments a) {
  const typename Format::Luma luma(a.luma);
  GlobalBins<Format> bins(a.bins);
  PixelWalk walk(a.view, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
  for (; walk.inside(); walk.next()) visit_pixel<Format>(load_pixel_at<Format>(a.view, walk), luma, bins);
}

std::string refusal(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  if (task.mask) return "per-grid takes no mask";
  return check_policy(task, policy, device);
}

void tune(const CountTask& task, const DeviceTraits& device, KernelPolicy& policy) {
  tune_common(task, device, kBlock, policy);
}

LaunchInfo describe(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  return with_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    const unsigned blocks = grid_for(pixels_of(task), policy.block, policy, device);
    return LaunchInfo{address_of(per_grid_kernel<Format>), "per_grid_kernel", {blocks, policy.block, 0}, 1};
  });
}

void run(const CountTask& task, const KernelPolicy& policy, LaunchContext& context) {
  launch_one_kernel(task, policy, describe(task, policy, context.device).shape, context,
                    [](auto tag) { return per_grid_kernel<typename decltype(tag)::type>; });
}

}  // namespace

const Method& per_grid_method() {
  static constexpr Method kMethod = {per_grid_names, refusal, tune, describe, run};
  return kMethod;
}

}  // namespace gpuhisto::kernels
