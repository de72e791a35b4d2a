// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// per-grid-vec4 for keys: one global atomic per key, four keys a load.
// Idea: the same updates as per-grid, a quarter of the load instructions.
// Wins when: never by much; it shows that loads are not what per-grid waits for.
// Loses when: keys repeat, as per-grid.
// Limits: any number of bins that memory holds; at most 2^31 keys a launch.
// Source: LeetCUDA's "i32x4" (block=64, grid = keys / 256), and the second attempt of the MI300X histogram study.
#include "device/global_key_bins.hpp"
#include "methods/keys/launching.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr std::uint32_t kBlock = 256;

template <typename Rule>
__global__ void GPUHISTO_LAUNCH_BOUNDS(1024, 1) per_grid_vec4_keys_kernel(KeyArguments a) {
  GlobalKeyBins<Rule> bins(Rule(a.numbers, {}), a.to.bins);
  read_keys<1>(a.view, a.plan, bins);
}

void tune(const KeyTask& task, const DeviceTraits& device, KernelPolicy& policy) {
  tune_keys(task, device, kBlock, policy);
}

LaunchInfo describe(const KeyTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  return with_rule(task, [&](auto tag) {
    using Rule = typename decltype(tag)::type;
    const unsigned blocks = grid_for(task.keys(), std::uint64_t{policy.block} * KeyFormat::kUnitPixels, policy, device);
    return LaunchInfo{
        address_of(per_grid_vec4_keys_kernel<Rule>), "per_grid_vec4_keys_kernel", {blocks, policy.block, 0}, 1};
  });
}

void run(const KeyTask& task, const KernelPolicy& policy, LaunchContext& context) {
  clear_key_bins(task, context);
  if (task.keys() == 0) return;
  const LaunchShape shape = describe(task, policy, context.device).shape;
  with_rule(task, [&](auto tag) {
    using Rule = typename decltype(tag)::type;
    launch(per_grid_vec4_keys_kernel<Rule>, shape, context.stream(), key_arguments(task, policy, shape, 1, context));
  });
}

}  // namespace

const KeyMethod& per_grid_vec4_keys() {
  static constexpr KeyMethod kMethod = {per_grid_vec4_names.name, check_key_policy, tune, describe, run};
  return kMethod;
}

}  // namespace gpuhisto::kernels
