// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The bins of one block: 32-bit counters in shared memory, in 1 to 32 copies. Copy c of bin b of slot s is the word
// (b * kSlots + s) * replicas + c, and a thread counts in copy (thread mod replicas): with 32 copies each lane of 32
// has a bank of its own and no two lanes ever meet. No counter can overflow: a launch has at most 2^31 pixels.
#pragma once

#include "device/pixel_reader.hpp"
#include "device/shared_window.hpp"

namespace gpuhisto::kernels {

inline constexpr unsigned kBins = 256;
inline constexpr unsigned kChannels = 5;

/// Bytes of shared memory.
__host__ __device__ constexpr std::size_t block_bins_bytes(unsigned slots, unsigned replicas) {
  return std::size_t{4} * kBins * slots * replicas;
}

/// kReplicas: the number of copies, a power of two up to 32, or 0 for one known at run time only.
template <typename Format, unsigned kReplicas>
class BlockBins {
 public:
  __device__ __forceinline__ BlockBins(uint4* shared, unsigned replicas)
      : shared_(shared), replicas_(kReplicas ? kReplicas : replicas), window_(shared) {
    stride_ = 4 * Format::kSlots * replicas_;
    origin_ = keep_in_register(window_.begin() + 4 * (threadIdx.x % replicas_));
  }

  /// Sets all counters to 0; a barrier must follow.
  __device__ __forceinline__ void clear() {
    for (unsigned i = threadIdx.x; i < kBins / 4 * Format::kSlots * replicas_; i += blockDim.x)
      shared_[i] = make_uint4(0, 0, 0, 0);
  }

  template <int kSlot, int kByte>
  __device__ __forceinline__ void count(std::uint32_t word) {
    const std::uint32_t address = scaled_byte<kByte>(word, stride_, origin_);
    if constexpr (kReplicas != 0)
      window_.template increment<kSlot * kReplicas * 4>(address);
    else
      window_.template increment<0>(address + kSlot * 4 * replicas_);
  }
  template <int kSlot>
  __device__ __forceinline__ void count_word(std::uint32_t word) {
    count<kSlot, 0>(word);
    count<kSlot, 1>(word);
    count<kSlot, 2>(word);
    count<kSlot, 3>(word);
  }

  /// Calls emit(slot, bin, sum over the copies) once for each; a barrier must have preceded. Blocks of whole waves
  /// only.
  template <typename Emit>
  __device__ __forceinline__ void merge(Emit emit) const {
    if (replicas_ < 4)
      merge_words(emit);
    else
      merge_vectors(emit);
  }

 private:
  template <typename Emit>
  __device__ __forceinline__ void merge_words(Emit emit) const {
    const std::uint32_t* words = reinterpret_cast<const std::uint32_t*>(shared_);
    for (unsigned row = threadIdx.x; row < kBins * Format::kSlots; row += blockDim.x) {
      std::uint32_t sum = 0;
      for (unsigned c = 0; c < replicas_; ++c) sum += words[row * replicas_ + c];
      emit(row % Format::kSlots, row / Format::kSlots, sum);
    }
  }
  /// replicas / 4 neighbouring lanes share a bin: one vector each, added up by shuffles.
  template <typename Emit>
  __device__ __forceinline__ void merge_vectors(Emit emit) const {
    const unsigned lanes = replicas_ / 4;
    for (unsigned i = threadIdx.x; i < kBins * Format::kSlots * lanes; i += blockDim.x) {
      const uint4 vector = shared_[i];
      std::uint32_t sum = vector.x + vector.y + vector.z + vector.w;
      for (unsigned step = 1; step < lanes; step *= 2) sum += wave_shuffle_xor(sum, step);
      const unsigned row = i / lanes;
      if (i % lanes == 0) emit(row % Format::kSlots, row / Format::kSlots, sum);
    }
  }

  uint4* shared_;
  unsigned replicas_;
  SharedWindow window_;
  std::uint32_t stride_, origin_;
};

}  // namespace gpuhisto::kernels
