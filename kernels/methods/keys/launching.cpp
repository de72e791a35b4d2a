// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "methods/keys/launching.hpp"

namespace gpuhisto::kernels {

CountTask shape_of(const KeyTask& task) {
  CountTask pixels;
  pixels.view = task.view;
  pixels.channels = 4;
  return pixels;
}

KeyArguments key_arguments(const KeyTask& task, const KernelPolicy& policy, const LaunchShape& shape, unsigned loads,
                           const LaunchContext& context) {
  KeyArguments a;
  a.view = task.view;
  a.plan = plan_rows<KeyFormat>(task.view, policy.lanes, loads);
  a.plan.set_teams(policy.block / policy.lanes * shape.blocks);
  a.numbers = make_bin_numbers(task.bins);
  a.to = {context.bins, nullptr, a.numbers.last};
  a.window = static_cast<std::uint32_t>(std::min<std::uint64_t>(task.bins, ~0u));
  a.replicas = policy.replicas;
  return a;
}

void tune_keys(const KeyTask& task, const DeviceTraits& device, std::uint32_t block, KernelPolicy& policy) {
  if (policy.loads == 0) policy.loads = 1;
  tune_common(shape_of(task), device, block, policy);
}

std::string check_key_policy(const KeyTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  return check_policy(shape_of(task), policy, device);
}

std::string check_shared_bins(const KeyTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  const std::size_t bytes = block_key_bytes(task.bins, policy.replicas);
  if (bytes <= device.shared_per_block) return "";
  return std::to_string(task.bins) + " bins in " + std::to_string(policy.replicas) + " copies need " +
         std::to_string(bytes) + " bytes of shared memory, a block can have " + std::to_string(device.shared_per_block);
}

void clear_key_bins(const KeyTask& task, const LaunchContext& context) {
  std::uint32_t* bins = context.next ? context.next : context.bins;
  const std::uint64_t words = context.next ? kMostRingBins : task.bins;
  GPUHISTO_CHECK(hipMemsetAsync(bins, 0, sizeof(std::uint32_t) * words, context.stream()));
}

}  // namespace gpuhisto::kernels
