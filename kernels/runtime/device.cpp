// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "runtime/device.hpp"

#include <map>
#include <mutex>
#include <utility>

#include "runtime/error_text.hpp"

namespace gpuhisto::kernels {
namespace {

unsigned attribute(hipDeviceAttribute_t which, int device) {
  int value = 0;
  GPUHISTO_CHECK(hipDeviceGetAttribute(&value, which, device));
  return static_cast<unsigned>(value);
}

}  // namespace

const char* platform_name() {
#if defined(GPUHISTO_PLATFORM_HIP)
  return "hip";
#elif defined(GPUHISTO_PLATFORM_CUDA)
  return "cuda";
#else
  return "emulated";
#endif
}

namespace {

struct Explanation {
  Failure failure;    ///< kNoDevice where none is there, kDevice where what is there fails
  std::string words;  ///< a user's, where the error's own mislead: CUDA calls a missing driver an old one
};
Explanation explanation(hipError_t error) {
#if defined(GPUHISTO_PLATFORM_CUDA)
  if (error == hipErrorNoDevice) return {Failure::kNoDevice, "no NVIDIA GPU is found: "};
  int driver = 0, runtime = 0;
  if (error != hipErrorInsufficientDriver || hipDriverGetVersion(&driver) != hipSuccess ||
      hipRuntimeGetVersion(&runtime) != hipSuccess)
    return {Failure::kDevice, ""};
  if (driver == 0) return {Failure::kNoDevice, "no NVIDIA driver is loaded: "};
  const auto version = [](int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); };
  return {Failure::kDevice,
          "the NVIDIA driver serves CUDA " + version(driver) + ", this module needs " + version(runtime) + ": "};
#else
  if (error != hipErrorNoDevice) return {Failure::kDevice, ""};
  return {Failure::kNoDevice, platform_name() == std::string("hip") ? "no AMD GPU is found: " : ""};
#endif
}

}  // namespace

int device_count() {
  int count = 0;  // some runtimes leave it untouched on failure
  const hipError_t error = hipGetDeviceCount(&count);
  if (error != hipSuccess) {
    (void)hipGetLastError();
    const auto [failure, words] = explanation(error);
    throw DeviceError(failure, words + error_text(error));
  }
  if (count == 0) throw DeviceError(Failure::kNoDevice, "the runtime finds no device");
  return count;
}

DeviceTraits device_traits(int index) {
  DeviceTraits traits;
  traits.index = index;
  char name[256] = "";
  GPUHISTO_CHECK(hipDeviceGetName(name, static_cast<int>(sizeof name), index));
  traits.name = name;
  traits.multiprocessors = attribute(hipDeviceAttributeMultiprocessorCount, index);
  traits.wave_size = attribute(hipDeviceAttributeWarpSize, index);
  traits.max_block_threads = attribute(hipDeviceAttributeMaxThreadsPerBlock, index);
  traits.threads_per_multiprocessor = attribute(hipDeviceAttributeMaxThreadsPerMultiProcessor, index);
  traits.shared_per_block = attribute(hipDeviceAttributeMaxSharedMemoryPerBlock, index);
  traits.shared_per_multiprocessor = attribute(hipDeviceAttributeMaxSharedMemoryPerMultiprocessor, index);
  GPUHISTO_CHECK(hipDeviceTotalMem(&traits.memory_bytes, index));
  return traits;
}

void allow_shared_bytes(const void* kernel, std::size_t bytes) {
  static std::mutex mutex;
  static std::map<std::pair<int, const void*>, std::size_t> allowed;  // of each device
  int device = 0;
  GPUHISTO_CHECK(hipGetDevice(&device));
  const std::lock_guard lock(mutex);
  std::size_t& most = allowed[{device, kernel}];
  if (bytes <= most) return;
  GPUHISTO_CHECK(hipFuncSetAttribute(kernel, hipFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  most = bytes;
}

}  // namespace gpuhisto::kernels
