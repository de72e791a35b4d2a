// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "methods/launching.hpp"

namespace gpuhisto::kernels {

LumaWeights luma_weights(gpuhisto_luma rule) {
  switch (rule) {
    case GPUHISTO_LUMA_BT601:
      return {2 * 9798, 2 * 19235, 2 * 3735, 2 * 16384};
    case GPUHISTO_LUMA_BT709:
      return {2 * 6966, 2 * 23436, 2 * 2366, 2 * 16384};
    case GPUHISTO_LUMA_AVERAGE:
      return {21846, 21846, 21846, 21846};
    case GPUHISTO_LUMA_YCRCB14:
      return {4 * 4899, 4 * 9617, 4 * 1868, 4 * 8192};
    case GPUHISTO_LUMA_NONE:
    case GPUHISTO_LUMA_VALUE:
      break;
  }
  return {};
}

unsigned slots_of(const CountTask& task) {
  return task.channels < 3 ? task.channels : task.channels + (task.luma == GPUHISTO_LUMA_NONE ? 0 : 1);
}

unsigned lanes_for(const PixelView& view, unsigned unit_pixels, unsigned block) {
  if (view.rows == 1) return block;
  return view.width >= 96 * unit_pixels ? 32 : 16;
}

unsigned grid_for(std::uint64_t pixels, std::uint64_t pixels_per_block, const KernelPolicy& policy,
                  const DeviceTraits& device) {
  if (policy.grid != 0) return policy.grid;
  const std::uint64_t needed = std::max<std::uint64_t>(1, (pixels + pixels_per_block - 1) / pixels_per_block);
  const std::uint64_t most = std::max<std::uint64_t>(1, kMostGridThreads / std::max(1u, policy.block));
  return static_cast<unsigned>(std::min({needed, std::uint64_t{policy.blocks} * device.multiprocessors, most}));
}

std::string check_policy(const CountTask&, const KernelPolicy& policy, const DeviceTraits& device) {
  const auto text = [](std::uint64_t n) { return std::to_string(n); };
  if (policy.block > device.max_block_threads)
    return "block=" + text(policy.block) + " is more than the " + text(device.max_block_threads) +
           " threads of a block";
  if (policy.block % device.wave_size != 0)
    return "block=" + text(policy.block) + " is no multiple of the wave size " + text(device.wave_size);
  if (policy.lanes < 16 || policy.block % policy.lanes != 0)
    return "lanes=" + text(policy.lanes) + " must be 16 or more and divide block=" + text(policy.block);
  if (policy.replicas > 32 || (policy.replicas & (policy.replicas - 1)) != 0)
    return "replicas=" + text(policy.replicas) + " must be a power of two up to 32";
  if (std::uint64_t{policy.grid} * policy.block > kMostGridThreads)
    return "grid=" + text(policy.grid) + " blocks of " + text(policy.block) + " threads are more than the " +
           text(kMostGridThreads) + " threads 32-bit positions allow";
  if (policy.bound > kMostPixels)
    return "bound=" + text(policy.bound) + " is more than the " + text(kMostPixels) + " pixels 32-bit positions allow";
  return "";
}

void tune_common(const CountTask& task, const DeviceTraits& device, std::uint32_t block, KernelPolicy& policy) {
  static constexpr unsigned kUnitPixels[] = {16, 16, 8, 16, 4};
  if (policy.block == 0) policy.block = std::min(block, device.max_block_threads);
  if (policy.blocks == 0) policy.blocks = std::max(1u, device.threads_per_multiprocessor / policy.block);
  if (policy.replicas == 0) policy.replicas = 1;
  if (policy.lanes == 0) policy.lanes = lanes_for(task.view, kUnitPixels[task.channels], policy.block);
  if (policy.bound == 0) policy.bound = kMostPixels;
}

void clear_next(const LaunchContext& context) {
  GPUHISTO_CHECK(hipMemsetAsync(context.next, 0, sizeof(std::uint32_t) * kChannels * kBins, context.stream()));
}

}  // namespace gpuhisto::kernels
