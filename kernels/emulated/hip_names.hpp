// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The names of HIP that this project uses, for execution on the host: what kernels say (threadIdx, __syncthreads,
// atomicAdd) and what hosts call (hipMalloc, streams, events). Only runtime/gpu.hpp includes it for kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "emulated/scheduler.hpp"

// --- kernels
// -----------------------------------------------------------------------------------------------------------
#define __global__ static
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))

using dim3 = gpuhisto::emulated::Extent;
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(8) uint2 {
  unsigned x, y;
};
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

#define threadIdx (::gpuhisto::emulated::thread_index())
#define blockIdx (::gpuhisto::emulated::block_index())
#define blockDim (::gpuhisto::emulated::block_extent())
#define gridDim (::gpuhisto::emulated::grid_extent())
#define warpSize (::gpuhisto::emulated::wave_size())
#define __syncthreads() (::gpuhisto::emulated::barrier(0, 0, {__FILE__, __LINE__}))
#define HIP_DYNAMIC_SHARED(type, name) type* const name = static_cast<type*>(::gpuhisto::emulated::dynamic_shared())

template <typename T>
inline T atomicAdd(T* address, std::type_identity_t<T> value) {
  gpuhisto::emulated::note_atomic(address);
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}

template <typename T>
inline T atomicExch(T* address, std::type_identity_t<T> value) {
  gpuhisto::emulated::note_atomic(address);
  return __atomic_exchange_n(address, value, __ATOMIC_RELAXED);
}

/// A full fence as an atomic update of one word: thread sanitizers understand that, and not bare fences.
inline void __threadfence() {
  static std::uint32_t order;
  __atomic_fetch_add(&order, 1u, __ATOMIC_SEQ_CST);
}

// --- host
// --------------------------------------------------------------------------------------------------------------
enum hipError_t : int {
  hipSuccess = 0,
  hipErrorInvalidValue = 1,
  hipErrorOutOfMemory = 2,
  hipErrorInvalidConfiguration = 9,
  hipErrorInsufficientDriver = 35,
  hipErrorNoDevice = 100,
  hipErrorInvalidDevice = 101,
  hipErrorNotReady = 600,
  hipErrorLaunchFailure = 719,
  hipErrorUnknown = 999,
};
enum hipMemcpyKind { hipMemcpyHostToDevice = 1, hipMemcpyDeviceToHost = 2, hipMemcpyDeviceToDevice = 3 };
enum hipDeviceAttribute_t {
  hipDeviceAttributeMultiprocessorCount,
  hipDeviceAttributeWarpSize,
  hipDeviceAttributeMaxThreadsPerBlock,
  hipDeviceAttributeMaxSharedMemoryPerBlock,
  hipDeviceAttributeMaxSharedMemoryPerMultiprocessor,
  hipDeviceAttributeMaxThreadsPerMultiProcessor,
  hipDeviceAttributeComputeCapabilityMajor,
  hipDeviceAttributeComputeCapabilityMinor,
};
enum hipFuncAttribute { hipFuncAttributeMaxDynamicSharedMemorySize };
struct hipFuncAttributes {
  int numRegs = 0;
  std::size_t sharedSizeBytes = 0;
  std::size_t localSizeBytes = 0;
  int maxThreadsPerBlock = 0;
};
struct EmulatedStream;
struct EmulatedEvent;
using hipStream_t = EmulatedStream*;
using hipEvent_t = EmulatedEvent*;
inline constexpr unsigned hipHostMallocDefault = 0;
inline constexpr unsigned hipStreamNonBlocking = 1;
inline constexpr unsigned hipEventBlockingSync = 1, hipEventDisableTiming = 2;

const char* hipGetErrorName(hipError_t error);
const char* hipGetErrorString(hipError_t error);
hipError_t hipGetLastError();
hipError_t hipPeekAtLastError();
hipError_t hipGetDeviceCount(int* count);
hipError_t hipGetDevice(int* device);
hipError_t hipSetDevice(int device);
hipError_t hipDeviceGetName(char* name, int length, int device);
hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int device);
hipError_t hipDriverGetVersion(int* version);
hipError_t hipRuntimeGetVersion(int* version);
hipError_t hipDeviceSynchronize();
hipError_t hipDeviceTotalMem(std::size_t* bytes, int device);
hipError_t hipMalloc(void** pointer, std::size_t bytes);
hipError_t hipFree(void* pointer);
hipError_t hipHostMalloc(void** pointer, std::size_t bytes, unsigned flags);
hipError_t hipHostFree(void* pointer);
hipError_t hipMemcpyAsync(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind, hipStream_t stream);
hipError_t hipMemsetAsync(void* to, int value, std::size_t bytes, hipStream_t stream);
hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags);
hipError_t hipStreamDestroy(hipStream_t stream);
hipError_t hipStreamSynchronize(hipStream_t stream);
hipError_t hipEventCreate(hipEvent_t* event);
hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags);
hipError_t hipEventDestroy(hipEvent_t event);
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream);
hipError_t hipEventSynchronize(hipEvent_t event);
hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t from, hipEvent_t to);
hipError_t hipFuncSetAttribute(const void* kernel, hipFuncAttribute attribute, int value);
hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, const void* kernel);
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int lanes,
                                                        std::size_t shared_bytes);

namespace gpuhisto::emulated {
/// Keeps the error of a launch for hipGetLastError.
void set_last_error(int error);

template <typename Body>
void run_lanes(dim3 grid, dim3 block, std::size_t shared_bytes, Body body) {
  set_last_error(run({grid, block, shared_bytes, [](void* b) { (*static_cast<Body*>(b))(); }, &body}));
}
}  // namespace gpuhisto::emulated

#define hipLaunchKernelGGL(kernel, grid, block, shared_bytes, stream, ...) \
  (static_cast<void>(stream),                                              \
   ::gpuhisto::emulated::run_lanes((grid), (block), (shared_bytes), [=] { (kernel)(__VA_ARGS__); }))
