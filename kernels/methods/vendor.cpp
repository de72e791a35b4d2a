// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// vendor: the histogram of the GPU maker's own library, CUB on NVIDIA and rocPRIM on AMD, as the yardstick.
// Idea: what anyone gets without writing a kernel.
// Wins when: bins are not 256, or keys not bytes: the libraries are general.
// Loses when: values repeat or spread unevenly: their bins are shared by a block.
// Limits: no predicates; luma is a second call, over pixels turned into luma one by one.
// Source: cub::DeviceHistogram, rocprim::histogram_even.
#include "methods/launching.hpp"

#if defined(GPUHISTO_PLATFORM_CUDA)
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_histogram.cuh>
#include <cuda/std/iterator>
#elif defined(GPUHISTO_PLATFORM_HIP) && defined(GPUHISTO_WITH_ROCPRIM)
#include <iostream>  // which rocPRIM 5 uses and does not include
#include <rocprim/device/device_histogram.hpp>
#include <rocprim/iterator/counting_iterator.hpp>
#include <rocprim/iterator/transform_iterator.hpp>
#endif

namespace gpuhisto::kernels {
namespace {

constexpr std::uint64_t kMostSamples = kMostPixels / 2;  // the libraries count them in signed 32 bits

#if defined(GPUHISTO_PLATFORM_CUDA) || (defined(GPUHISTO_PLATFORM_HIP) && defined(GPUHISTO_WITH_ROCPRIM))
constexpr bool kPresent = true;

/// Luma of pixel i of a view.
template <typename Format>
struct LumaOfPixel {
  PixelView view;
  LumaWeights weights;
  __device__ std::uint8_t operator()(std::uint32_t i) const {
    const std::uint8_t* at = view.row(i / view.width) + std::size_t{i % view.width} * Format::kPixelBytes;
    const typename Format::Luma luma(weights);
    return static_cast<std::uint8_t>(byte_of<2>(luma.template of<0>(load_pixel<Format>(at), 0)));
  }
};

constexpr int kLevels = kBins + 1;

#if defined(GPUHISTO_PLATFORM_CUDA)
template <typename Samples>
hipError_t even(void* space, std::size_t& bytes, Samples samples, std::uint32_t* bins, const PixelView& view,
                hipStream_t stream) {
  return cub::DeviceHistogram::HistogramEven(space, bytes, samples, bins, kLevels, 0, int{kBins},
                                             static_cast<long long>(view.width), static_cast<long long>(view.rows),
                                             view.pitch, stream);
}
template <int kChannelsInPixel, int kActive>
hipError_t multi(void* space, std::size_t& bytes, const PixelView& view, std::uint32_t* const (&bins)[kActive],
                 hipStream_t stream) {
  ::cuda::std::array<std::uint32_t*, kActive> results{};
  ::cuda::std::array<int, kActive> levels{}, lowest{}, highest{};
  for (int i = 0; i < kActive; ++i) {
    results[i] = bins[i];
    levels[i] = kLevels;
    highest[i] = int{kBins};
  }
  return cub::DeviceHistogram::MultiHistogramEven<kChannelsInPixel, kActive>(
      space, bytes, view.data, results, levels, lowest, highest, static_cast<long long>(view.width),
      static_cast<long long>(view.rows), view.pitch, stream);
}
template <typename Function>
auto transformed(Function function) {
  return thrust::make_transform_iterator(thrust::make_counting_iterator<std::uint32_t>(0), function);
}
#else
template <typename Samples>
hipError_t even(void* space, std::size_t& bytes, Samples samples, std::uint32_t* bins, const PixelView& view,
                hipStream_t stream) {
  return rocprim::histogram_even(space, bytes, samples, view.width, view.rows, view.pitch, bins, unsigned{kLevels}, 0,
                                 int{kBins}, stream);
}
template <int kChannelsInPixel, int kActive>
hipError_t multi(void* space, std::size_t& bytes, const PixelView& view, std::uint32_t* const (&bins)[kActive],
                 hipStream_t stream) {
  std::uint32_t* results[kActive];
  unsigned levels[kActive];
  int lowest[kActive], highest[kActive];
  for (int i = 0; i < kActive; ++i) {
    results[i] = bins[i];
    levels[i] = kLevels;
    lowest[i] = 0;
    highest[i] = int{kBins};
  }
  return rocprim::multi_histogram_even<kChannelsInPixel, kActive>(space, bytes, view.data, view.width, view.rows,
                                                                  view.pitch, results, levels, lowest, highest, stream);
}
template <typename Function>
auto transformed(Function function) {
  return rocprim::make_transform_iterator(rocprim::make_counting_iterator<std::uint32_t>(0), function);
}
#endif

/// Asks how much space a call needs, then calls.
template <typename Call>
void with_space(LaunchContext& context, Call call) {
  std::size_t bytes = 0;
  GPUHISTO_CHECK(call(nullptr, bytes));
  context.workspace.reserve(std::max<std::size_t>(bytes, 1));
  GPUHISTO_CHECK(call(context.workspace.as<void>(), bytes));
}

template <int kChannelsInPixel>
void count_channels(const CountTask& task, LaunchContext& context) {
  static constexpr unsigned kOrder[5][4] = {{}, {0}, {0, 4}, {1, 2, 3}, {1, 2, 3, 4}};
  std::uint32_t* bins[kChannelsInPixel];
  for (int i = 0; i < kChannelsInPixel; ++i) bins[i] = context.bins + kOrder[kChannelsInPixel][i] * kBins;
  with_space(context, [&](void* space, std::size_t& bytes) {
    return multi<kChannelsInPixel, kChannelsInPixel>(space, bytes, task.view, bins, context.stream());
  });
}

/// The view as one row of positions: the iterator turns them into pixels.
void count_luma(const CountTask& task, LaunchContext& context) {
  PixelView positions;
  positions.width = static_cast<std::uint32_t>(pixels_of(task));
  positions.rows = 1;
  positions.pitch = positions.width;
  with_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    const LumaOfPixel<Format> function = {task.view, luma_weights(task.luma)};
    with_space(context, [&](void* space, std::size_t& bytes) {
      return even(space, bytes, transformed(function), context.bins, positions, context.stream());
    });
  });
}

