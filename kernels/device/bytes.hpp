// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Arithmetic on the four bytes of a word, in as few instructions as each architecture offers.
#pragma once

#include "runtime/gpu.hpp"

namespace gpuhisto::kernels {

/// The same value, of which the compiler knows no more how it came about: it will not compute it again to save a
/// register.
__device__ __forceinline__ std::uint32_t keep_in_register(std::uint32_t value) {
#if defined(GPUHISTO_PLATFORM_CUDA) && defined(__CUDA_ARCH__)
  asm("" : "+r"(value));
#endif
  return value;
}

/// The same value, and what is computed from it is not computed before it is here: for what is rarely needed, and would
/// take up registers until then.
__device__ __forceinline__ std::uint32_t not_before(std::uint32_t value) {
#if defined(GPUHISTO_PLATFORM_CUDA) && defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(value));
#endif
  return value;
}

template <int kByte>
__device__ __forceinline__ std::uint32_t byte_of(std::uint32_t word) {
  return (word >> (8 * kByte)) & 255u;
}

/// origin + scale * byte kByte of the word, scale <= 65535: an address in one instruction where there is a byte dot
/// product.
template <int kByte>
__device__ __forceinline__ std::uint32_t scaled_byte(std::uint32_t word, std::uint32_t scale, std::uint32_t origin) {
#if defined(GPUHISTO_PLATFORM_CUDA) && defined(__CUDA_ARCH__)
  if (kByte == 0) return __dp2a_lo(scale, word, origin);
  if (kByte == 1) return __dp2a_lo(scale << 16, word, origin);
  if (kByte == 2) return __dp2a_hi(scale, word, origin);
  return __dp2a_hi(scale << 16, word, origin);
#else
  return origin + byte_of<kByte>(word) * (scale & 0xffffu);  // the mask tells AMD's compiler that 24 bits suffice
#endif
}

/// origin + the sum over the bytes of word times factors.
__device__ __forceinline__ std::uint32_t dot4(std::uint32_t word, std::uint32_t factors, std::uint32_t origin) {
#if defined(GPUHISTO_PLATFORM_CUDA) && defined(__CUDA_ARCH__)
  return __dp4a(word, factors, origin);
#elif defined(__gfx906__) || defined(__gfx908__) || defined(__gfx90a__) || defined(__gfx942__) || \
    defined(__gfx1030__) || defined(__gfx1100__) || defined(__gfx1200__)
  return __builtin_amdgcn_udot4(word, factors, origin, false);
#else
  return origin + byte_of<0>(word) * byte_of<0>(factors) + byte_of<1>(word) * byte_of<1>(factors) +
         byte_of<2>(word) * byte_of<2>(factors) + byte_of<3>(word) * byte_of<3>(factors);
#endif
}

/// The lower half of `pair` times byte 0, and the upper half times byte 1; dot2_high: times bytes 2 and 3.
__device__ __forceinline__ std::uint32_t dot2_low(std::uint32_t pair, std::uint32_t word) {
#if defined(GPUHISTO_PLATFORM_CUDA) && defined(__CUDA_ARCH__)
  return __dp2a_lo(pair, word, 0u);
#else
  return (pair & 0xffffu) * byte_of<0>(word) + (pair >> 16) * byte_of<1>(word);
#endif
}
__device__ __forceinline__ std::uint32_t dot2_high(std::uint32_t pair, std::uint32_t word) {
#if defined(GPUHISTO_PLATFORM_CUDA) && defined(__CUDA_ARCH__)
  return __dp2a_hi(pair, word, 0u);
#else
  return (pair & 0xffffu) * byte_of<2>(word) + (pair >> 16) * byte_of<3>(word);
#endif
}

/// origin + the sum of the four bytes.
__device__ __forceinline__ std::uint32_t sum_bytes(std::uint32_t word, std::uint32_t origin) {
  return dot4(word, 0x01010101u, origin);
}

/// Four bytes from byte kByte of `low` on; those past its end come from `high`.
template <int kByte>
__device__ __forceinline__ std::uint32_t align_bytes(std::uint32_t low, std::uint32_t high) {
  if constexpr (kByte == 0)
    return low;
  else
    return (low >> (8 * kByte)) | (high << (32 - 8 * kByte));
}

/// The same for a number of bits, 0 to 31, that only the running thread knows.
__device__ __forceinline__ std::uint32_t align_bits(std::uint32_t low, std::uint32_t high, std::uint32_t bits) {
#if defined(GPUHISTO_PLATFORM_CUDA) && defined(__CUDA_ARCH__)
  return __funnelshift_r(low, high, bits);
#elif defined(GPUHISTO_PLATFORM_HIP) && defined(__HIP_DEVICE_COMPILE__)
  return __builtin_amdgcn_alignbit(high, low, bits);
#else
  return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) >> bits);
#endif
}

/// The lowest byte of each, the first lowest; the others must be 0.
__device__ __forceinline__ std::uint32_t pack_bytes(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                                    std::uint32_t d) {
#if defined(GPUHISTO_PLATFORM_CUDA) && defined(__CUDA_ARCH__)
  return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
#else
  return a | b << 8 | c << 16 | d << 24;
#endif
}

/// Byte 2 of each, the first lowest.
__device__ __forceinline__ std::uint32_t pack_bytes2(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                                     std::uint32_t d) {
#if defined(GPUHISTO_PLATFORM_CUDA) && defined(__CUDA_ARCH__)
  return __byte_perm(__byte_perm(a, b, 0x0062), __byte_perm(c, d, 0x0062), 0x5410);
#else
  return byte_of<2>(a) | byte_of<2>(b) << 8 | byte_of<2>(c) << 16 | byte_of<2>(d) << 24;
#endif
}

/// 16.16 fixed point, its integer part limited to 0..255.
__device__ __forceinline__ std::uint32_t clamp_fixed(std::int32_t value) {
  constexpr std::int32_t kMost = 0x00ffffff;
#if defined(GPUHISTO_PLATFORM_CUDA) && defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__vimin_s32_relu(value, kMost));
#else
  const std::int32_t low = value < kMost ? value : kMost;
  return static_cast<std::uint32_t>(low > 0 ? low : 0);
#endif
}

}  // namespace gpuhisto::kernels
