// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What a counting method is. To add one: copy the file of the nearest, and add a line to methods.def.
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

/// What methods.def says of a method.
struct MethodNames {
  const char* name;
  const char* summary;
  bool exact;  ///< false: loses counts, so help does not name it and measurements alone run it
};

/// How a method counts.
struct Method : MethodNames {
  /// "" or why it cannot do this task with this policy on this device: the limit by name.
  std::string (*refusal)(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device);
  /// Fills what is zero in the policy.
  void (*tune)(const CountTask& task, const DeviceTraits& device, KernelPolicy& policy);
  LaunchInfo (*describe)(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device);
  void (*run)(const CountTask& task, const KernelPolicy& policy, LaunchContext& context);
  bool two_kernels = false;
};

// Of each method its names, and the function that its file defines.
#define GPUHISTO_DECLARE_METHOD(function, name, summary, exact)           \
  inline constexpr MethodNames function##_names = {name, summary, exact}; \
  const Method& function##_method();
#define GPUHISTO_METHOD(function, name, summary) GPUHISTO_DECLARE_METHOD(function, name, summary, true)
#define GPUHISTO_INEXACT_METHOD(function, name, summary) GPUHISTO_DECLARE_METHOD(function, name, summary, false)
#include "methods/methods.def"
#undef GPUHISTO_METHOD
#undef GPUHISTO_INEXACT_METHOD
#undef GPUHISTO_DECLARE_METHOD

}  // namespace gpuhisto::kernels
