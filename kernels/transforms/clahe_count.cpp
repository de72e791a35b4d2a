// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The bins of each tile, and its table. A block counts a band of rows of one tile, in copies of the bins in shared
// memory; what lies beyond the image is counted where mirroring finds it. The last block of a tile makes its table: a
// kernel more would have to wait for all tiles.
#include <algorithm>

#include "device/block_bins.hpp"
#include "methods/launching.hpp"
#include "transforms/clahe.hpp"
#include "transforms/tile_table.hpp"

namespace gpuhisto::kernels {
namespace {

/// With two vectors in flight a thread needs more registers.
constexpr unsigned threads_for(unsigned loads) { return loads == 1 ? 1024 : 768; }
constexpr unsigned kResident = 2, kReplicas = 32;
constexpr unsigned kSmallThreads = 256, kSmallReplicas = 8;  // of tiles that clearing 32 copies does not pay for
constexpr std::uint64_t kSmallTile = 65536;
constexpr std::uint64_t kLeastBand = 32768;  // pixels
constexpr unsigned kLanes = 16;

struct CountTilesArguments {
  PixelView image;
  TileGrid tiles;
  RowPlan plan;  ///< for the teams of one block
  std::uint32_t bands = 1;
  std::uint32_t replicas = 1;
  std::uint32_t* counts = nullptr;
  std::uint32_t* counted = nullptr;  ///< bands, a tile
  std::uint8_t* tables = nullptr;
  TileTableArguments table;
};

__device__ __forceinline__ std::uint32_t mirrored(std::uint32_t position, std::uint32_t size) {
  if (position < size) return position;
  if (size == 1) return 0;
  const std::uint32_t period = 2 * (size - 1), rest = position % period;
  return rest < size ? rest : period - rest;
}

/// What one block counts: rows [top, bottom) of a tile, `inside` of its columns lie in the image.
struct Band {
  std::uint32_t tile, left, inside, top, bottom;
};

__device__ __forceinline__ Band band_of_block(const CountTilesArguments& a) {
  const std::uint32_t tile = blockIdx.x / a.bands, band = blockIdx.x % a.bands;
  const std::uint32_t left = tile % a.tiles.across * a.tiles.tile_width;
  const std::uint32_t top = tile / a.tiles.across * a.tiles.tile_height;
  const std::uint32_t room = left < a.image.width ? a.image.width - left : 0;
  const auto row = [&](std::uint32_t i) {
    return top + static_cast<std::uint32_t>(std::uint64_t{a.tiles.tile_height} * i / a.bands);
  };
  return {tile, left, room < a.tiles.tile_width ? room : a.tiles.tile_width, row(band), row(band + 1)};
}

/// Makes the tile's table if this is the last of its bands, and leaves zeros for the next image. Every thread of the
/// block calls it, when the bins have been added to the tile's.
__device__ __forceinline__ void complete_tile(const CountTilesArguments& a, std::uint32_t tile, std::uint32_t* shared) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) shared[0] = atomicAdd(&a.counted[tile], 1u);
  __syncthreads();
  const bool last = shared[0] == a.bands - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  const std::size_t at = std::size_t{tile} * kBins + threadIdx.x;
  const std::uint32_t entry = table_entry(a.table, threadIdx.x < kBins ? atomicExch(&a.counts[at], 0u) : 0, shared);
  if (threadIdx.x < kBins) a.tables[at] = static_cast<std::uint8_t>(entry);
  if (threadIdx.x == 0) atomicExch(&a.counted[tile], 0u);
}

