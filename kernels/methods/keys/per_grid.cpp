// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// per-grid for keys: one global atomic per key, one key at a time.
// Idea: the whole grid shares the bins in global memory; the L2 cache orders the updates.
// Wins when: there are about as many bins as keys, so that updates hardly meet: then nothing is gained by bins per
// block. Loses when: keys repeat, since updates of one address queue up. Limits: any number of bins that memory holds;
// at most 2^31 keys a launch. Source: step 1 of AMD's HIP tutorial on histograms (block=256, grid = keys / 256),
// LeetCUDA's "i32".
#include "device/global_key_bins.hpp"
#include "methods/keys/launching.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr std::uint32_t kBlock = 256;

template <typename Rule>
__global__ void GPUHISTO_LAUNCH_BOUNDS(1024, 1) per_grid_keys_kernel(KeyArguments a) {
  GlobalKeyBins<Rule> bins(Rule(a.numbers, {}), a.to.bins);
  PixelWalk walk(a.view, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
  for (; walk.inside(); walk.next()) bins.count_key(load_pixel_at<KeyFormat>(a.view, walk));
}

void tune(const KeyTask& task, const DeviceTraits& device, KernelPolicy& policy) {
  tune_keys(task, device, kBlock, policy);
}

LaunchInfo describe(const KeyTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  return with_rule(task, [&](auto tag) {
    using Rule = typename decltype(tag)::type;
    const unsigned blocks = grid_for(task.keys(), policy.block, policy, device);
    return LaunchInfo{address_of(per_grid_keys_kernel<Rule>), "per_grid_keys_kernel", {blocks, policy.block, 0}, 1};
  });
}

void run(const KeyTask& task, const KernelPolicy& policy, LaunchContext& context) {
  clear_key_bins(task, context);
  if (task.keys() == 0) return;
  const LaunchShape shape = describe(task, policy, context.device).shape;
  with_rule(task, [&](auto tag) {
    using Rule = typename decltype(tag)::type;
    launch(per_grid_keys_kernel<Rule>, shape, context.stream(), key_arguments(task, policy, shape, 1, context));
  });
}

}  // namespace

const KeyMethod& per_grid_keys() {
  static constexpr KeyMethod kMethod = {per_grid_names.name, check_key_policy, tune, describe, run};
  return kMethod;
}

}  // namespace gpuhisto::kernels
