// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The bins of one block for 32-bit keys: as block_bins.hpp, but any number of bins. Copy c of a bin is the word
// bin * replicas + c, and a thread counts in copy (thread mod replicas). With 32 copies each lane of 32 has a memory
// bank of its own; with 8, the lanes that agree in a copy and meet at a hot bin are 4 instead of 32.
#pragma once

#include "device/bin_copies.hpp"
#include "device/key_format.hpp"
#include "device/key_rules.hpp"
#include "device/shared_window.hpp"

namespace gpuhisto::kernels {

/// Bytes of shared memory, whole vectors.
__host__ __device__ constexpr std::size_t block_key_bytes(std::uint64_t bins, unsigned replicas) {
  return static_cast<std::size_t>((4 * bins * replicas + 15) / 16 * 16);
}

/// kReplicas: the number of copies, a power of two up to 32, or 0 for one known at run time only.
template <typename Rule, unsigned kReplicas>
class BlockKeyBins {
 public:
  __device__ __forceinline__ BlockKeyBins(uint4* shared, const Rule& rule, std::uint32_t bins, unsigned replicas)
      : shared_(shared), rule_(rule), bins_(bins), replicas_(kReplicas ? kReplicas : replicas), window_(shared) {
    origin_ = keep_in_register(window_.begin() + 4 * (threadIdx.x % replicas_));
  }

  /// Sets all counters to 0; a barrier must follow.
  __device__ __forceinline__ void clear() const { clear_copies(shared_, bins_, replicas_); }

  __device__ __forceinline__ void count_key(std::uint32_t key) {
    std::uint32_t bin;
    if (rule_.bin(key, bin)) window_.template increment<0>(origin_ + bin * (4 * replicas_));
  }

  /// Calls emit(bin, sum over the copies) once for each; a barrier must have preceded. The copies are used up. Blocks
  /// of whole waves only.
  template <typename Emit>
  __device__ __forceinline__ void merge(Emit emit) const {
    merge_copies(shared_, bins_, replicas_, emit);
  }

 private:
  uint4* shared_;
  Rule rule_;
  std::uint32_t bins_;
  unsigned replicas_;
  SharedWindow window_;
  std::uint32_t origin_;
};

/// Words of the sums in which blocks add up: the ticket and its padding, then bins.
inline constexpr std::uint32_t kKeySumsBefore = 4;
inline constexpr std::uint32_t kMostSummedBins = 8192;  // above, one block that moves them takes longer than a clearing
inline constexpr std::uint32_t kKeySumWords = kKeySumsBefore + kMostSummedBins;

struct KeyResult {
  std::uint32_t* bins = nullptr;  ///< of the device; with sums they hold anything before, without zeroes
  std::uint32_t* sums = nullptr;  ///< kKeySumWords, zero before and after, for up to kMostSummedBins; or none
  std::uint32_t last = 0;         ///< the last bin
};

/// The block that draws the last ticket moves the sums to the result: the same as complete_result() for images.
__device__ __forceinline__ void move_key_sums(const KeyResult& to, uint4* scratch) {
  constexpr unsigned kAtOnce = 4;  // loads in flight of each thread: only this block is left, and waits for them
  std::uint32_t* ticket = reinterpret_cast<std::uint32_t*>(scratch);  // the bins are merged: their place is free
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();  // of the whole block's sums: what the barrier has ordered before
    *ticket = atomicAdd(&to.sums[0], 1u);
  }
  __syncthreads();
  if (*ticket != gridDim.x - 1) return;
  __threadfence();
  std::uint32_t* sums = to.sums + kKeySumsBefore;
  for (std::uint32_t first = threadIdx.x; first <= to.last; first += kAtOnce * blockDim.x) {
    std::uint32_t sum[kAtOnce];
#pragma unroll
    for (unsigned k = 0; k < kAtOnce; ++k) {  // volatile: not what this block's cache may hold
      const std::uint32_t i = first + k * blockDim.x;
      sum[k] = i <= to.last ? *const_cast<volatile std::uint32_t*>(&sums[i]) : 0;
    }
#pragma unroll
    for (unsigned k = 0; k < kAtOnce; ++k) {
      const std::uint32_t i = first + k * blockDim.x;
      if (i > to.last) break;
      to.bins[i] = sum[k];
      sums[i] = 0;
    }
  }
  if (threadIdx.x == 0) atomicAdd(&to.sums[0], 0u - gridDim.x);  // nothing orders the other blocks' draws
}

/// Every thread of every block calls this once, when its block has counted the bins from `first` on. `scratch` is the
/// block's shared memory.
template <typename Bins>
__device__ __forceinline__ void complete_keys(const Bins& bins, std::uint32_t first, const KeyResult& to,
                                              uint4* scratch) {
  __syncthreads();
  if (to.sums && gridDim.x == 1) {
    bins.merge([&](std::uint32_t bin, std::uint32_t sum) { to.bins[bin] = sum; });
    return;
  }
  std::uint32_t* target = to.sums ? to.sums + kKeySumsBefore : to.bins + first;
  bins.merge([&](std::uint32_t bin, std::uint32_t sum) {
    if (sum != 0) atomicAdd(&target[bin], sum);
  });
  if (to.sums) move_key_sums(to, scratch);
}

}  // namespace gpuhisto::kernels
