// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The host half of HIP over ordinary memory: allocations filled with garbage and guarded, copies, streams that run at
// once, events that read the clock, and errors that tests can plan.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <string>

#include "emulated/hip_names.hpp"
#include "emulated/state.hpp"

struct EmulatedStream {
  int unused = 0;
};
struct EmulatedEvent {
  std::chrono::steady_clock::time_point time;
};

namespace gpuhisto::emulated {
namespace {

constexpr std::size_t kAlignment = 256;  // what device allocations have

struct Allocation {
  std::size_t bytes = 0;
  bool on_device = false;
};

std::mutex mutex;
std::map<void*, Allocation> allocations;
std::size_t device_bytes = 0;
thread_local int current_device = 0;
thread_local hipError_t last_error = hipSuccess;

hipError_t remember(hipError_t error) {
  if (error != hipSuccess) last_error = error;
  return error;
}

hipError_t failure(const char* call) { return remember(static_cast<hipError_t>(planned_failure(call))); }
/// Of a call that names a device.
hipError_t failure(const char* call, int device) {
  if (device < 0 || device >= kDevices) return remember(hipErrorInvalidDevice);
  char with_device[64];
  std::snprintf(with_device, sizeof with_device, "%s(%d)", call, device);
  const hipError_t error = failure(with_device);
  return error ? error : failure(call);
}

hipError_t allocate(void** pointer, std::size_t bytes, bool on_device) {
  std::lock_guard lock(mutex);
  if (on_device && device_bytes + bytes > config().memory_bytes) return remember(hipErrorOutOfMemory);
  *pointer = ::operator new (bytes + kCanaryBytes, std::align_val_t{kAlignment}, std::nothrow);
  if (!*pointer) return remember(hipErrorOutOfMemory);
  std::memset(*pointer, kGarbage, bytes);
  std::memset(static_cast<unsigned char*>(*pointer) + bytes, kCanary, kCanaryBytes);
  allocations[*pointer] = {bytes, on_device};
  if (on_device) device_bytes += bytes;
  return hipSuccess;
}

hipError_t release(void* pointer, bool on_device) {
  if (!pointer) return hipSuccess;
  std::lock_guard lock(mutex);
  const auto found = allocations.find(pointer);
  if (found == allocations.end() || found->second.on_device != on_device) return remember(hipErrorInvalidValue);
  const unsigned char* end = static_cast<unsigned char*>(pointer) + found->second.bytes;
  if (std::any_of(end, end + kCanaryBytes, [](unsigned char byte) { return byte != kCanary; }))
    add_fault("an allocation of " + std::to_string(found->second.bytes) + " bytes was written past its end");
  if (on_device) device_bytes -= found->second.bytes;
  allocations.erase(found);
  ::operator delete (pointer, std::align_val_t{kAlignment});
  return hipSuccess;
}

struct Name {
  hipError_t error;
  const char* name;
  const char* text;
};
constexpr Name kNames[] = {
    {hipSuccess, "hipSuccess", "no error"},
    {hipErrorInvalidValue, "hipErrorInvalidValue", "invalid argument"},
    {hipErrorOutOfMemory, "hipErrorOutOfMemory", "out of memory"},
    {hipErrorInvalidConfiguration, "hipErrorInvalidConfiguration", "invalid configuration argument"},
    {hipErrorInsufficientDriver, "hipErrorInsufficientDriver",
     "driver version is insufficient for the runtime version"},
    {hipErrorNoDevice, "hipErrorNoDevice", "no device is detected"},
    {hipErrorInvalidDevice, "hipErrorInvalidDevice", "invalid device ordinal"},
    {hipErrorNotReady, "hipErrorNotReady", "device not ready"},
    {hipErrorLaunchFailure, "hipErrorLaunchFailure", "unspecified launch failure"},
    {hipErrorUnknown, "hipErrorUnknown", "unknown error"},
};
const Name& named(hipError_t error) {
  for (const Name& name : kNames)
    if (name.error == error) return name;
  return kNames[std::size(kNames) - 1];
}

}  // namespace

void set_last_error(int error) {
  const int planned = planned_failure("launch");
  remember(static_cast<hipError_t>(planned ? planned : error));
}

}  // namespace gpuhisto::emulated

using namespace gpuhisto::emulated;

const char* hipGetErrorName(hipError_t error) { return named(error).name; }
const char* hipGetErrorString(hipError_t error) { return named(error).text; }
hipError_t hipPeekAtLastError() { return last_error; }
hipError_t hipGetLastError() {
  const hipError_t error = last_error;
  last_error = hipSuccess;
  return error;
}

