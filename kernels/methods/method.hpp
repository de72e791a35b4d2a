// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What a counting method is. To add one: copy the file of the nearest, add a line to registry.cpp and to
// CMakeLists.txt.
#pragma once

#include <string>

#include "device/block_bins.hpp"
#include "methods/policy.hpp"
#include "plugin.h"
#include "runtime/buffer.hpp"
#include "runtime/device.hpp"
#include "runtime/stream.hpp"

namespace gpuhisto::kernels {

/// Pixels of one launch at most: every 32-bit counter then holds, and so do positions with a step past the end.
inline constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 31;

/// What to count in one launch.
struct CountTask {
  PixelView view;
  unsigned channels = 1;  ///< interleaved in a pixel
  gpuhisto_luma luma = GPUHISTO_LUMA_NONE;
  bool skip_transparent = false;
  const std::uint8_t* mask = nullptr;  ///< one byte a pixel, or none
  std::size_t mask_pitch = 0;
};

/// Where a launch runs and what it may use.
struct LaunchContext {
  const DeviceTraits& device;
  const Stream& queue;
  DeviceBuffer& workspace;        ///< kept between launches; holds anything
  std::uint32_t* bins = nullptr;  ///< device, kChannels x kBins, all zero: a launcher adds the counts
  std::uint32_t* next = nullptr;  ///< the next launch's bins, holding anything: a launcher leaves them zero
  Event* between = nullptr;       ///< recorded between a method's two kernels, where it has two

  hipStream_t stream() const { return queue.get(); }
};

/// What a launch looks like.
struct LaunchInfo {
  const void* kernel = nullptr;
  const char* name = "";
  LaunchShape shape;
  unsigned passes = 1;  ///< over the pixels
};

struct Method {
  const char* name;
  const char* summary;
  bool exact;
  bool hidden;
  /// "" or why it cannot do this task with this policy on this device: the limit by name.
  std::string (*refusal)(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device);
  /// Fills what is zero in the policy.
  void (*tune)(const CountTask& task, const DeviceTraits& device, KernelPolicy& policy);
  LaunchInfo (*describe)(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device);
  void (*run)(const CountTask& task, const KernelPolicy& policy, LaunchContext& context);
};

const Method& per_grid_method();
const Method& per_grid_vec4_method();
const Method& wave_aggregated_method();
const Method& per_block_method();
const Method& per_block_partial_method();
const Method& per_thread_method();
const Method& vendor_method();
const Method& unsafe_nonatomic_method();

}  // namespace gpuhisto::kernels
