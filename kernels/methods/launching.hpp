// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What launchers share: choosing a kernel's instantiation, shaping grids, checking policies.
#pragma once

#include <algorithm>

#include "device/completion.hpp"
#include "methods/method.hpp"

namespace gpuhisto::kernels {

LumaWeights luma_weights(gpuhisto_luma rule);

/// Bytes that the runtime takes of a multiprocessor's shared memory for each block.
#if defined(GPUHISTO_PLATFORM_CUDA)
inline constexpr std::size_t kRuntimesShared = 1024;
#else
inline constexpr std::size_t kRuntimesShared = 0;
#endif

/// Where a launch reads and writes: what every counting kernel takes.
struct CountArguments {
  PixelView view;
  RowPlan plan;
  LumaWeights luma;
  std::uint32_t* bins = nullptr;  ///< kChannels x kBins
  std::uint32_t* next = nullptr;  ///< as large: what the kernel zeroes, if it does
  unsigned replicas = 1;
};

template <typename Format>
struct FormatTag {
  using type = Format;
};

/// Calls use(FormatTag<F>) for RGB and RGBA with a luma form.
template <typename LumaForm, typename Use>
auto with_color_format(const CountTask& task, Use use) {
  if (task.channels == 3) return use(FormatTag<RgbFormat<LumaForm>>{});
  if (task.skip_transparent) return use(FormatTag<RgbaFormat<LumaForm, Take::kSkipTransparent>>{});
  return use(FormatTag<RgbaFormat<LumaForm, Take::kAll>>{});
}

/// Calls use(FormatTag<F>) for gray with or without alpha.
template <typename Use>
auto with_gray_format(const CountTask& task, Use use) {
  if (task.channels == 1) return use(FormatTag<GrayFormat>{});
  if (task.skip_transparent) return use(FormatTag<GrayAlphaFormat<Take::kSkipTransparent>>{});
  return use(FormatTag<GrayAlphaFormat<Take::kAll>>{});
}

/// Calls use(FormatTag<F>) with the format that the task needs.
template <typename Use>
auto with_format(const CountTask& task, Use use) {
  if (task.channels < 3) return with_gray_format(task, use);
  if (task.luma == GPUHISTO_LUMA_NONE) return with_color_format<NoLuma>(task, use);
  if (task.luma == GPUHISTO_LUMA_VALUE) return with_color_format<LargestLuma>(task, use);
  return with_color_format<WeightedLuma>(task, use);
}

/// How many histograms the task fills.
unsigned slots_of(const CountTask& task);

/// Teams of `lanes` threads for rows of this width, `loads` units a thread.
template <typename Format>
RowPlan plan_rows(const PixelView& view, unsigned lanes, unsigned loads) {
  const std::uint64_t units = (std::uint64_t{view.width} + Format::kUnitPixels - 1) / Format::kUnitPixels;
  const std::uint64_t per_segment = std::uint64_t{lanes} * loads;
  RowPlan plan;
  plan.lanes = lanes;
  plan.segments = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, (units + per_segment - 1) / per_segment));
  return plan;
}

/// Threads that take a row together when the policy does not say: fewer for narrow rows, so that fewer idle.
unsigned lanes_for(const PixelView& view, unsigned kUnitPixels, unsigned block);

/// For a launch of that many blocks.
template <typename Format>
CountArguments arguments(const CountTask& task, const KernelPolicy& policy, unsigned loads, unsigned blocks,
                         std::uint32_t* bins) {
  CountArguments a;
  a.view = task.view;
  a.plan = plan_rows<Format>(task.view, policy.lanes, loads);
  a.plan.set_teams(policy.block / policy.lanes * blocks);
  a.luma = luma_weights(task.luma);
  a.bins = bins;
  a.replicas = policy.replicas;
  return a;
}

/// The same for kernels that zero the next bins themselves.
template <typename Format>
CountArguments zeroing_arguments(const CountTask& task, const KernelPolicy& policy, unsigned loads, unsigned blocks,
                                 const LaunchContext& context) {
  CountArguments a = arguments<Format>(task, policy, loads, blocks, context.bins);
  a.next = context.next;
  return a;
}

/// Threads of a launch at most: a position and eight steps of all threads are below 2^32.
inline constexpr std::uint64_t kMostGridThreads = std::uint64_t{1} << 27;

/// The policy's grid, or as many blocks as it asks for, but none without work.
unsigned grid_for(std::uint64_t pixels, std::uint64_t pixels_per_block, const KernelPolicy& policy,
                  const DeviceTraits& device);

inline std::uint64_t pixels_of(const CountTask& task) { return std::uint64_t{task.view.width} * task.view.rows; }

/// What every method needs of a policy: blocks of whole waves that the device can run, teams that divide them. "" when
/// good.
std::string check_policy(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device);

/// Sets block, blocks, lanes and bound where they are zero.
void tune_common(const CountTask& task, const DeviceTraits& device, std::uint32_t block, KernelPolicy& policy);

/// Zeroes the next launch's bins, for kernels that do not.
void clear_next(const LaunchContext& context);

/// How most methods run: kernel_of(FormatTag<F>) is the one kernel, which takes CountArguments and does not zero the
/// next launch's bins.
template <typename KernelOf>
void launch_one_kernel(const CountTask& task, const KernelPolicy& policy, const LaunchShape& shape,
                       const LaunchContext& context, KernelOf kernel_of) {
  clear_next(context);
  if (pixels_of(task) == 0) return;
  with_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    launch(kernel_of(tag), shape, context.stream(), arguments<Format>(task, policy, 1, shape.blocks, context.bins));
  });
}

}  // namespace gpuhisto::kernels
