// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// vendor for keys: the histogram of the GPU maker's own library, CUB on NVIDIA and rocPRIM on AMD, as the yardstick.
// Idea: what anyone gets without writing a kernel.
// Wins when: never here; it is general.
// Loses when: there are more than 256 bins, which it then keeps in global memory.
// Limits: rule RANGE, up to kMostBins bins (it keeps all of them for every block), 2^30 keys a launch.
// Source: cub::DeviceHistogram, rocprim::histogram_even.
#include "methods/keys/launching.hpp"

#if defined(GPUHISTO_PLATFORM_CUDA)
#include <cub/device/device_histogram.cuh>
#elif defined(GPUHISTO_PLATFORM_HIP) && defined(GPUHISTO_WITH_ROCPRIM)
#include <iostream>  // which rocPRIM 5 uses and does not include
#include <rocprim/device/device_histogram.hpp>
#endif

namespace gpuhisto::kernels {
namespace {

constexpr std::uint64_t kMostBins = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostSamples = kMostPixels / 2;  // the libraries count them in signed 32 bits

#if defined(GPUHISTO_PLATFORM_CUDA)
constexpr bool kPresent = true;
hipError_t even(void* space, std::size_t& bytes, const KeyTask& task, std::uint32_t* bins, hipStream_t stream) {
  return cub::DeviceHistogram::HistogramEven(
      space, bytes, reinterpret_cast<const std::uint32_t*>(task.view.data), bins, static_cast<int>(task.bins + 1),
      std::uint32_t{0}, static_cast<std::uint32_t>(task.bins), static_cast<long long>(task.view.width),
      static_cast<long long>(task.view.rows), task.view.pitch, stream);
}
#elif defined(GPUHISTO_PLATFORM_HIP) && defined(GPUHISTO_WITH_ROCPRIM)
constexpr bool kPresent = true;
hipError_t even(void* space, std::size_t& bytes, const KeyTask& task, std::uint32_t* bins, hipStream_t stream) {
  return rocprim::histogram_even(space, bytes, reinterpret_cast<const std::uint32_t*>(task.view.data), task.view.width,
                                 task.view.rows, task.view.pitch, bins, static_cast<unsigned>(task.bins + 1),
                                 std::uint32_t{0}, static_cast<std::uint32_t>(task.bins), stream);
}
#else
constexpr bool kPresent = false;
hipError_t even(void*, std::size_t&, const KeyTask&, std::uint32_t*, hipStream_t) { return hipSuccess; }
#endif

std::string refusal(const KeyTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  if (!kPresent) return "this module was built without the vendor's library";
  if (task.rule != GPUHISTO_BIN_RANGE) return "the vendor's library bins keys by range, not modulo";
  if (task.bins > kMostBins)
    return std::to_string(task.bins) + " bins are more than the " + std::to_string(kMostBins) +
           " that the vendor's library has memory for: it keeps them for every block";
  if (policy.bound > kMostSamples)
    return "bound=" + std::to_string(policy.bound) + " is more than the " + std::to_string(kMostSamples) +
           " keys that the vendor's library counts at once";
  return check_key_policy(task, policy, device);
}

void tune(const KeyTask& task, const DeviceTraits& device, KernelPolicy& policy) {
  if (policy.bound == 0) policy.bound = kMostSamples;
  tune_keys(task, device, device.wave_size, policy);
}

LaunchInfo describe(const KeyTask&, const KernelPolicy&, const DeviceTraits&) {
  return {nullptr, "the library's own", {}, 1};
}

void run(const KeyTask& task, const KernelPolicy&, LaunchContext& context) {
  if (task.keys() == 0 || context.next) clear_key_bins(task, context);
  if (task.keys() == 0) return;
  std::size_t bytes = 0;
  GPUHISTO_CHECK(even(nullptr, bytes, task, context.bins, context.stream()));
  context.workspace.reserve(std::max<std::size_t>(bytes, 1));
  GPUHISTO_CHECK(even(context.workspace.as<void>(), bytes, task, context.bins, context.stream()));
}

}  // namespace

const KeyMethod& vendor_keys() {
  static constexpr KeyMethod kMethod = {vendor_names.name, refusal, tune, describe, run};
  return kMethod;
}

}  // namespace gpuhisto::kernels
