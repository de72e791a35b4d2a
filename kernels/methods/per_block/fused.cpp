// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// per-block for small gray images: few copies of the bins, and the first loads are issued before shared memory is
// cleared, so that the two overlap.
//
// Tuned on one H200: 512 or 1024 threads, 8 copies (less to clear and merge than 32), up to one block a multiprocessor.
#include "methods/per_block/forms.hpp"
#include "methods/per_block/kernel.hpp"

namespace gpuhisto::kernels::per_block {
namespace {

constexpr std::uint64_t kMostFusedPixels = std::uint64_t{1} << 21;
constexpr std::uint64_t kFewPixels = std::uint64_t{1} << 18;
constexpr unsigned kFusedReplicas = 8;
constexpr unsigned kPixelsPerThread = 16;

struct FusedArguments {
  PixelView view;
  ResultPointers to;
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

__global__ void GPUHISTO_LAUNCH_BOUNDS(kMostThreads, 1) per_block_fused_kernel(FusedArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  Bins bins(shared, kFusedReplicas);
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  const RowParts parts = split_row<GrayFormat>(a.view.data, a.view.width);
  const FirstLoads loads = load_first(a.view, parts, thread);
  bins.clear();
  __syncthreads();
  count_all(a.view, parts, loads, thread, gridDim.x * blockDim.x, bins);
  complete_result<GrayFormat>(bins, a.to);
}

}  // namespace

bool fused_fits(const CountTask& task) {
  return task.channels == 1 && task.view.rows == 1 && !task.mask && task.view.width <= kMostFusedPixels;
}

// Few pixels are counted sooner by more and smaller blocks, many are merged sooner from fewer and larger ones.
std::uint32_t fused_block(const CountTask& task) { return task.view.width <= kFewPixels ? 512 : 1024; }

LaunchInfo describe_fused(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  const std::uint64_t per_block = std::uint64_t{policy.block} * kPixelsPerThread;
  const LaunchShape shape = {grid_for(pixels_of(task), per_block, policy, device), policy.block,
                             block_bins_bytes(1, kFusedReplicas)};
  return {address_of(per_block_fused_kernel), "per_block_fused_kernel", shape, 1};
}

void run_fused(const CountTask& task, const KernelPolicy& policy, LaunchContext& context) {
  const FusedArguments a = {task.view, {context.bins, context.next}};
  launch(per_block_fused_kernel, describe_fused(task, policy, context.device).shape, context.stream(), a);
}

}  // namespace gpuhisto::kernels::per_block