void count_all(const CountTask& task, LaunchContext& context) {
  if (task.channels == 1)
    with_space(context, [&](void* space, std::size_t& bytes) {
      return even(space, bytes, task.view.data, context.bins, task.view, context.stream());
    });
  else if (task.channels == 2)
    count_channels<2>(task, context);
  else if (task.channels == 3)
    count_channels<3>(task, context);
  else
    count_channels<4>(task, context);
  if (task.channels >= 3 && task.luma != GPUHISTO_LUMA_NONE) count_luma(task, context);
}
#else
constexpr bool kPresent = false;
void count_all(const CountTask&, LaunchContext&) {}
#endif

std::string refusal(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  if (!kPresent) return "this module was built without the vendor's library";
  if (policy.bound > kMostSamples)
    return "bound=" + std::to_string(policy.bound) + " is more than the " + std::to_string(kMostSamples) +
           " pixels that the vendor's library counts at once";
  return check_policy(task, policy, device);
}

void tune(const CountTask& task, const DeviceTraits& device, KernelPolicy& policy) {
  if (policy.bound == 0) policy.bound = kMostSamples;
  tune_common(task, device, device.wave_size, policy);
}

LaunchInfo describe(const CountTask& task, const KernelPolicy&, const DeviceTraits&) {
  const bool second = task.channels >= 3 && task.luma != GPUHISTO_LUMA_NONE;
  return {nullptr, "the library's own", {}, second ? 2u : 1u};
}

void run(const CountTask& task, const KernelPolicy&, LaunchContext& context) {
  clear_next(context);
  if (pixels_of(task) != 0) count_all(task, context);
}

}  // namespace

const Method& vendor_method() {
  static constexpr Method kMethod = {vendor_names, refusal, tune, describe, run};
  return kMethod;
}

}  // namespace gpuhisto::kernels