template <unsigned kCopies, unsigned kLoads>
__global__ void GPUHISTO_LAUNCH_BOUNDS(threads_for(kLoads), kResident) count_tiles_kernel(CountTilesArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  BlockBins<GrayFormat, kCopies> bins(shared, a.replicas);
  bins.clear();
  __syncthreads();
  const Band band = band_of_block(a);
  const NoLuma luma{LumaWeights{}};
  const std::uint32_t team = threadIdx.x / a.plan.lanes;
  const std::uint32_t real_bottom = band.bottom < a.image.rows ? band.bottom : a.image.rows;
  if (band.inside > 0) {
    PixelView view = {a.image.row(band.top) + band.left, band.inside, 0, a.image.pitch};
    if (band.top < real_bottom) {
      view.rows = real_bottom - band.top;
      read_rows<GrayFormat, kLoads>(view, a.plan, team, luma, bins);
    }
    view.rows = 1;
    for (std::uint32_t y = band.top < real_bottom ? real_bottom : band.top; y < band.bottom; ++y) {
      view.data = a.image.row(mirrored(y, a.image.rows)) + band.left;
      read_rows<GrayFormat, kLoads>(view, a.plan, team, luma, bins);
    }
  }
  const std::uint32_t outside = a.tiles.tile_width - band.inside, beyond = outside * (band.bottom - band.top);
  for (std::uint32_t i = threadIdx.x; i < beyond; i += blockDim.x) {
    const std::uint32_t y = mirrored(band.top + i / outside, a.image.rows);
    const std::uint32_t x = mirrored(band.left + band.inside + i % outside, a.image.width);
    bins.template count<0, 0>(load_pixel<GrayFormat>(a.image.row(y) + x));
  }
  __syncthreads();
  bins.merge([&](unsigned, unsigned bin, std::uint32_t sum) {
    if (sum != 0) atomicAdd(&a.counts[std::size_t{band.tile} * kBins + bin], sum);
  });
  complete_tile(a, band.tile, reinterpret_cast<std::uint32_t*>(shared));
}

/// The fewest bands of a tile that keep the blocks that run at once busy to the end.
std::uint32_t bands_for(const TileGrid& tiles, unsigned resident) {
  const std::uint64_t count = std::uint64_t{tiles.across} * tiles.down;
  const std::uint64_t area = std::uint64_t{tiles.tile_width} * tiles.tile_height;
  const std::uint64_t most = std::clamp<std::uint64_t>(area / kLeastBand, 1, tiles.tile_height);
  std::uint64_t best = 1;
  double best_share = 0;
  for (std::uint64_t bands = 1; bands <= most; ++bands) {
    const std::uint64_t blocks = count * bands, rounds = (blocks + resident - 1) / resident;
    const double share = static_cast<double>(blocks) / static_cast<double>(rounds * resident);
    if (share > best_share) best = bands, best_share = share;
    if (best_share >= 0.9) break;
  }
  return static_cast<std::uint32_t>(best);
}

}  // namespace

void make_tile_tables(const ClaheTask& task, const DeviceTraits& device, const Stream& stream) {
  const TileGrid& tiles = task.tiles;
  const bool small = std::uint64_t{tiles.tile_width} * tiles.tile_height < kSmallTile;
  CountTilesArguments a;
  a.image = task.from;
  a.tiles = tiles;
  a.bands = small ? 1 : bands_for(tiles, kResident * device.multiprocessors);
  a.replicas = small ? kSmallReplicas : kReplicas;
  a.counts = task.counts;
  a.counted = task.counts + std::size_t{tiles.across} * tiles.down * kBins;
  a.tables = task.tables;
  const std::uint64_t area = std::uint64_t{tiles.tile_width} * tiles.tile_height;
  a.table = {tiles.bin_limit, 255.0f / static_cast<float>(area)};
  // Two vectors in flight, unless a row then leaves many lanes idle.
  const std::uint32_t units = (tiles.tile_width + 15) / 16, pairs = (units + 2 * kLanes - 1) / (2 * kLanes);
  const bool two = !small && pairs * 2 * kLanes * 7 <= units * 8;
  const unsigned threads = std::min(small ? kSmallThreads : threads_for(two ? 2 : 1), device.max_block_threads);
  a.plan = plan_rows<GrayFormat>({nullptr, tiles.tile_width, 1, 0}, kLanes, two ? 2 : 1);
  a.plan.set_teams(threads / kLanes);
  const LaunchShape shape = {tiles.across * tiles.down * a.bands, threads, block_bins_bytes(1, a.replicas)};
  const auto kernel = small ? count_tiles_kernel<0, 1>
                      : two ? count_tiles_kernel<kReplicas, 2>
                            : count_tiles_kernel<kReplicas, 1>;
  launch(kernel, shape, stream.get(), a);
}

}  // namespace gpuhisto::kernels
