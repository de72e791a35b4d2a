// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// wave-aggregated for keys: lanes of a wave that have the same bin combine first; one of them issues the global atomic.
// Idea: a ballot for each bit of a bin's number tells each lane which others have its bin; the lowest adds their
// number. Wins when: most lanes agree (constant, two-level, hot keys), against per-grid. Loses when: bins differ; and
// it makes up to 32 ballots a key when there are many bins. Limits: any number of bins that memory holds; the whole
// wave takes part in each step. Source: the third attempt of the MI300X histogram study; here by ballots, which every
// GPU has.
#include "methods/keys/launching.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr std::uint32_t kBlock = 256;

template <typename Rule>
__global__ void GPUHISTO_LAUNCH_BOUNDS(1024, 1) wave_aggregated_keys_kernel(KeyArguments a) {
  const Rule rule(a.numbers, {});
  const LaneMask below = (LaneMask{1} << (threadIdx.x % warpSize)) - 1;
  unsigned bits = 0;  // of a bin's number
  while (bits < 32 && a.to.last >> bits != 0) ++bits;
  PixelWalk walk(a.view, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
  for (std::uint32_t round = 0; round < walk.rounds(); ++round, walk.next()) {
    const bool inside = walk.inside();
    std::uint32_t bin = 0;
    const bool counts = rule.bin(inside ? load_pixel_at<KeyFormat>(a.view, walk) : 0, bin) && inside;
    LaneMask same = wave_ballot(counts);
    for (unsigned bit = 0; bit < bits; ++bit) {
      const bool set = (bin >> bit & 1u) != 0;
      const LaneMask with = wave_ballot(set);
      same &= set ? with : ~with;
    }
    if (counts && (same & below) == 0) atomicAdd(&a.to.bins[bin], wave_population(same));
  }
}

void tune(const KeyTask& task, const DeviceTraits& device, KernelPolicy& policy) {
  tune_keys(task, device, kBlock, policy);
}

LaunchInfo describe(const KeyTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  return with_rule(task, [&](auto tag) {
    using Rule = typename decltype(tag)::type;
    const unsigned blocks = grid_for(task.keys(), policy.block, policy, device);
    return LaunchInfo{
        address_of(wave_aggregated_keys_kernel<Rule>), "wave_aggregated_keys_kernel", {blocks, policy.block, 0}, 1};
  });
}

void run(const KeyTask& task, const KernelPolicy& policy, LaunchContext& context) {
  clear_key_bins(task, context);
  if (task.keys() == 0) return;
  const LaunchShape shape = describe(task, policy, context.device).shape;
  with_rule(task, [&](auto tag) {
    using Rule = typename decltype(tag)::type;
    launch(wave_aggregated_keys_kernel<Rule>, shape, context.stream(), key_arguments(task, policy, shape, 1, context));
  });
}

}  // namespace

const KeyMethod& wave_aggregated_keys() {
  static constexpr KeyMethod kMethod = {wave_aggregated_names.name, check_key_policy, tune, describe, run};
  return kMethod;
}

}  // namespace gpuhisto::kernels
