// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// A tile's table from its bins: a block a tile, a thread a bin. Bins are cut at the limit, what was above is spread
// over all of them, and the sums up to each bin, scaled, are the table.
#include "device/block_bins.hpp"
#include "device/rounding.hpp"
#include "transforms/clahe.hpp"

namespace gpuhisto::kernels {
namespace {

struct TileTablesArguments {
  const std::uint32_t* counts = nullptr;
  std::uint8_t* tables = nullptr;
  std::uint32_t bin_limit = 0;
  float scale = 0;  ///< 255 / pixels of a tile
};

/// The sum of the values of threads up to this one, and of all.
struct Sums {
  std::uint32_t up_to_here, all;
};
__device__ __forceinline__ Sums add_up(std::uint32_t value, std::uint32_t* shared) {
  shared[threadIdx.x] = value;
  __syncthreads();
  for (unsigned distance = 1; distance < kBins; distance *= 2) {
    const std::uint32_t before = threadIdx.x >= distance ? shared[threadIdx.x - distance] : 0;
    __syncthreads();
    shared[threadIdx.x] += before;
    __syncthreads();
  }
  const Sums sums = {shared[threadIdx.x], shared[kBins - 1]};
  __syncthreads();
  return sums;
}

__global__ void GPUHISTO_LAUNCH_BOUNDS(kBins, 1) make_tile_tables_kernel(TileTablesArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  std::uint32_t* words = reinterpret_cast<std::uint32_t*>(shared);
  const std::size_t at = std::size_t{blockIdx.x} * kBins + threadIdx.x;
  std::uint32_t bin = a.counts[at];
  if (a.bin_limit > 0) {
    const std::uint32_t over = bin > a.bin_limit ? bin - a.bin_limit : 0;
    const std::uint32_t all_over = add_up(over, words).all, rest = all_over % kBins;
    bin += all_over / kBins - over;
    // One more for `rest` bins, from the first on at equal distances.
    if (rest > 0) {
      const std::uint32_t step = kBins / rest;
      if (threadIdx.x % step == 0 && threadIdx.x / step < rest) ++bin;
    }
  }
  a.tables[at] = static_cast<std::uint8_t>(rounded(static_cast<float>(add_up(bin, words).up_to_here) * a.scale));
}

}  // namespace

void make_tile_tables(const ClaheTask& task, const Stream& stream) {
  const TileGrid& tiles = task.tiles;
  const std::uint64_t area = std::uint64_t{tiles.tile_width} * tiles.tile_height;
  const TileTablesArguments a = {task.counts, task.tables, tiles.bin_limit, 255.0f / static_cast<float>(area)};
  launch(make_tile_tables_kernel, LaunchShape{tiles.across * tiles.down, kBins, kBins * sizeof(std::uint32_t)},
         stream.get(), a);
}

}  // namespace gpuhisto::kernels
