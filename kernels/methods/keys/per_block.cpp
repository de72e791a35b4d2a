// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// per-block for keys: each block counts in shared memory and adds its sums to the result; by what fits:
// - copies: as many copies of all bins as leave room for two blocks (32 of 256 bins, 4 of 4096 on a Hopper);
// - windows: shared memory holds part of the bins; blocks take turns at the parts, and those that read the same keys
//   run together, so that all but the first get them from the L2 cache;
// - global: still more bins, or hardly more keys than bins: per-grid's kernel, since updates hardly meet.
// Wins when: keys are many to a bin; whatever their distribution, with several copies.
// Loses when: never against global atomics.
// Limits: any number of bins that memory holds; at most 2^31 keys a launch.
// Source: privatisation as in the MI300X study and step 2 of AMD's HIP tutorial (grid=4096,block=256,loads=4: 16 keys
// a thread); copies across banks as for pixels.
#include "device/global_key_bins.hpp"
#include "methods/keys/launching.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr std::uint32_t kBlock = 1024;
constexpr std::uint32_t kSharedBlocks = 2;    // that copies leave room for
constexpr std::uint32_t kTunedReplicas = 32;  // an instantiation of their own
constexpr std::uint32_t kTunedLoads = 4;
constexpr std::uint32_t kLoads = 2;             // of the forms that have no choice
constexpr std::uint64_t kMostWindows = 8;       // each reads all keys, if mostly from the L2 cache
constexpr std::uint64_t kKeysPerWindowBin = 4;  // fewer: a block's sums save no global atomics

enum class Form { kCopies, kWindows, kGlobal };

/// Blocks that share a multiprocessor; a window takes all the shared memory that a block can have.
template <typename Rule>
constexpr unsigned resident_blocks(const Rule*) {
  return kSharedBlocks;
}
template <typename Rule>
constexpr unsigned resident_blocks(const WindowRule<Rule>*) {
  return 1;
}

template <typename Rule, unsigned kReplicas, unsigned kLoadsAtOnce, bool kFlat>
__global__ void GPUHISTO_LAUNCH_BOUNDS(1024, resident_blocks(static_cast<const Rule*>(nullptr)))
    per_block_keys_kernel(KeyArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  const std::uint32_t member = blockIdx.x / a.windows, members = gridDim.x / a.windows;
  const std::uint32_t first = (blockIdx.x - member * a.windows) * a.window;
  const std::uint32_t rest = a.to.last - first;
  const std::uint32_t count = rest < a.window ? rest + 1 : a.window;
  BlockKeyBins<Rule, kReplicas> bins(shared, Rule(a.numbers, {first, count}), count, a.replicas);
  bins.clear();
  __syncthreads();
  const NoLuma luma{LumaWeights{}};
  if constexpr (kFlat)
    read_flat<KeyFormat, kLoadsAtOnce>(a.view, member * blockDim.x + threadIdx.x, members * blockDim.x, luma, bins);
  else
    read_rows<KeyFormat, kLoadsAtOnce>(a.view, a.plan, threadIdx.x / a.plan.lanes * members + member, luma, bins);
  complete_keys(bins, first, a.to);
}

std::uint64_t most_window(const DeviceTraits& device) { return device.shared_per_block / 4; }

std::uint64_t windows_of(const KeyTask& task, const DeviceTraits& device) {
  return (task.bins + most_window(device) - 1) / most_window(device);
}

Form form_of(const KeyTask& task, const DeviceTraits& device) {
  const std::uint64_t windows = windows_of(task, device);
  if (windows == 1) return Form::kCopies;
  return windows <= kMostWindows && task.keys() >= kKeysPerWindowBin * task.bins ? Form::kWindows : Form::kGlobal;
}

bool has_choice_of_loads(const KeyTask& task, Form form) { return form == Form::kCopies && task.view.rows == 1; }

template <typename Rule, unsigned kReplicas>
auto* flat_kernel(const KernelPolicy& policy) {
  if (policy.loads == 1) return per_block_keys_kernel<Rule, kReplicas, 1, true>;
  if (policy.loads == 2) return per_block_keys_kernel<Rule, kReplicas, 2, true>;
  return per_block_keys_kernel<Rule, kReplicas, 4, true>;
}

/// The kernel of the forms in shared memory.
template <typename Rule>
auto* kernel_for(const KeyTask& task, const KernelPolicy& policy, Form form) {
  const bool flat = task.view.rows == 1;
  if (form == Form::kWindows)
    return flat ? per_block_keys_kernel<WindowRule<Rule>, 0, kLoads, true>
                : per_block_keys_kernel<WindowRule<Rule>, 0, kLoads, false>;
  if (!flat) return per_block_keys_kernel<Rule, 0, kLoads, false>;
  return policy.replicas == kTunedReplicas ? flat_kernel<Rule, kTunedReplicas>(policy) : flat_kernel<Rule, 0>(policy);
}

