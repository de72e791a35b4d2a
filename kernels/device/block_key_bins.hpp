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

/// Results of so many bins at most are zeroed by the launch before (see engine/result_ring.hpp); larger ones are
/// cleared first.
inline constexpr std::uint32_t kMostRingBins = 8192;

struct KeyResult {
  std::uint32_t* bins = nullptr;  ///< of the device, zero before the launch
  std::uint32_t* next = nullptr;  ///< kMostRingBins words that the launch leaves zero, or none
  std::uint32_t last = 0;         ///< the last bin
};

/// Every thread of every block calls this once, when its block has counted the bins from `first` on.
template <typename Bins>
__device__ __forceinline__ void complete_keys(const Bins& bins, std::uint32_t first, const KeyResult& to) {
  __syncthreads();
  if (to.next)
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < kMostRingBins; i += gridDim.x * blockDim.x)
      to.next[i] = 0;
  bins.merge([&](std::uint32_t bin, std::uint32_t sum) {
    if (sum != 0) atomicAdd(&to.bins[first + bin], sum);
  });
}

}  // namespace gpuhisto::kernels