hipError_t hipGetDeviceCount(int* count) {
  if (const auto error = failure("hipGetDeviceCount")) return error;
  *count = kDevices;
  return hipSuccess;
}
hipError_t hipGetDevice(int* device) {
  *device = current_device;
  return hipSuccess;
}
hipError_t hipSetDevice(int device) {
  if (const auto error = failure("hipSetDevice", device)) return error;
  current_device = device;
  return hipSuccess;
}
hipError_t hipDeviceGetName(char* name, int length, int device) {
  if (const auto error = failure("hipDeviceGetName", device)) return error;
  std::snprintf(name, static_cast<std::size_t>(length), "GPU emulated on the CPU (waves of %u)",
                device_config(device).wave_size);
  return hipSuccess;
}
hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int device) {
  if (const auto error = failure("hipDeviceGetAttribute", device)) return error;
  const Config& c = device_config(device);
  switch (attribute) {
    case hipDeviceAttributeMultiprocessorCount:
      *value = static_cast<int>(c.multiprocessors);
      break;
    case hipDeviceAttributeWarpSize:
      *value = static_cast<int>(c.wave_size);
      break;
    case hipDeviceAttributeMaxThreadsPerBlock:
      *value = static_cast<int>(c.max_block_lanes);
      break;
    case hipDeviceAttributeMaxSharedMemoryPerBlock:
    case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor:
      *value = static_cast<int>(c.shared_bytes);
      break;
    case hipDeviceAttributeMaxThreadsPerMultiProcessor:
      *value = 2048;
      break;
    case hipDeviceAttributeComputeCapabilityMajor:
    case hipDeviceAttributeComputeCapabilityMinor:
      *value = 0;
      break;
  }
  return hipSuccess;
}
hipError_t hipDriverGetVersion(int* version) { return *version = 0, hipSuccess; }
hipError_t hipRuntimeGetVersion(int* version) { return *version = 0, hipSuccess; }
hipError_t hipDeviceSynchronize() { return failure("hipDeviceSynchronize"); }
hipError_t hipDeviceTotalMem(std::size_t* bytes, int device) {
  if (const auto error = failure("hipDeviceTotalMem", device)) return error;
  *bytes = device_config(device).memory_bytes;
  return hipSuccess;
}

hipError_t hipMalloc(void** pointer, std::size_t bytes) {
  if (const auto error = failure("hipMalloc")) return error;
  return allocate(pointer, bytes, true);
}
hipError_t hipFree(void* pointer) { return gpuhisto::emulated::release(pointer, true); }
hipError_t hipHostMalloc(void** pointer, std::size_t bytes, unsigned) {
  if (const auto error = failure("hipHostMalloc")) return error;
  return allocate(pointer, bytes, false);
}
hipError_t hipHostFree(void* pointer) { return gpuhisto::emulated::release(pointer, false); }

hipError_t hipMemcpyAsync(void* to, const void* from, std::size_t bytes, hipMemcpyKind, hipStream_t) {
  if (const auto error = failure("hipMemcpyAsync")) return error;
  if (bytes) std::memcpy(to, from, bytes);
  return hipSuccess;
}
hipError_t hipMemsetAsync(void* to, int value, std::size_t bytes, hipStream_t) {
  if (const auto error = failure("hipMemsetAsync")) return error;
  if (bytes) std::memset(to, value, bytes);
  return hipSuccess;
}

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned) {
  *stream = new EmulatedStream;
  return hipSuccess;
}
hipError_t hipStreamDestroy(hipStream_t stream) {
  delete stream;
  return hipSuccess;
}
hipError_t hipStreamSynchronize(hipStream_t) { return failure("hipStreamSynchronize"); }
hipError_t hipEventCreate(hipEvent_t* event) {
  *event = new EmulatedEvent;
  return hipSuccess;
}
hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned) { return hipEventCreate(event); }
hipError_t hipEventDestroy(hipEvent_t event) {
  delete event;
  return hipSuccess;
}
hipError_t hipEventRecord(hipEvent_t event, hipStream_t) {
  event->time = std::chrono::steady_clock::now();
  return hipSuccess;
}
hipError_t hipEventSynchronize(hipEvent_t) { return failure("hipEventSynchronize"); }
hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t from, hipEvent_t to) {
  *milliseconds = std::chrono::duration<float, std::milli>(to->time - from->time).count();
  return hipSuccess;
}

hipError_t hipFuncSetAttribute(const void*, hipFuncAttribute, int value) {
  return static_cast<std::size_t>(value) > config().shared_bytes ? remember(hipErrorInvalidValue) : hipSuccess;
}
hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, const void*) {
  if (const auto error = failure("hipFuncGetAttributes", current_device)) return error;
  *attributes = {};
  attributes->maxThreadsPerBlock = static_cast<int>(config().max_block_lanes);
  return hipSuccess;
}
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int lanes, std::size_t shared_bytes) {
  const Config& c = config();
  const std::size_t by_lanes = 2048 / static_cast<std::size_t>(std::max(lanes, 1));
  const std::size_t by_shared = shared_bytes ? c.shared_bytes / shared_bytes : by_lanes;
  *blocks = static_cast<int>(std::min(by_lanes, by_shared));
  return hipSuccess;
}
