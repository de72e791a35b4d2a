// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// unsafe-nonatomic: per-block with plain increments. Wrong on purpose.
// Idea: what happens when the atomics are left out: two lanes read the same counter, both add one, one update is lost.
// Wins when: never. It is fast, and it loses pixels; race checkers must report it, and the benchmark marks it inexact.
// Limits: hidden, runs in measurements only.
#include "methods/launching.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr std::uint32_t kBlock = 256;

template <typename Format>
class PlainBins {
 public:
  __device__ __forceinline__ explicit PlainBins(std::uint32_t* words) : words_(words) {}
  template <int kSlot, int kByte>
  __device__ __forceinline__ void count(std::uint32_t word) {
    words_[kSlot * kBins + byte_of<kByte>(word)] += 1;
  }
  template <int kSlot>
  __device__ __forceinline__ void count_word(std::uint32_t word) {
    count<kSlot, 0>(word);
    count<kSlot, 1>(word);
    count<kSlot, 2>(word);
    count<kSlot, 3>(word);
  }

 private:
  std::uint32_t* words_;
};

template <typename Format>
__global__ void GPUHISTO_LAUNCH_BOUNDS(1024, 1) unsafe_nonatomic_kernel(CountArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  std::uint32_t* words = reinterpret_cast<std::uint32_t*>(shared);
  for (unsigned i = threadIdx.x; i < Format::kSlots * kBins; i += blockDim.x) words[i] = 0;
  __syncthreads();
  const typename Format::Luma luma(a.luma);
  PlainBins<Format> bins(words);
  read_rows<Format, 1>(a.view, a.plan, team_of_grid(a.plan), luma, bins);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < Format::kSlots * kBins; i += blockDim.x)
    atomicAdd(&a.bins[Format::channel(i / kBins) * kBins + i % kBins], words[i]);
}

std::string refusal(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  if (task.mask) return "unsafe-nonatomic takes no mask";
  return check_policy(task, policy, device);
}

void tune(const CountTask& task, const DeviceTraits& device, KernelPolicy& policy) {
  tune_common(task, device, kBlock, policy);
}

LaunchInfo describe(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  return with_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    const std::uint64_t per_block = std::uint64_t{policy.block} * Format::kUnitPixels;
    const LaunchShape shape = {grid_for(pixels_of(task), per_block, policy, device), policy.block,
                               block_bins_bytes(Format::kSlots, 1)};
    return LaunchInfo{address_of(unsafe_nonatomic_kernel<Format>), "unsafe_nonatomic_kernel", shape, 1};
  });
}

void run(const CountTask& task, const KernelPolicy& policy, LaunchContext& context) {
  launch_one_kernel(task, policy, describe(task, policy, context.device).shape, context,
                    [](auto tag) { return unsafe_nonatomic_kernel<typename decltype(tag)::type>; });
}

}  // namespace

const Method& unsafe_nonatomic_method() {
  static constexpr Method kMethod = {unsafe_nonatomic_names, refusal, tune, describe, run};
  return kMethod;
}

}  // namespace gpuhisto::kernels
