// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// per-block-partial: each block counts in shared memory and stores its sums in a slice of its own; a second kernel adds
// the slices up. Idea: no global atomics at all, and the result need not be cleared first. Wins when: global atomics
// are slow, or results must not depend on the order of floating-point sums (not a matter here). Loses when: the image
// is small: a second launch costs more than 256 atomics a block. Limits: any image; at most 2^31 pixels a launch.
// Source: AMD's HIP tutorial on histograms; the CUDA Handbook's "per-block-reduce".
#include "methods/launching.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr std::uint32_t kBlock = 1024;
constexpr std::uint32_t kReplicas = 8;
constexpr std::size_t kSlice = std::size_t{kChannels} * kBins;  // times the blocks it may be more than 32 bits hold
constexpr unsigned kReduceBins = 32;                            // of a block of the second kernel
constexpr unsigned kReduceParts = 8;                            // threads that share a bin

template <typename Format>
__global__ void GPUHISTO_LAUNCH_BOUNDS(1024, 1) per_block_slices_kernel(CountArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  BlockBins<Format, 0> bins(shared, a.replicas);
  bins.clear();
  __syncthreads();
  const typename Format::Luma luma(a.luma);
  read_rows<Format, 2>(a.view, a.plan, team_of_grid(a.plan), luma, bins);
  __syncthreads();
  std::uint32_t* slice = a.bins + blockIdx.x * kSlice;
  bins.merge([&](unsigned slot, unsigned bin, std::uint32_t sum) { slice[Format::channel(slot) * kBins + bin] = sum; });
}

struct ReduceArguments {
  const std::uint32_t* slices = nullptr;
  unsigned count = 0;
  unsigned channels = 0;  ///< a bit for each that the slices hold
  std::uint32_t* result = nullptr;
  std::uint32_t* next = nullptr;  ///< zeroed
};

/// A block adds up kReduceBins neighbouring bins, each by kReduceParts threads.
__global__ void GPUHISTO_LAUNCH_BOUNDS(1024, 1) reduce_slices_kernel(ReduceArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  std::uint32_t* sums = reinterpret_cast<std::uint32_t*>(shared);
  const unsigned column = threadIdx.x % kReduceBins, part = threadIdx.x / kReduceBins;
  const unsigned bin = blockIdx.x * kReduceBins + column;
  std::uint32_t sum = 0;
  if (a.channels >> (bin / kBins) & 1u)
    for (unsigned i = part; i < a.count; i += kReduceParts) sum += a.slices[i * kSlice + bin];
  sums[threadIdx.x] = sum;
  for (unsigned half = kReduceParts / 2; half > 0; half /= 2) {
    __syncthreads();
    if (part < half) sums[threadIdx.x] += sums[threadIdx.x + half * kReduceBins];
  }
  if (part != 0) return;
  a.result[bin] = sums[column];
  a.next[bin] = 0;
}

template <typename Format>
unsigned channel_bits() {
  unsigned bits = 0;
  for (unsigned slot = 0; slot < Format::kSlots; ++slot) bits |= 1u << Format::channel(slot);
  return bits;
}

std::string refusal(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  if (task.mask) return "per-block-partial takes no mask";
  const std::size_t bytes = block_bins_bytes(slots_of(task), policy.replicas);
  if (bytes > device.shared_per_block)
    return "replicas=" + std::to_string(policy.replicas) + " needs " + std::to_string(bytes) +
           " bytes of shared memory, a block can have " + std::to_string(device.shared_per_block);
  return check_policy(task, policy, device);
}

void tune(const CountTask& task, const DeviceTraits& device, KernelPolicy& policy) {
  if (policy.replicas == 0) policy.replicas = kReplicas;
  if (policy.blocks == 0) policy.blocks = 2;
  tune_common(task, device, kBlock, policy);
}

LaunchInfo describe(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  return with_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    const std::uint64_t per_block = std::uint64_t{policy.block} * Format::kUnitPixels * 2;
    const LaunchShape shape = {grid_for(pixels_of(task), per_block, policy, device), policy.block,
                               block_bins_bytes(Format::kSlots, policy.replicas)};
    return LaunchInfo{address_of(per_block_slices_kernel<Format>), "per_block_slices_kernel", shape, 1};
  });
}

void run(const CountTask& task, const KernelPolicy& policy, LaunchContext& context) {
  if (pixels_of(task) == 0) return clear_next(context);
  const LaunchShape shape = describe(task, policy, context.device).shape;
  context.workspace.reserve(shape.blocks * kSlice * sizeof(std::uint32_t));
  ReduceArguments reduce = {context.workspace.as<std::uint32_t>(), shape.blocks, 0, context.bins, context.next};
  with_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    reduce.channels = channel_bits<Format>();
    launch(per_block_slices_kernel<Format>, shape, context.stream(),
           arguments<Format>(task, policy, 2, shape.blocks, context.workspace.as<std::uint32_t>()));
  });
  if (context.between) context.between->record(context.queue);
  launch(reduce_slices_kernel,
         LaunchShape{unsigned{kSlice / kReduceBins}, kReduceBins * kReduceParts, 4 * kReduceBins * kReduceParts},
         context.stream(), reduce);
}

}  // namespace

const Method& per_block_partial_method() {
  static constexpr Method kMethod = {per_block_partial_names, refusal, tune, describe, run, true};
  return kMethod;
}

}  // namespace gpuhisto::kernels
