// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// per-grid-vec4: one global atomic per channel and pixel, with 16-byte loads.
// Idea: the same updates as per-grid, a sixteenth of the load instructions.
// Wins when: never; it shows that loads are not what per-grid waits for.
// Loses when: values repeat, as per-grid.
// Limits: any image; 32-bit counters, hence at most 2^31 pixels a launch.
// Source: LeetCUDA's "i32x4" kernel, and the second attempt of the MI300X histogram study.
#include "device/global_bins.hpp"
#include "methods/launching.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr std::uint32_t kBlock = 256;

template <typename Format>
__global__ void GPUHISTO_LAUNCH_BOUNDS(1024, 1) per_grid_vec4_kernel(CountArguments a) {
  const typename Format::Luma luma(a.luma);
  GlobalBins<Format> bins(a.bins);
  read_rows<Format, 1>(a.view, a.plan, team_of_grid(a.plan), luma, bins);
}

std::string refusal(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  if (task.mask) return "per-grid-vec4 takes no mask";
  return check_policy(task, policy, device);
}

void tune(const CountTask& task, const DeviceTraits& device, KernelPolicy& policy) {
  tune_common(task, device, kBlock, policy);
}

LaunchInfo describe(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  return with_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    const unsigned blocks =
        grid_for(pixels_of(task), std::uint64_t{policy.block} * Format::kUnitPixels, policy, device);
    return LaunchInfo{address_of(per_grid_vec4_kernel<Format>), "per_grid_vec4_kernel", {blocks, policy.block, 0}, 1};
  });
}

void run(const CountTask& task, const KernelPolicy& policy, LaunchContext& context) {
  launch_one_kernel(task, policy, describe(task, policy, context.device).shape, context,
                    [](auto tag) { return per_grid_vec4_kernel<typename decltype(tag)::type>; });
}

}  // namespace

const Method& per_grid_vec4_method() {
  static constexpr Method kMethod = {per_grid_vec4_names, refusal, tune, describe, run};
  return kMethod;
}

}  // namespace gpuhisto::kernels
