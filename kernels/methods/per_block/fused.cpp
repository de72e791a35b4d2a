// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// per-block for small gray images, from a result that holds anything to a complete one in one launch. Blocks add their
// bins to a workspace; the block that draws the last ticket moves them to the result and leaves the workspace zero for
// the next launch. Loads are issued before shared memory is cleared, so that the two overlap.
//
// Tuned on one H200: 1024 threads, 8 copies (less to clear and merge than 32), up to one block a multiprocessor.
#include "methods/per_block/forms.hpp"
#include "methods/per_block/kernel.hpp"

namespace gpuhisto::kernels::per_block {
namespace {

constexpr std::uint64_t kMostFusedPixels = std::uint64_t{1} << 21;
constexpr unsigned kFusedReplicas = 8;
constexpr std::size_t kTicketBytes = 16;  // keeps the bins behind it aligned
constexpr unsigned kPixelsPerThread = 16;
constexpr std::size_t kWorkspaceBytes = (kBins + 4) * sizeof(std::uint32_t);

struct FusedArguments {
  PixelView view;
  std::uint32_t* result = nullptr;     ///< kChannels x kBins
  std::uint32_t* workspace = nullptr;  ///< kBins sums and a ticket, all zero between launches
};

using Bins = BlockBins<GrayFormat, kFusedReplicas>;

/// What one thread reads first: a vector of the body, a pixel of the head, a pixel of the tail.
struct FirstLoads {
  Unit<4> unit{};
  std::uint32_t head = 0, tail = 0;
  bool has_unit, has_head, has_tail;
};

__device__ __forceinline__ FirstLoads load_first(const PixelView& view, const RowParts& parts, std::uint32_t thread) {
  FirstLoads loads;
  const std::uint8_t* body = view.data + parts.head;
  loads.has_unit = thread < parts.units;
  loads.has_head = thread < parts.head;
  loads.has_tail = thread < parts.tail;
  if (loads.has_unit) loads.unit = load_unit<GrayFormat>(body + std::size_t{thread} * 16);
  if (loads.has_head) loads.head = load_pixel<GrayFormat>(view.data + thread);
  if (loads.has_tail) loads.tail = load_pixel<GrayFormat>(body + std::size_t{parts.units} * 16 + thread);
  return loads;
}

__device__ __forceinline__ void count_all(const PixelView& view, const RowParts& parts, const FirstLoads& loads,
                                          std::uint32_t thread, std::uint32_t threads, Bins& bins) {
  const NoLuma luma{LumaWeights{}};
  if (loads.has_unit) GrayFormat::visit_unit(loads.unit, luma, bins);
  if (loads.has_head) visit_pixel<GrayFormat>(loads.head, luma, bins);
  if (loads.has_tail) visit_pixel<GrayFormat>(loads.tail, luma, bins);
  const std::uint8_t* body = view.data + parts.head;
  for (std::uint32_t i = thread + threads; i < parts.units; i += threads)
    GrayFormat::visit_unit(load_unit<GrayFormat>(body + std::size_t{i} * 16), luma, bins);
}

/// Channels that a gray image lacks.
__device__ __forceinline__ void clear_absent(std::uint32_t* result) {
  for (unsigned i = kBins + threadIdx.x; i < kChannels * kBins; i += blockDim.x) result[i] = 0;
}

__global__ void GPUHISTO_LAUNCH_BOUNDS(kMostThreads, 1) per_block_fused_kernel(FusedArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  std::uint32_t* ticket = reinterpret_cast<std::uint32_t*>(shared);
  Bins bins(shared + kTicketBytes / sizeof(uint4), kFusedReplicas);
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  const RowParts parts = split_row<GrayFormat>(a.view.data, a.view.width);
  const FirstLoads loads = load_first(a.view, parts, thread);
  bins.clear();
  __syncthreads();
  count_all(a.view, parts, loads, thread, gridDim.x * blockDim.x, bins);
  __syncthreads();
  if (gridDim.x == 1) {
    bins.merge([&](unsigned, unsigned bin, std::uint32_t sum) { a.result[bin] = sum; });
    clear_absent(a.result);
    return;
  }
  bins.merge([&](unsigned, unsigned bin, std::uint32_t sum) {
    if (sum != 0) atomicAdd(&a.workspace[bin], sum);
  });
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) *ticket = atomicAdd(&a.workspace[kBins], 1u);
  __syncthreads();
  if (*ticket != gridDim.x - 1) return;
  __threadfence();
  for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x) {
    a.result[bin] = *const_cast<volatile std::uint32_t*>(&a.workspace[bin]);
    a.workspace[bin] = 0;
  }
  if (threadIdx.x == 0) a.workspace[kBins] = 0;
  clear_absent(a.result);
}

}  // namespace

bool fused_fits(const CountTask& task) {
  return task.channels == 1 && task.view.rows == 1 && !task.mask && task.view.width <= kMostFusedPixels;
}

LaunchInfo describe_fused(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  KernelPolicy one = policy;
  one.blocks = 1;
  const std::uint64_t per_block = std::uint64_t{policy.block} * kPixelsPerThread;
  const LaunchShape shape = {grid_for(pixels_of(task), per_block, one, device), policy.block,
                             kTicketBytes + block_bins_bytes(1, kFusedReplicas)};
  return {address_of(per_block_fused_kernel), "per_block_fused_kernel", shape, 1};
}

void run_fused(const CountTask& task, const KernelPolicy& policy, LaunchContext& context) {
  if (context.zeroed.bytes() < kWorkspaceBytes) {
    context.zeroed.reserve(kWorkspaceBytes);
    GPUHISTO_CHECK(hipMemsetAsync(context.zeroed.as<void>(), 0, kWorkspaceBytes, context.stream()));
  }
  const FusedArguments a = {task.view, context.bins, context.zeroed.as<std::uint32_t>()};
  launch(per_block_fused_kernel, describe_fused(task, policy, context.device).shape, context.stream(), a);
}

}  // namespace gpuhisto::kernels::per_block
