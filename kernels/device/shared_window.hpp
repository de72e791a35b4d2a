// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Counters and tables in shared memory by byte address. An address holds everything: on NVIDIA the 32-bit address of
// the shared window itself, so that one dot product makes it from a pixel; elsewhere an offset, whose base AMD's
// compiler folds away.
#pragma once

#include "device/bytes.hpp"

namespace gpuhisto::kernels {

class SharedWindow {
 public:
#if defined(GPUHISTO_PLATFORM_CUDA)
  __device__ __forceinline__ explicit SharedWindow(void* base)
      : base_(static_cast<std::uint32_t>(__cvta_generic_to_shared(base))) {}
  /// The address of the first byte.
  __device__ __forceinline__ std::uint32_t begin() const { return base_; }
  template <int kOffset>
  __device__ __forceinline__ void increment(std::uint32_t address) const {
    asm volatile("red.shared.add.u32 [%0+%1], 1;" ::"r"(address), "n"(kOffset));
  }
  __device__ __forceinline__ void add(std::uint32_t address, std::uint32_t value) const {
    asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(address), "r"(value));
  }
  __device__ __forceinline__ std::uint32_t load_byte(std::uint32_t address) const {
    std::uint32_t value;
    asm volatile("ld.shared.u8 %0, [%1];" : "=r"(value) : "r"(address));
    return value;
  }
  __device__ __forceinline__ std::uint32_t load_word(std::uint32_t address) const {
    std::uint32_t value;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(address));
    return value;
  }
  template <int kOffset>
  __device__ __forceinline__ uint2 load_pair(std::uint32_t address) const {
    uint2 value;
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2+%3];" : "=r"(value.x), "=r"(value.y) : "r"(address), "n"(kOffset));
    return value;
  }
  __device__ __forceinline__ void store_byte(std::uint32_t address, std::uint32_t value) const {
    asm volatile("st.shared.u8 [%0], %1;" ::"r"(address), "r"(value));
  }

 private:
  std::uint32_t base_;
#else
  __device__ __forceinline__ explicit SharedWindow(void* base) : base_(static_cast<unsigned char*>(base)) {}
  __device__ __forceinline__ std::uint32_t begin() const { return 0; }
  template <int kOffset>
  __device__ __forceinline__ void increment(std::uint32_t address) const {
    atomicAdd(reinterpret_cast<std::uint32_t*>(base_ + address + kOffset), 1u);
  }
  __device__ __forceinline__ void add(std::uint32_t address, std::uint32_t value) const {
    atomicAdd(reinterpret_cast<std::uint32_t*>(base_ + address), value);
  }
  __device__ __forceinline__ std::uint32_t load_byte(std::uint32_t address) const {
    note(address);
    return base_[address];
  }
  __device__ __forceinline__ std::uint32_t load_word(std::uint32_t address) const {
    note(address);
    return *reinterpret_cast<const std::uint32_t*>(base_ + address);
  }
  template <int kOffset>
  __device__ __forceinline__ uint2 load_pair(std::uint32_t address) const {
    note(address + kOffset);
    return *reinterpret_cast<const uint2*>(base_ + address + kOffset);
  }
  __device__ __forceinline__ void store_byte(std::uint32_t address, std::uint32_t value) const {
    note(address);
    base_[address] = static_cast<unsigned char>(value);
  }

 private:
#if defined(GPUHISTO_PLATFORM_EMULATED)
  void note(std::uint32_t address) const { emulated::note_shared(base_ + address); }
#else
  __device__ __forceinline__ void note(std::uint32_t) const {}
#endif
  unsigned char* base_;
#endif
};

}  // namespace gpuhisto::kernels
