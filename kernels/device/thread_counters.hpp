// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// 8-bit counters private to each thread, in shared memory. 128 threads form a group with 32 KiB for each histogram: 256
// bytes a thread, laid out so (t: thread of the group, l = t mod 32, w = t / 32):
//   byte-per-lane  bin*128 + l*4 + w             the lanes of a wave of 32 use 32 banks, whatever the bins
//   column         bin*128 + t                   four lanes share a bank
//   row            t*256 + bin                   banks depend on the bins
//   interleaved    (bin/4)*512 + t*4 + bin%4     the 32 lanes use 32 banks; a word holds four bins of one thread
// Nobody else touches a thread's counters while it counts, so no atomics are needed.
//
// A counter holds 255. Bounded: the caller merges before any thread has counted more. Checked: an update that wraps has
// bit 8 set in the new value and adds 256 to the block's 32-bit totals; that is rare, so the atomics cost nothing.
#pragma once

#include "device/block_bins.hpp"
#include "methods/policy.hpp"

namespace gpuhisto::kernels {

inline constexpr unsigned kGroupThreads = 128;
inline constexpr unsigned kGroupBytes = kGroupThreads * kBins;  ///< for each histogram
inline constexpr unsigned kWrap = 256;

/// Which counters a pass holds: a bit a slot, and how many bits.
struct SlotSet {
  unsigned bits = 1;
  unsigned count = 1;
};

/// The layouts other than interleaved differ in numbers only.
template <typename Format, bool kInterleaved, bool kChecked>
class ThreadCounters {
 public:
  __device__ __forceinline__ ThreadCounters(uint4* shared, Layout layout, const SlotSet& slots)
      : slots_(slots),
        window_(shared),
        layout_(layout),
        group_(threadIdx.x / kGroupThreads),
        thread_(threadIdx.x % kGroupThreads) {
    region_ = reinterpret_cast<unsigned char*>(shared) + group_ * slots.count * kGroupBytes;
    totals_ = reinterpret_cast<std::uint32_t*>(reinterpret_cast<unsigned char*>(shared) +
                                               blockDim.x / kGroupThreads * slots.count * kGroupBytes);
    scale_ = layout == Layout::kRow ? 1 : kGroupThreads;
    origin_ = window_.begin() + group_ * slots.count * kGroupBytes + offset_of_thread();
  }

  /// Zeroes this group's counters and, together with the others, the totals; a barrier must follow.
  __device__ __forceinline__ void clear() {
    uint4* vectors = reinterpret_cast<uint4*>(region_);
    for (unsigned i = thread_; i < slots_.count * kGroupBytes / 16; i += kGroupThreads)
      vectors[i] = make_uint4(0, 0, 0, 0);
    for (unsigned i = threadIdx.x; i < slots_.count * kBins; i += blockDim.x) totals_[i] = 0;
  }

  template <int kSlot, int kByte>
  __device__ __forceinline__ void count(std::uint32_t word) {
    if (!holds<kSlot>()) return;
    const std::uint32_t address = address_of<kSlot, kByte>(word);
    const std::uint32_t value = window_.load_byte(address) + 1;
    window_.store_byte(address, value);
    if (kChecked && (value & kWrap) != 0) add_wrap<kSlot>(byte_of<kByte>(word));
  }

  /// Four pixels of one histogram, two at a time: both loads go out before the first store, and equal bins are mended.
  template <int kSlot>
  __device__ __forceinline__ void count_word(std::uint32_t word) {
    const Pair low = count_pair<kSlot, 0>(word), high = count_pair<kSlot, 2>(word);
    if (kChecked && ((low.first | low.second | high.first | high.second) & kWrap) != 0) {
      add_wraps<kSlot, 0>(low, word);
      add_wraps<kSlot, 2>(high, word);
    }
  }

  /// Adds this group's counters to the block's totals and zeroes them. Barriers of the group must surround it.
  __device__ __forceinline__ void merge() {
    for (unsigned slot = 0; slot < slots_.count; ++slot) {
      if (kInterleaved || layout_ == Layout::kRow)
        merge_words(slot);
      else
        merge_rows(slot);
    }
  }
  __device__ __forceinline__ unsigned group() const { return group_; }

  /// Calls emit(slot, bin, count) for what this thread is to add to the result.
  template <typename Emit>
  __device__ __forceinline__ void emit_totals(Emit emit) const {
    unsigned index = 0;
    for (unsigned slot = 0; slot < Format::kSlots; ++slot) {
      if (!(slots_.bits >> slot & 1u)) continue;
      for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x) emit(slot, bin, totals_[index * kBins + bin]);
      ++index;
    }
  }

