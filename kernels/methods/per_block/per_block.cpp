// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// per-block: each block counts in shared memory, in up to 32 copies of the bins, and adds its sums to the result.
// Idea: with 32 copies a lane has a memory bank of its own: no conflicts, no contention, whatever the pixels; so the
// kernel
//   runs as fast as memory can be read. 32-bit counters need no rule for overflow.
// Wins when: always, on devices with native shared-memory atomics and room for the copies. The method for production.
// Loses when: shared memory holds few copies only; then it depends on the data again.
// Limits: any image, any predicate; at most 2^31 pixels a launch.
// Source: V. Podlozhnyuk, Histogram calculation in CUDA (2007), for bins per block; copies across banks: measured here.
#include "methods/per_block/forms.hpp"
#include "methods/per_block/kernel.hpp"

namespace gpuhisto::kernels {
namespace {

using namespace per_block;

constexpr std::uint32_t kBlock = 1024;
constexpr std::uint32_t kFusedReplicas = 8, kFusedLoads = 1;

struct Form {
  LaunchInfo (*describe)(const CountTask&, const KernelPolicy&, const DeviceTraits&);
  void (*run)(const CountTask&, const KernelPolicy&, LaunchContext&);
};

bool is_fused(const CountTask& task, const KernelPolicy& policy) {
  return policy.replicas == kFusedReplicas && fused_fits(task);
}

Form choose(const CountTask& task, const KernelPolicy& policy) {
  if (task.mask) return {describe_masked, run_masked};
  if (is_fused(task, policy)) return {describe_fused, run_fused};
  if (flat_fits(task)) return {describe_flat, run_flat};
  return {describe_rows, run_rows};
}

/// As many copies as fit in a block's shared memory.
std::uint32_t most_replicas(const CountTask& task, const DeviceTraits& device) {
  std::uint32_t replicas = kTunedReplicas;
  while (replicas > 1 && block_bins_bytes(slots_of(task), replicas) > device.shared_per_block) replicas /= 2;
  return replicas;
}

std::string refusal(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  const std::string reason = check_policy(task, policy, device);
  if (!reason.empty()) return reason;
  if (is_fused(task, policy) ? policy.loads != kFusedLoads : !has_loads(task, policy))
    return "loads=" + std::to_string(policy.loads) + " is not there for these pixels and this number of copies";
  const std::size_t bytes = block_bins_bytes(slots_of(task), policy.replicas);
  if (bytes > device.shared_per_block)
    return "replicas=" + std::to_string(policy.replicas) + " needs " + std::to_string(bytes) +
           " bytes of shared memory, a block can have " + std::to_string(device.shared_per_block);
  return "";
}

void tune(const CountTask& task, const DeviceTraits& device, KernelPolicy& policy) {
  const bool free_choice = policy.block == 0 && policy.replicas == 0 && policy.loads == 0;
  if (policy.replicas == 0)
    policy.replicas = free_choice && fused_fits(task) ? kFusedReplicas : most_replicas(task, device);
  if (is_fused(task, policy)) {
    if (policy.blocks == 0) policy.blocks = 1;
    if (policy.loads == 0) policy.loads = kFusedLoads;
  }
  if (policy.blocks == 0) {
    const std::size_t bytes = block_bins_bytes(slots_of(task), policy.replicas) + kRuntimesShared;
    const std::uint32_t threads = policy.block ? policy.block : kBlock;
    const auto by_shared = static_cast<std::uint32_t>(device.shared_per_multiprocessor / bytes);
    const std::uint32_t by_registers = slots_of(task) <= 2 ? device.threads_per_multiprocessor / threads : 1;
    policy.blocks = std::max(1u, std::min(by_registers, by_shared));
  }
  if (policy.loads == 0)
    policy.loads = with_format(task, [](auto tag) { return std::uint32_t{decltype(tag)::type::kLoads}; });
  tune_common(task, device, free_choice && fused_fits(task) ? fused_block(task) : kBlock, policy);
}

LaunchInfo describe(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  return choose(task, policy).describe(task, policy, device);
}

void run(const CountTask& task, const KernelPolicy& policy, LaunchContext& context) {
  if (pixels_of(task) == 0) return clear_next(context);
  choose(task, policy).run(task, policy, context);
}

}  // namespace

const Method& per_block_method() {
  static constexpr Method kMethod = {per_block_names, refusal, tune, describe, run};
  return kMethod;
}

}  // namespace gpuhisto::kernels
