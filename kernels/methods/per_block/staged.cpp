// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// per-block for RGB without gaps, where the hardware copies to shared memory on its own. Each wave keeps a ring of
// tiles in flight: copies arrive in whole lines, and lanes then read 48 bytes each, free of bank conflicts, where
// direct loads of 48 bytes a lane keep the load unit busy three times as long. No block barrier is needed: a tile
// belongs to a wave.
//
// Tuned on one H200: tiles start on 128-byte lines whatever the base (16 bytes only: 83 % of the read rate instead of
// 93 %). The bulk copy engine gained nothing over these copies.
#include "methods/per_block/forms.hpp"
#include "methods/per_block/kernel.hpp"

namespace gpuhisto::kernels::per_block {
#if defined(GPUHISTO_PLATFORM_CUDA)
namespace {

constexpr unsigned kWave = 32;
constexpr unsigned kStagedThreads = 512;
constexpr unsigned kStages = 4;
constexpr unsigned kVectors = 3;                        // of 16 bytes: the unit of one lane
constexpr unsigned kTileBytes = kWave * kVectors * 16;  // a unit for each lane

/// A wave's tiles in flight. All members are called by all lanes.
class TileRing {
 public:
  __device__ __forceinline__ TileRing(uint4* shared, const std::uint8_t* body, std::uint32_t tiles)
      : lane_(threadIdx.x % kWave), tiles_(tiles), step_(gridDim.x * (blockDim.x / kWave)) {
    const unsigned wave = threadIdx.x / kWave;
    tile_ = requested_ = blockIdx.x + wave * gridDim.x;
    ring_ = shared + wave * kStages * kWave * kVectors;
    target_ = static_cast<std::uint32_t>(__cvta_generic_to_shared(ring_ + lane_));
    source_ = body + std::size_t{requested_} * kTileBytes + lane_ * sizeof(uint4);
  }
  __device__ __forceinline__ bool has_tile() const { return tile_ < tiles_; }
  /// Asks for the next tile into a stage. Also called past the end: the number of requests is what take() relies on.
  __device__ __forceinline__ void request(unsigned stage) {
    if (requested_ < tiles_) {
#pragma unroll
      for (unsigned k = 0; k < kVectors; ++k)
        asm volatile(
            "cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(target_ + stage * kTileBytes + k * kWave * 16),
            "l"(source_ + k * kWave * 16));
    }
    asm volatile("cp.async.commit_group;");
    requested_ += step_;
    source_ += std::size_t{step_} * kTileBytes;
  }
  /// Waits for the oldest tile, takes this lane's unit of it and asks for another in the place freed before.
  __device__ __forceinline__ Unit<12> take(unsigned stage) {
    asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2));
    __syncwarp();
    const Unit<12> unit = load_unit<RgbFormat<NoLuma>>(
        reinterpret_cast<const std::uint8_t*>(ring_ + stage * kWave * kVectors + lane_ * kVectors));
    __syncwarp();
    request((stage + kStages - 1) % kStages);
    tile_ += step_;
    return unit;
  }

 private:
  unsigned lane_;
  std::uint32_t tiles_, step_, tile_, requested_, target_;
  uint4* ring_;
  const std::uint8_t* source_;
};

template <typename Format, typename Bins>
__device__ __forceinline__ void count_single(const std::uint8_t* from, std::uint32_t pixels,
                                             const typename Format::Luma& luma, Bins& bins) {
  for (std::uint32_t i = threadIdx.x; i < pixels; i += blockDim.x)
    visit_pixel<Format>(load_pixel<Format>(from + std::size_t{i} * Format::kPixelBytes), luma, bins);
}

template <typename Format>
__global__ void GPUHISTO_LAUNCH_BOUNDS(kStagedThreads, 1) per_block_staged_kernel(CountArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  BlockBins<Format, kTunedReplicas> bins(shared, kTunedReplicas);
  bins.clear();
  __syncthreads();
  const typename Format::Luma luma(a.luma);
  const RowParts parts = split_row<Format, 128>(a.view.data, a.view.width);
  const std::uint8_t* body = a.view.data + std::size_t{parts.head} * Format::kPixelBytes;
  const std::uint32_t tiles = parts.units / kWave;
  TileRing ring(shared + block_bins_bytes(Format::kSlots, kTunedReplicas) / sizeof(uint4), body, tiles);
#pragma unroll
  for (unsigned stage = 0; stage + 1 < kStages; ++stage) ring.request(stage);
  if (blockIdx.x == gridDim.x - 1) {  // what fills no tile, while the first tiles arrive
    count_single<Format>(a.view.data, parts.head, luma, bins);
    const std::uint32_t in_tiles = tiles * kWave * Format::kUnitPixels;
    count_single<Format>(body + std::size_t{tiles} * kTileBytes, a.view.width - parts.head - in_tiles, luma, bins);
  }
  while (ring.has_tile()) {
#pragma unroll
    for (unsigned stage = 0; stage < kStages; ++stage)
      if (ring.has_tile()) Format::visit_unit(ring.take(stage), luma, bins);
  }
  complete_result<Format>(bins, {a.bins, a.sums}, shared);
}

auto* kernel_for(const CountTask& task) {
  if (task.luma == GPUHISTO_LUMA_NONE) return per_block_staged_kernel<RgbFormat<NoLuma>>;
  if (task.luma == GPUHISTO_LUMA_BT601) return per_block_staged_kernel<RgbFormat<Bt601Luma>>;
  return per_block_staged_kernel<RgbFormat<WeightedLuma>>;
}

std::size_t bytes_of(const CountTask& task) {
  return block_bins_bytes(slots_of(task), kTunedReplicas) + std::size_t{kStagedThreads / kWave} * kStages * kTileBytes;
}

}  // namespace

bool staged_fits(const CountTask& task, const DeviceTraits& device, unsigned block) {
  return device.async_copies && block == kStagedThreads && task.channels == 3 && task.luma != GPUHISTO_LUMA_VALUE &&
         !task.mask && flat_fits(task) && bytes_of(task) <= device.shared_per_block;
}

LaunchInfo describe_staged(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  const LaunchShape shape = {grid_for(pixels_of(task), std::uint64_t{kStagedThreads} * 16, policy, device),
                             kStagedThreads, bytes_of(task)};
  return {address_of(kernel_for(task)), "per_block_staged_kernel", shape, 1};
}

void run_staged(const CountTask& task, const KernelPolicy& policy, LaunchContext& context) {
  const LaunchShape shape = describe_staged(task, policy, context.device).shape;
  launch(kernel_for(task), shape, context.stream(),
         completing_arguments<RgbFormat<NoLuma>>(task, policy, 1, shape.blocks, context));
}

#else
// The other platforms have no such copies: the flat form counts.
bool staged_fits(const CountTask&, const DeviceTraits&, unsigned) { return false; }
LaunchInfo describe_staged(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  return describe_flat(task, policy, device);
}
void run_staged(const CountTask& task, const KernelPolicy& policy, LaunchContext& context) {
  run_flat(task, policy, context);
}

#endif

}  // namespace gpuhisto::kernels::per_block
