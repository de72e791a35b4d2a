// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// per-block-partial for keys: each block counts in shared memory and stores its sums in a slice of its own; a second
// kernel adds the slices up.
// Idea: no global atomics at all, and the result need not be cleared first.
// Wins when: global atomics are slow.
// Loses when: there are few keys: a second launch costs more than an atomic a bin and block.
// Limits: as many bins as a block's shared memory holds; at most 2^31 keys a launch.
// Source: step 3 of AMD's HIP tutorial on histograms (grid=4096,block=256,loads=4: 16 keys a thread, 4,096 slices).
#include "device/block_key_bins.hpp"
#include "device/global_key_bins.hpp"
#include "methods/keys/launching.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr std::uint32_t kBlock = 1024;
constexpr std::uint32_t kMostReplicas = 8;
constexpr std::uint32_t kLoads = 4;
constexpr unsigned kReduceBins = 8;    // of a block of the second kernel: a sector of memory
constexpr unsigned kReduceParts = 64;  // threads that share a bin

template <typename Rule>
__global__ void GPUHISTO_LAUNCH_BOUNDS(1024, 1) per_block_key_slices_kernel(KeyArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  BlockKeyBins<Rule, 0> bins(shared, Rule(a.numbers, {}), a.to.last + 1, a.replicas);
  bins.clear();
  __syncthreads();
  read_keys<kLoads>(a.view, a.plan, bins);
  __syncthreads();
  std::uint32_t* slice = a.to.bins + blockIdx.x * (std::size_t{a.to.last} + 1);
  bins.merge([&](std::uint32_t bin, std::uint32_t sum) { slice[bin] = sum; });
}

struct ReduceArguments {
  const std::uint32_t* slices = nullptr;
  unsigned count = 0;
  std::uint32_t bins = 0;
  std::uint32_t* result = nullptr;
};

/// A block adds up kReduceBins neighbouring bins, each by kReduceParts threads.
__global__ void GPUHISTO_LAUNCH_BOUNDS(kReduceBins* kReduceParts, 1) reduce_key_slices_kernel(ReduceArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  std::uint32_t* sums = reinterpret_cast<std::uint32_t*>(shared);
  const unsigned column = threadIdx.x % kReduceBins, part = threadIdx.x / kReduceBins;
  const std::uint32_t bin = blockIdx.x * kReduceBins + column;
  std::uint32_t sum = 0;
  if (bin < a.bins) {
#pragma unroll 4
    for (unsigned i = part; i < a.count; i += kReduceParts) sum += a.slices[std::size_t{i} * a.bins + bin];
  }
  sums[threadIdx.x] = sum;
  for (unsigned half = kReduceParts / 2; half > 0; half /= 2) {
    __syncthreads();
    if (part < half) sums[threadIdx.x] += sums[threadIdx.x + half * kReduceBins];
  }
  if (part == 0 && bin < a.bins) a.result[bin] = sums[column];
}

std::string refusal(const KeyTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  if (policy.loads != kLoads) return "loads=" + std::to_string(policy.loads) + ": per-block-partial has 4 alone";
  constexpr unsigned kReduceThreads = kReduceBins * kReduceParts;
  if (kReduceThreads > device.max_block_threads)
    return "the second kernel takes blocks of " + std::to_string(kReduceThreads) + " threads, a block can have " +
           std::to_string(device.max_block_threads);
  const std::string reason = check_shared_bins(task, policy, device);
  return reason.empty() ? check_key_policy(task, policy, device) : reason;
}

void tune(const KeyTask& task, const DeviceTraits& device, KernelPolicy& policy) {
  if (policy.replicas == 0) {
    policy.replicas = kMostReplicas;
    while (policy.replicas > 1 && 2 * block_key_bytes(task.bins, policy.replicas) > device.shared_per_block)
      policy.replicas /= 2;
  }
  if (policy.blocks == 0) policy.blocks = 1;  // four loads in flight take the registers of two
  if (policy.loads == 0) policy.loads = kLoads;
  tune_keys(task, device, kBlock, policy);
}

LaunchInfo describe(const KeyTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  return with_rule(task, [&](auto tag) {
    using Rule = typename decltype(tag)::type;
    const std::uint64_t per_block = std::uint64_t{policy.block} * KeyFormat::kUnitPixels * kLoads;
    const LaunchShape shape = {grid_for(task.keys(), per_block, policy, device), policy.block,
                               block_key_bytes(task.bins, policy.replicas)};
    return LaunchInfo{address_of(per_block_key_slices_kernel<Rule>), "per_block_key_slices_kernel", shape, 1};
  });
}

void run(const KeyTask& task, const KernelPolicy& policy, LaunchContext& context) {
  if (task.keys() == 0 || context.next) clear_key_bins(task, context);
  if (task.keys() == 0) return;
  const LaunchShape shape = describe(task, policy, context.device).shape;
  const auto bins = static_cast<std::uint32_t>(task.bins);
  context.workspace.reserve(shape.blocks * task.bins * sizeof(std::uint32_t));
  with_rule(task, [&](auto tag) {
    using Rule = typename decltype(tag)::type;
    KeyArguments a = key_arguments(task, policy, shape, kLoads, context);
    a.to.bins = context.workspace.as<std::uint32_t>();
    launch(per_block_key_slices_kernel<Rule>, shape, context.stream(), a);
  });
  if (context.between) context.between->record(context.queue);
  const LaunchShape reduce = {(bins + kReduceBins - 1) / kReduceBins, kReduceBins * kReduceParts,
                              sizeof(std::uint32_t) * kReduceBins * kReduceParts};
  launch(reduce_key_slices_kernel, reduce, context.stream(),
         ReduceArguments{context.workspace.as<std::uint32_t>(), shape.blocks, bins, context.bins});
}

}  // namespace

const KeyMethod& per_block_partial_keys() {
  static constexpr KeyMethod kMethod = {per_block_partial_names.name, refusal, tune, describe, run, true};
  return kMethod;
}

}  // namespace gpuhisto::kernels
