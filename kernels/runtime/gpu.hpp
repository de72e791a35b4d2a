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
// Each is called with the place it is called from, for reports of what only part of a wave or block reaches.
inline LaneMask wave_ballot(bool bit, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return gpuhisto::emulated::wave_ballot(bit, {file, line});
}
inline std::uint32_t wave_shuffle_xor(std::uint32_t value, unsigned mask, const char* file = __builtin_FILE(),
                                      int line = __builtin_LINE()) {
  const unsigned source = gpuhisto::emulated::lane_of_wave() ^ mask;
  return static_cast<std::uint32_t>(gpuhisto::emulated::wave_shuffle(value, source, {file, line}));
}
inline std::uint32_t wave_shuffle(std::uint32_t value, unsigned source, const char* file = __builtin_FILE(),
                                  int line = __builtin_LINE()) {
  return static_cast<std::uint32_t>(gpuhisto::emulated::wave_shuffle(value, source, {file, line}));
}
inline void wave_barrier(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  gpuhisto::emulated::wave_barrier({file, line});
}
inline void named_barrier(unsigned id, unsigned threads, const char* file = __builtin_FILE(),
                          int line = __builtin_LINE()) {
  gpuhisto::emulated::barrier(id, threads, {file, line});
}
inline std::uint32_t wave_population(LaneMask lanes) { return static_cast<std::uint32_t>(__builtin_popcountll(lanes)); }
inline uint4 load_once(const uint4* at) { return *at; }
inline void store_once(uint4* at, uint4 value) { *at = value; }
#elif defined(GPUHISTO_PLATFORM_CUDA)
/// The bit of every lane. The whole wave must call it, and so for the shuffle.
__device__ __forceinline__ LaneMask wave_ballot(bool bit) { return __ballot_sync(0xffffffffu, bit); }
/// The value of the lane whose number differs in the bits of `mask`.
__device__ __forceinline__ std::uint32_t wave_shuffle_xor(std::uint32_t value, unsigned mask) {
  return __shfl_xor_sync(0xffffffffu, value, static_cast<int>(mask));
}
/// The value of lane `source`.
__device__ __forceinline__ std::uint32_t wave_shuffle(std::uint32_t value, unsigned source) {
  return __shfl_sync(0xffffffffu, value, static_cast<int>(source));
}
/// Orders shared memory among the lanes of a wave, all of which must call it.
__device__ __forceinline__ void wave_barrier() { __syncwarp(); }
/// How many lanes a mask has.
__device__ __forceinline__ std::uint32_t wave_population(LaneMask lanes) {
  return static_cast<std::uint32_t>(__popcll(lanes));
}
/// Memory that is touched once, for which caches need not keep a line.
__device__ __forceinline__ uint4 load_once(const uint4* at) { return __ldcs(at); }
__device__ __forceinline__ void store_once(uint4* at, uint4 value) { __stcs(at, value); }
/// A barrier of `threads` threads of the block, all the lanes of their waves; `id` from 1 on.
__device__ __forceinline__ void named_barrier(unsigned id, unsigned threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
#else
__device__ __forceinline__ LaneMask wave_ballot(bool bit) { return __ballot(bit); }
__device__ __forceinline__ std::uint32_t wave_shuffle_xor(std::uint32_t value, unsigned mask) {
  return static_cast<std::uint32_t>(__shfl_xor(static_cast<int>(value), static_cast<int>(mask)));
}
__device__ __forceinline__ std::uint32_t wave_shuffle(std::uint32_t value, unsigned source) {
  return static_cast<std::uint32_t>(__shfl(static_cast<int>(value), static_cast<int>(source)));
}
__device__ __forceinline__ void wave_barrier() {
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  __builtin_amdgcn_wave_barrier();
}
__device__ __forceinline__ std::uint32_t wave_population(LaneMask lanes) {
  return static_cast<std::uint32_t>(__popcll(lanes));
}
__device__ __forceinline__ uint4 load_once(const uint4* at) {
  const auto* words = reinterpret_cast<const unsigned*>(at);
  return make_uint4(__builtin_nontemporal_load(words), __builtin_nontemporal_load(words + 1),
                    __builtin_nontemporal_load(words + 2), __builtin_nontemporal_load(words + 3));
}
__device__ __forceinline__ void store_once(uint4* at, uint4 value) {
  auto* words = reinterpret_cast<unsigned*>(at);
  __builtin_nontemporal_store(value.x, words);
  __builtin_nontemporal_store(value.y, words + 1);
  __builtin_nontemporal_store(value.z, words + 2);
  __builtin_nontemporal_store(value.w, words + 3);
}
/// AMD hardware has one barrier a block, so here all of its threads wait: kernels let every group come as often.
__device__ __forceinline__ void named_barrier(unsigned, unsigned) { __syncthreads(); }
#endif
