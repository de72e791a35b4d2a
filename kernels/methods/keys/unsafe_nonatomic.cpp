// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// unsafe-nonatomic for keys: bins in shared memory with plain increments. Wrong on purpose.
// Idea: what happens when the atomics are left out: two lanes read the same counter, both add one, one update is lost.
// Limits: hidden, runs in measurements only; as many bins as a block's shared memory holds.
// Source: the lost update that every textbook's chapter on histograms begins with.
#include "device/global_key_bins.hpp"
#include "methods/keys/launching.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr std::uint32_t kBlock = 256;

template <typename Rule>
class PlainKeyBins {
 public:
  __device__ __forceinline__ PlainKeyBins(const Rule& rule, std::uint32_t* words) : rule_(rule), words_(words) {}
  __device__ __forceinline__ void count_key(std::uint32_t key) {
    std::uint32_t bin;
    if (rule_.bin(key, bin)) words_[bin] += 1;
  }

 private:
  Rule rule_;
  std::uint32_t* words_;
};

template <typename Rule>
__global__ void GPUHISTO_LAUNCH_BOUNDS(1024, 1) unsafe_nonatomic_keys_kernel(KeyArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  std::uint32_t* words = reinterpret_cast<std::uint32_t*>(shared);
  for (std::uint32_t i = threadIdx.x; i <= a.to.last; i += blockDim.x) words[i] = 0;
  __syncthreads();
  PlainKeyBins<Rule> bins(Rule(a.numbers, {}), words);
  read_keys<1>(a.view, a.plan, bins);
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i <= a.to.last; i += blockDim.x) atomicAdd(&a.to.bins[i], words[i]);
}

std::string refusal(const KeyTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  if (policy.replicas != 1) return "unsafe-nonatomic has one copy of the bins";
  const std::string reason = check_shared_bins(task, policy, device);
  return reason.empty() ? check_key_policy(task, policy, device) : reason;
}

void tune(const KeyTask& task, const DeviceTraits& device, KernelPolicy& policy) {
  tune_keys(task, device, kBlock, policy);
}

LaunchInfo describe(const KeyTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  return with_rule(task, [&](auto tag) {
    using Rule = typename decltype(tag)::type;
    const std::uint64_t per_block = std::uint64_t{policy.block} * KeyFormat::kUnitPixels;
    const LaunchShape shape = {grid_for(task.keys(), per_block, policy, device), policy.block,
                               block_key_bytes(task.bins, 1)};
    return LaunchInfo{address_of(unsafe_nonatomic_keys_kernel<Rule>), "unsafe_nonatomic_keys_kernel", shape, 1};
  });
}

void run(const KeyTask& task, const KernelPolicy& policy, LaunchContext& context) {
  clear_key_bins(task, context);
  if (task.keys() == 0) return;
  const LaunchShape shape = describe(task, policy, context.device).shape;
  with_rule(task, [&](auto tag) {
    using Rule = typename decltype(tag)::type;
    launch(unsafe_nonatomic_keys_kernel<Rule>, shape, context.stream(), key_arguments(task, policy, shape, 1, context));
  });
}

}  // namespace

const KeyMethod& unsafe_nonatomic_keys() {
  static constexpr KeyMethod kMethod = {unsafe_nonatomic_names.name, refusal, tune, describe, run};
  return kMethod;
}

}  // namespace gpuhisto::kernels