 private:
  __device__ __forceinline__ std::uint32_t offset_of_thread() const {
    if (kInterleaved) return thread_ * 4;
    if (layout_ == Layout::kRow) return thread_ * kBins;
    if (layout_ == Layout::kColumn) return thread_;
    return thread_ % 32 * 4 + thread_ / 32;
  }
  template <int kSlot>
  __device__ __forceinline__ bool holds() const {
    return Format::kSlots == 1 || (slots_.bits >> kSlot & 1u) != 0;
  }
  /// Position of a slot among those that this pass holds.
  template <int kSlot>
  __device__ __forceinline__ std::uint32_t position() const {
    std::uint32_t before = 0;
#pragma unroll
    for (int slot = 0; slot < kSlot; ++slot) before += slots_.bits >> slot & 1u;
    return before;
  }
  template <int kSlot, int kByte>
  __device__ __forceinline__ std::uint32_t address_of(std::uint32_t word) const {
    std::uint32_t origin = origin_;
    if (kSlot > 0) origin += position<kSlot>() * kGroupBytes;
    if (kInterleaved) {
      const std::uint32_t bin = byte_of<kByte>(word);
      return origin + (bin / 4) * (4 * kGroupThreads) + bin % 4;
    }
    return scaled_byte<kByte>(word, scale_, origin);
  }
  /// The new values of two counters, which may be one.
  struct Pair {
    std::uint32_t first, second;
    bool same;
  };
  template <int kSlot, int kByte>
  __device__ __forceinline__ Pair count_pair(std::uint32_t word) {
    const std::uint32_t first = address_of<kSlot, kByte>(word), second = address_of<kSlot, kByte + 1>(word);
    Pair pair = {window_.load_byte(first), window_.load_byte(second), first == second};
    pair.first += 1;
    pair.second += pair.same ? 2 : 1;
    window_.store_byte(first, pair.first);
    window_.store_byte(second, pair.second);
    return pair;
  }
  /// Of one counter updated twice, `second` holds both updates: it has wrapped once even if `first` had already.
  template <int kSlot, int kByte>
  __device__ __forceinline__ void add_wraps(const Pair& pair, std::uint32_t word) {
    const bool first = (pair.first & kWrap) != 0;
    if (first) add_wrap<kSlot>(byte_of<kByte>(word));
    if ((pair.second & kWrap) != 0 && !(pair.same && first)) add_wrap<kSlot>(byte_of<kByte + 1>(word));
  }
  template <int kSlot>
  __device__ __forceinline__ void add_wrap(std::uint32_t bin) {
    atomicAdd(&totals_[position<kSlot>() * kBins + bin], kWrap);
  }

  /// A bin is 128 neighbouring bytes. Threads start at rotated vectors, or all would use the same four banks.
  __device__ __forceinline__ void merge_rows(unsigned slot) {
    constexpr unsigned kVectors = kGroupThreads / 16;
    for (unsigned bin = thread_; bin < kBins; bin += kGroupThreads) {
      uint4* row = reinterpret_cast<uint4*>(region_ + slot * kGroupBytes + bin * kGroupThreads);
      std::uint32_t sum = 0;
#pragma unroll
      for (unsigned k = 0; k < kVectors; ++k) {
        const unsigned at = (k + thread_) % kVectors;
        const uint4 v = row[at];
        row[at] = make_uint4(0, 0, 0, 0);
        sum = sum_bytes(v.w, sum_bytes(v.z, sum_bytes(v.y, sum_bytes(v.x, sum))));
      }
      if (sum != 0) atomicAdd(&totals_[slot * kBins + bin], sum);
    }
  }
  /// A word holds four bins of a thread: word q of thread t. Two threads share a q, 64 of the threads' words each;
  /// bytes 0 and 2 are added up in one register, 1 and 3 in another, 16 bits each: 64 * 255 fits.
  __device__ __forceinline__ void merge_words(unsigned slot) {
    const unsigned q = thread_ % 64, half = thread_ / 64;
    std::uint32_t* words = reinterpret_cast<std::uint32_t*>(region_ + slot * kGroupBytes);
    std::uint32_t even = 0, odd = 0;
    for (unsigned k = 0; k < kGroupThreads / 2; ++k) {
      const unsigned owner = half * 64 + (k + thread_) % 64;
      std::uint32_t* word = words + (kInterleaved ? q * kGroupThreads + owner : owner * 64 + q);
      even += *word & 0x00ff00ffu;
      odd += *word >> 8 & 0x00ff00ffu;
      *word = 0;
    }
    std::uint32_t* total = totals_ + slot * kBins + q * 4;
    if (even & 0xffffu) atomicAdd(total, even & 0xffffu);
    if (odd & 0xffffu) atomicAdd(total + 1, odd & 0xffffu);
    if (even >> 16) atomicAdd(total + 2, even >> 16);
    if (odd >> 16) atomicAdd(total + 3, odd >> 16);
  }

  SlotSet slots_;
  SharedWindow window_;
  Layout layout_;
  unsigned group_, thread_;
  unsigned char* region_;
  std::uint32_t* totals_;
  std::uint32_t scale_, origin_;
};

}  // namespace gpuhisto::kernels
