// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The one door to a GPU. Sources are written in HIP; this header gives them HIP on AMD, the same names over CUDA on
// NVIDIA, and over host execution where there is no GPU compiler. Beyond HIP's own names it offers the few things that
// differ: wave operations, launch bounds, named barriers.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__HIPCC__) || defined(__HIP__)
#define GPUHISTO_PLATFORM_HIP
#include <hip/hip_runtime.h>
#elif defined(__CUDACC__)
#define GPUHISTO_PLATFORM_CUDA
#include "runtime/cuda_names.hpp"
#else
#define GPUHISTO_PLATFORM_EMULATED
#include "emulated/hip_names.hpp"
#endif

/// How many threads a block may have and, where the compiler takes it so, how many blocks shall share a multiprocessor.
#if defined(GPUHISTO_PLATFORM_CUDA)
#define GPUHISTO_LAUNCH_BOUNDS(threads, blocks) __launch_bounds__(threads, blocks)
#elif defined(GPUHISTO_PLATFORM_HIP)
#define GPUHISTO_LAUNCH_BOUNDS(threads, blocks) __launch_bounds__(threads)  // the second means something else in HIP
#else
#define GPUHISTO_LAUNCH_BOUNDS(threads, blocks)
#endif

/// The lanes of a wave, one bit each.
using LaneMask = unsigned long long;

#if defined(GPUHISTO_PLATFORM_EMULATED)
#define GPUHISTO_SITE (::gpuhisto::emulated::Site{__builtin_FILE(), __builtin_LINE()})
inline LaneMask wave_ballot(bool bit, gpuhisto::emulated::Site site = GPUHISTO_SITE) {
  return gpuhisto::emulated::wave_ballot(bit, site);
}
inline std::uint32_t wave_shuffle_xor(std::uint32_t value, unsigned mask,
                                      gpuhisto::emulated::Site site = GPUHISTO_SITE) {
  const unsigned source = gpuhisto::emulated::lane_of_wave() ^ mask;
  return static_cast<std::uint32_t>(gpuhisto::emulated::wave_shuffle(value, source, site));
}
inline void named_barrier(unsigned id, unsigned threads, gpuhisto::emulated::Site site = GPUHISTO_SITE) {
  gpuhisto::emulated::barrier(id, threads, site);
}
#elif defined(GPUHISTO_PLATFORM_CUDA)
/// The bit of every lane. The whole wave must call it, and so for the shuffle.
__device__ __forceinline__ LaneMask wave_ballot(bool bit) { return __ballot_sync(0xffffffffu, bit); }
/// The value of the lane whose number differs in the bits of `mask`.
__device__ __forceinline__ std::uint32_t wave_shuffle_xor(std::uint32_t value, unsigned mask) {
  return __shfl_xor_sync(0xffffffffu, value, static_cast<int>(mask));
}
/// A barrier of `threads` threads of the block, all the lanes of their waves; `id` from 1 on.
__device__ __forceinline__ void named_barrier(unsigned id, unsigned threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
#else
__device__ __forceinline__ LaneMask wave_ballot(bool bit) { return __ballot(bit); }
__device__ __forceinline__ std::uint32_t wave_shuffle_xor(std::uint32_t value, unsigned mask) {
  return static_cast<std::uint32_t>(__shfl_xor(static_cast<int>(value), static_cast<int>(mask)));
}
/// AMD hardware has one barrier a block: launchers give it blocks of one group (see DeviceTraits::named_barriers).
__device__ __forceinline__ void named_barrier(unsigned, unsigned) { __syncthreads(); }
#endif
