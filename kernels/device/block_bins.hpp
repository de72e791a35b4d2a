// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The bins of one block: 32-bit counters in shared memory, in 1 to 32 copies. Copy c of bin b of slot s is the word
// (s * 256 + b) * replicas + c, and a thread counts in copy (thread mod replicas): with 32 copies each lane of 32
// has a bank of its own and no two lanes ever meet. No counter can overflow: a launch has at most 2^31 pixels.
//
// Slots follow one another because the hardware wants it so: with the slots of a bin side by side, RGB + luma of two
// levels ran at 84 % of the read rate on one H200, and so at 97 %.
#pragma once

#include "device/bin_copies.hpp"
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
    stride_ = 4 * replicas_;
    origin_ = keep_in_register(window_.begin() + 4 * (threadIdx.x % replicas_));
  }

  /// Sets all counters to 0; a barrier must follow.
  __device__ __forceinline__ void clear() const { clear_copies(shared_, kRows, replicas_); }

  template <int kSlot, int kByte>
  __device__ __forceinline__ void count(std::uint32_t word) const {
    const std::uint32_t address = scaled_byte<kByte>(word, stride_, origin_);
    if constexpr (kReplicas != 0)
      window_.template increment<kSlot * kBins * kReplicas * 4>(address);
    else
      window_.template increment<0>(address + kSlot * kBins * 4 * replicas_);
  }
  template <int kSlot>
  __device__ __forceinline__ void count_word(std::uint32_t word) const {
    count<kSlot, 0>(word);
    count<kSlot, 1>(word);
    count<kSlot, 2>(word);
    count<kSlot, 3>(word);
  }

  /// The address of this thread's copy of a slot's first bin, and counting from such an address: for those whose slots
  /// depend on the thread.
  __device__ __forceinline__ std::uint32_t origin(unsigned slot) const {
    return origin_ + slot * kBins * 4 * replicas_;
  }
  template <int kByte>
  __device__ __forceinline__ void count_from(std::uint32_t origin, std::uint32_t word) const {
    window_.template increment<0>(scaled_byte<kByte>(word, stride_, origin));
  }

  /// Calls emit(slot, bin, sum over the copies) once for each, neighbouring threads with neighbouring bins; a barrier
  /// must have preceded. The copies are used up. Blocks of whole waves only.
  template <typename Emit>
  __device__ __forceinline__ void merge(Emit emit) const {
    merge_copies(shared_, kRows, replicas_,
                 [&](std::uint32_t row, std::uint32_t sum) { emit(row / kBins, row % kBins, sum); });
  }

 private:
  static constexpr std::uint32_t kRows = kBins * Format::kSlots;

  uint4* shared_;
  unsigned replicas_;
  SharedWindow window_;
  std::uint32_t stride_, origin_;
};

}  // namespace gpuhisto::kernels
