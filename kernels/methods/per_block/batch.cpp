// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// per-block for many small images in one launch: a block takes a whole image, so results are stored, not added, and
// need no clearing.
#include "methods/per_block/batch.hpp"

#include "methods/per_block/kernel.hpp"

namespace gpuhisto::kernels::per_block {
namespace {

constexpr unsigned kTeam = 32;  // lanes that read a segment together

struct BatchArguments {
  Batch batch;
  LumaWeights luma;
  unsigned replicas = 1;
};

template <typename Format>
__global__ void GPUHISTO_LAUNCH_BOUNDS(kMostThreads, resident_blocks<Format>())
    per_block_batch_kernel(BatchArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  BlockBins<Format, 0> bins(shared, a.replicas);
  const typename Format::Luma luma(a.luma);
  const unsigned teams = blockDim.x / kTeam;
  for (unsigned i = blockIdx.x; i < a.batch.count; i += gridDim.x) {
    const BatchItem item = a.batch.items[i];
    const PixelView view = {item.data + a.batch.shift, item.pixels, 1, 0};
    const std::uint32_t units = (item.pixels + Format::kUnitPixels - 1) / Format::kUnitPixels;
    const std::uint32_t segments = (units + kTeam * Format::kLoads - 1) / (kTeam * Format::kLoads);
    RowPlan plan = {kTeam, segments > 0 ? segments : 1};
    plan.set_teams(teams);
    bins.clear();
    __syncthreads();
    read_rows<Format, Format::kLoads>(view, plan, threadIdx.x / kTeam, luma, bins);
    __syncthreads();
    std::uint32_t* result = a.batch.results + std::size_t{i} * Format::kSlots * kBins;
    bins.merge([&](unsigned slot, unsigned bin, std::uint32_t sum) { result[slot * kBins + bin] = sum; });
    __syncthreads();
  }
}

}  // namespace

unsigned batch_words(const CountTask& task) { return slots_of(task) * kBins; }

void add_batch_result(const CountTask& task, const std::uint32_t* result, std::uint64_t* bins) {
  with_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    for (unsigned slot = 0; slot < Format::kSlots; ++slot)
      for (unsigned bin = 0; bin < kBins; ++bin)
        bins[Format::channel(slot) * kBins + bin] += result[slot * kBins + bin];
  });
}

void tune_batch(const CountTask& task, const DeviceTraits& device, unsigned count, KernelPolicy& policy) {
  if (policy.replicas == 0) {
    policy.replicas = kTunedReplicas;
    while (policy.replicas > 1 && block_bins_bytes(slots_of(task), policy.replicas) > device.shared_per_block)
      policy.replicas /= 2;
  }
  const bool pairs = pairs_fit(task, policy);
  if (policy.block == 0)
    policy.block = std::min<std::uint32_t>(pairs ? kPairThreads : kMostThreads, device.max_block_threads);
  if (pairs && policy.blocks == 0)  // one for each pair
    policy.blocks = std::max(1u, (pairs_of(count) + device.multiprocessors - 1) / device.multiprocessors);
  if (policy.blocks == 0) {
    const std::size_t bytes = block_bins_bytes(slots_of(task), policy.replicas) + kRuntimesShared;
    const auto by_shared = static_cast<std::uint32_t>(device.shared_per_multiprocessor / bytes);
    const std::uint32_t wanted = slots_of(task) <= 2 ? device.threads_per_multiprocessor / policy.block : 1;
    policy.blocks = std::max(1u, std::min(wanted, by_shared));
  }
  CountTask flat = task;
  flat.view.rows = 1;
  tune_common(flat, device, policy.block, policy);
}

std::string batch_refusal(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  if (policy.loads != 0) return "a batch has its own number of loads in flight";
  if (pairs_fit(task, policy) && policy.block > kPairThreads)
    return "block=" + std::to_string(policy.block) + " is more than the " + std::to_string(kPairThreads) +
           " threads that take two gray images together";
  const std::size_t bytes = block_bins_bytes(slots_of(task), policy.replicas);
  if (bytes > device.shared_per_block)
    return "replicas=" + std::to_string(policy.replicas) + " needs " + std::to_string(bytes) +
           " bytes of shared memory, a block can have " + std::to_string(device.shared_per_block);
  return check_policy(task, policy, device);
}

LaunchInfo describe_batch(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device,
                          unsigned count) {
  if (pairs_fit(task, policy)) return describe_pairs(policy, device, count);
  return with_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    const LaunchShape shape = {grid_for(count, 1, policy, device), policy.block,
                               block_bins_bytes(Format::kSlots, policy.replicas)};
    return LaunchInfo{address_of(per_block_batch_kernel<Format>), "per_block_batch_kernel", shape, 1};
  });
}

void run_batch(const CountTask& task, const KernelPolicy& policy, const LaunchContext& context, const Batch& batch) {
  if (batch.count == 0) return;
  if (pairs_fit(task, policy)) return run_pairs(policy, context, batch);
  const LaunchShape shape = describe_batch(task, policy, context.device, batch.count).shape;
  const BatchArguments a = {batch, luma_weights(task.luma), policy.replicas};
  with_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    launch(per_block_batch_kernel<Format>, shape, context.stream(), a);
  });
}

}  // namespace gpuhisto::kernels::per_block
