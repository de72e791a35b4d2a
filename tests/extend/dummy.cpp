// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// dummy: one block counts the whole image, a global atomic a pixel. Shows, and tests, what adding a method takes.
// Idea: what per-grid does, by as few threads as a device can run together.
// Wins when: never.
// Loses when: the device has more than one multiprocessor.
// Limits: any image, no mask; 32-bit counters, hence at most 2^31 pixels a launch.
#include "device/global_bins.hpp"
#include "methods/launching.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr std::uint32_t kBlock = 64;

template <typename Format>
__global__ void GPUHISTO_LAUNCH_BOUNDS(1024, 1) dummy_kernel(CountArguments a) {
  const typename Format::Luma luma(a.luma);
  GlobalBins<Format> bins(a.bins);
  PixelWalk walk(a.view, threadIdx.x, blockDim.x);
  for (; walk.inside(); walk.next()) visit_pixel<Format>(load_pixel_at<Format>(a.view, walk), luma, bins);
}

std::string refusal(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  if (task.mask) return "dummy takes no mask";
  if (policy.grid > 1) return "dummy is one block";
  return check_policy(task, policy, device);
}

void tune(const CountTask& task, const DeviceTraits& device, KernelPolicy& policy) {
  tune_common(task, device, kBlock, policy);
}

LaunchInfo describe(const CountTask& task, const KernelPolicy& policy, const DeviceTraits&) {
  return with_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    return LaunchInfo{address_of(dummy_kernel<Format>), "dummy_kernel", {1, policy.block, 0}, 1};
  });
}

void run(const CountTask& task, const KernelPolicy& policy, LaunchContext& context) {
  launch_one_kernel(task, policy, describe(task, policy, context.device).shape, context,
                    [](auto tag) { return dummy_kernel<typename decltype(tag)::type>; });
}

}  // namespace

const Method& dummy_method() {
  static constexpr Method kMethod = {dummy_names, refusal, tune, describe, run};
  return kMethod;
}

}  // namespace gpuhisto::kernels
