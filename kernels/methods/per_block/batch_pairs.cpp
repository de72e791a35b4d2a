// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// per-block for many small gray images, two at a time: a block counts one image in the low and the next in the high
// halves of its words, and merges and clears once for both. An image has at most 2^20 pixels, dealt to 32 copies of the
// bins: no half passes 2^15 and a few. Shared memory is cleared while it is merged.
//
// Tuned on one H200 (Nov 2026, CUDA 13.0): 512 threads, 3 blocks, 4 vectors of 16 bytes in flight, a block for each
// pair: 4096 images of 256x256 at 86 % (uniform) to 88 % (photo-like) of the read rate; two points less where the
// blocks that fit at once go through the pairs in turn. Tried without gain: ranges of bytes cut across
// images, loads of the next image in flight during a merge, single images at the end.
#include "methods/per_block/batch.hpp"
#include "methods/per_block/kernel.hpp"

namespace gpuhisto::kernels::per_block {
namespace {

constexpr unsigned kPairLoads = 4;
constexpr std::uint32_t kLow = 1, kHigh = 1u << 16;  // one pixel of the first image, of the second
constexpr unsigned kVectors = kBins * kTunedReplicas / 4;
constexpr unsigned kLanesPerBin = kTunedReplicas / 4;

/// Counts pixels by adding a value of choice to their counters.
class HalfBins {
 public:
  __device__ __forceinline__ explicit HalfBins(uint4* shared) : window_(shared) {
    origin_ = keep_in_register(window_.begin() + 4 * (threadIdx.x % kTunedReplicas));
  }
  __device__ __forceinline__ void set_value(std::uint32_t value) { value_ = value; }
  template <int kSlot, int kByte>
  __device__ __forceinline__ void count(std::uint32_t word) {
    window_.add(scaled_byte<kByte>(word, 4 * kTunedReplicas, origin_), value_);
  }
  template <int kSlot>
  __device__ __forceinline__ void count_word(std::uint32_t word) {
    count<kSlot, 0>(word);
    count<kSlot, 1>(word);
    count<kSlot, 2>(word);
    count<kSlot, 3>(word);
  }

 private:
  SharedWindow window_;
  std::uint32_t origin_, value_ = kLow;
};

__device__ __forceinline__ void count_image(const Batch& batch, unsigned i, HalfBins& bins) {
  const BatchItem item = batch.items[i];
  const NoLuma luma{LumaWeights{}};
  read_flat<GrayFormat, kPairLoads>({item.data + batch.shift, item.pixels, 1, 0}, threadIdx.x, blockDim.x, luma, bins);
}

__device__ __forceinline__ std::uint32_t sum_over_bin(std::uint32_t sum) {
  for (unsigned step = 1; step < kLanesPerBin; step *= 2) sum += wave_shuffle_xor(sum, step);
  return sum;
}

/// Stores both images' counts and leaves shared memory zero. Blocks of whole waves only.
__device__ __forceinline__ void merge_pair(uint4* shared, std::uint32_t* first, std::uint32_t* second) {
  for (unsigned i = threadIdx.x; i < kVectors; i += blockDim.x) {
    const uint4 v = shared[i];
    shared[i] = make_uint4(0, 0, 0, 0);
    const std::uint32_t low = sum_over_bin((v.x & 0xffffu) + (v.y & 0xffffu) + (v.z & 0xffffu) + (v.w & 0xffffu));
    const std::uint32_t high = sum_over_bin((v.x >> 16) + (v.y >> 16) + (v.z >> 16) + (v.w >> 16));
    if (i % kLanesPerBin == 0) first[i / kLanesPerBin] = low;
    if (i % kLanesPerBin == 1 && second) second[i / kLanesPerBin] = high;
  }
}

__global__ void GPUHISTO_LAUNCH_BOUNDS(kPairThreads, kPairBlocks) batch_pairs_kernel(Batch batch) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  HalfBins bins(shared);
  for (unsigned i = threadIdx.x; i < kVectors; i += blockDim.x) shared[i] = make_uint4(0, 0, 0, 0);
  for (unsigned i = 2 * blockIdx.x; i < batch.count; i += 2 * gridDim.x) {
    const bool two = i + 1 < batch.count;
    __syncthreads();
    bins.set_value(kLow);
    count_image(batch, i, bins);
    bins.set_value(kHigh);
    if (two) count_image(batch, i + 1, bins);
    __syncthreads();
    std::uint32_t* result = batch.results + std::size_t{i} * kBins;
    merge_pair(shared, result, two ? result + kBins : nullptr);
  }
}

}  // namespace

bool pairs_fit(const CountTask& task, const KernelPolicy& policy) {
  return task.channels == 1 && policy.replicas == kTunedReplicas;
}

LaunchInfo describe_pairs(const KernelPolicy& policy, const DeviceTraits& device, unsigned count) {
  const LaunchShape shape = {grid_for(pairs_of(count), 1, policy, device), policy.block,
                             block_bins_bytes(1, kTunedReplicas)};
  return {address_of(batch_pairs_kernel), "batch_pairs_kernel", shape, 1};
}

void run_pairs(const KernelPolicy& policy, const LaunchContext& context, const Batch& batch) {
  launch(batch_pairs_kernel, describe_pairs(policy, context.device, batch.count).shape, context.stream(), batch);
}

}  // namespace gpuhisto::kernels::per_block