/// As many copies as fit in one of the blocks that share a multiprocessor; one that does not is refused, or dealt out.
std::uint32_t most_replicas(const KeyTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  const std::uint32_t blocks = policy.blocks ? std::min(policy.blocks, kSharedBlocks) : kSharedBlocks;
  const std::size_t share =
      std::min(device.shared_per_block, device.shared_per_multiprocessor / blocks - kRuntimesShared);
  std::uint32_t replicas = kTunedReplicas;
  while (replicas > 1 && block_key_bytes(task.bins, replicas) > share) replicas /= 2;
  return replicas;
}

std::string refusal(const KeyTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  const Form form = form_of(task, device);
  if (policy.loads > 4 || policy.loads == 3) return "loads=" + std::to_string(policy.loads) + " is not 1, 2 or 4";
  if (form != Form::kGlobal && !has_choice_of_loads(task, form) && policy.loads != kLoads)
    return "loads=" + std::to_string(policy.loads) + ": keys in windows, and rows with a pitch, have " +
           std::to_string(kLoads) + " in flight";
  if (form == Form::kWindows && policy.grid % windows_of(task, device) != 0)
    return "grid=" + std::to_string(policy.grid) + ": these bins take turns in " +
           std::to_string(windows_of(task, device)) + " windows, so it must be a multiple of that";
  if (form == Form::kCopies || policy.replicas > 1) {
    const std::string reason = check_shared_bins(task, policy, device);
    if (!reason.empty()) return reason;
  }
  return check_key_policy(task, policy, device);
}

void tune(const KeyTask& task, const DeviceTraits& device, KernelPolicy& policy) {
  const Form form = form_of(task, device);
  if (form == Form::kGlobal) return per_grid_keys().tune(task, device, policy);
  if (policy.block == 0) policy.block = std::min(kBlock, device.max_block_threads);
  if (policy.replicas == 0) policy.replicas = form == Form::kWindows ? 1 : most_replicas(task, policy, device);
  if (policy.blocks == 0) {
    const std::uint64_t bins = std::min(task.bins, most_window(device));
    const std::size_t bytes = block_key_bytes(bins, policy.replicas) + kRuntimesShared;
    policy.blocks = static_cast<std::uint32_t>(
        std::max<std::size_t>(1, std::min<std::size_t>(device.threads_per_multiprocessor / policy.block,
                                                       device.shared_per_multiprocessor / bytes)));
  }
  if (policy.loads == 0) policy.loads = has_choice_of_loads(task, form) ? kTunedLoads : kLoads;
  tune_keys(task, device, policy.block, policy);
}

/// Windows of equal size, and whole rounds of blocks over them.
LaunchShape shared_shape(const KeyTask& task, const KernelPolicy& policy, const DeviceTraits& device,
                         std::uint32_t& window) {
  const std::uint64_t windows = windows_of(task, device);
  window = static_cast<std::uint32_t>((task.bins + windows - 1) / windows);
  const std::uint64_t per_block = std::uint64_t{policy.block} * KeyFormat::kUnitPixels * policy.loads;
  const unsigned blocks = grid_for(task.keys() * windows, per_block, policy, device);
  const auto rounds = static_cast<unsigned>(std::max<std::uint64_t>(1, blocks / windows));
  return {rounds * static_cast<unsigned>(windows), policy.block, block_key_bytes(window, policy.replicas)};
}

LaunchInfo describe(const KeyTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  const Form form = form_of(task, device);
  if (form == Form::kGlobal) return per_grid_keys().describe(task, policy, device);
  return with_rule(task, [&](auto tag) {
    using Rule = typename decltype(tag)::type;
    std::uint32_t window = 0;
    const LaunchShape shape = shared_shape(task, policy, device, window);
    return LaunchInfo{address_of(kernel_for<Rule>(task, policy, form)), "per_block_keys_kernel", shape,
                      static_cast<unsigned>(windows_of(task, device))};
  });
}

void run(const KeyTask& task, const KernelPolicy& policy, LaunchContext& context) {
  const Form form = form_of(task, context.device);
  if (form == Form::kGlobal) return per_grid_keys().run(task, policy, context);
  const bool zeroes_next = form == Form::kCopies && context.next && task.keys() > 0;
  if (!zeroes_next) clear_key_bins(task, context);
  if (task.keys() == 0) return;
  with_rule(task, [&](auto tag) {
    using Rule = typename decltype(tag)::type;
    std::uint32_t window = 0;
    const LaunchShape shape = shared_shape(task, policy, context.device, window);
    KeyArguments a = key_arguments(task, policy, shape, policy.loads, context);
    a.window = window;
    a.windows = static_cast<std::uint32_t>(windows_of(task, context.device));
    a.plan.set_teams(policy.block / policy.lanes * (shape.blocks / a.windows));
    if (zeroes_next) a.to.next = context.next;
    launch(kernel_for<Rule>(task, policy, form), shape, context.stream(), a);
  });
}

}  // namespace

const KeyMethod& per_block_keys() {
  static constexpr KeyMethod kMethod = {per_block_names.name, refusal, tune, describe, run};
  return kMethod;
}

}  // namespace gpuhisto::kernels
