// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Bytes to floats and back without conversions, which are slow on NVIDIA: where a float's unit in the last place is 1,
// its lowest bits are the integer.
#pragma once

#include "device/bytes.hpp"

namespace gpuhisto::kernels {

template <int kByte>
__device__ __forceinline__ float float_of(std::uint32_t word) {
#if defined(GPUHISTO_PLATFORM_CUDA) && defined(__CUDA_ARCH__)
  return __uint_as_float(__byte_perm(word, 0x4b000000u, 0x7440u + kByte)) - 8388608.0f;  // 2^23
#else
  return static_cast<float>(byte_of<kByte>(word));
#endif
}

/// To the nearest integer, a tie to the even one, of 0 to 255: in byte 0, all that pack_bytes() looks at on NVIDIA.
/// Elsewhere the other bytes are 0.
__device__ __forceinline__ std::uint32_t rounded(float value) {
  const float moved = value + 12582912.0f;  // 1.5 * 2^23
#if defined(GPUHISTO_PLATFORM_EMULATED)
  return __builtin_bit_cast(std::uint32_t, moved) & 255u;
#elif defined(GPUHISTO_PLATFORM_CUDA)
  return __float_as_uint(moved);
#else
  return __float_as_uint(moved) & 255u;
#endif
}

}  // namespace gpuhisto::kernels
