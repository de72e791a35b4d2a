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
  __device__ __forceinline__ void clear() {
    for (unsigned i = threadIdx.x; i < kBins / 4 * Format::kSlots * replicas_; i += blockDim.x)
      shared_[i] = make_uint4(0, 0, 0, 0);
  }

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
    if (replicas_ < 4)
      merge_words(emit);
    else if (replicas_ <= 8)
      sum_vectors([&](unsigned row, std::uint32_t sum) { emit(row / kBins, row % kBins, sum); });
    else
      merge_many(emit);
  }

 private:
  static constexpr unsigned kRows = kBins * Format::kSlots;

  /// Blocks start at different rows: they do not meet in memory then.
  template <typename Sum, typename Emit>
  __device__ __forceinline__ void emit_rotated(Sum sum_of, Emit emit) const {
    const unsigned start = blockIdx.x * 64 % kRows;
    for (unsigned i = threadIdx.x; i < kRows; i += blockDim.x) {
      const unsigned row = i + start < kRows ? i + start : i + start - kRows;
      emit(row / kBins, row % kBins, sum_of(row));
    }
  }
  template <typename Emit>
  __device__ __forceinline__ void merge_words(Emit emit) const {
    const std::uint32_t* words = reinterpret_cast<const std::uint32_t*>(shared_);
    const auto sum_of = [&](unsigned row) {
      std::uint32_t sum = 0;
      for (unsigned c = 0; c < replicas_; ++c) sum += words[row * replicas_ + c];
      return sum;
    };
    emit_rotated(sum_of, emit);
  }
  /// Calls use(row, sum) in every replicas / 4-th lane: so many neighbours share a row, one vector each, and add up by
  /// shuffles.
  template <typename Use>
  __device__ __forceinline__ void sum_vectors(Use use) const {
    const unsigned lanes = replicas_ / 4;
    for (unsigned i = threadIdx.x; i < kRows * lanes; i += blockDim.x) {
      const uint4 vector = shared_[i];
      std::uint32_t sum = vector.x + vector.y + vector.z + vector.w;
      for (unsigned step = 1; step < lanes; step *= 2) sum += wave_shuffle_xor(sum, step);
      if (i % lanes == 0) use(i / lanes, sum);
    }
  }
  /// With many copies few lanes of a wave would have a sum to emit. So it first replaces one of the copies, another
  /// one for each row: lanes that read the sums of neighbouring rows then use different banks.
  template <typename Emit>
  __device__ __forceinline__ void merge_many(Emit emit) const {
    std::uint32_t* words = reinterpret_cast<std::uint32_t*>(shared_);
    const auto place = [&](unsigned row) { return row * replicas_ + row % replicas_; };
    sum_vectors([&](unsigned row, std::uint32_t sum) { words[place(row)] = sum; });
    __syncthreads();
    emit_rotated([&](unsigned row) { return words[place(row)]; }, emit);
  }

  uint4* shared_;
  unsigned replicas_;
  SharedWindow window_;
  std::uint32_t stride_, origin_;
};

}  // namespace gpuhisto::kernels
