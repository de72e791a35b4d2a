// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// A tile's table from its bins, a thread a bin: bins are cut at the limit, what was above is spread over all of them,
// and the sums up to each bin, scaled, are the table.
#pragma once

#include "device/block_bins.hpp"
#include "device/rounding.hpp"

namespace gpuhisto::kernels {

struct TileTableArguments {
  std::uint32_t bin_limit = 0;  ///< 0: none
  float scale = 0;              ///< 255 / pixels of a tile
};

/// The sum of the values of the first 256 threads up to this one, and of all. Every thread of the block calls it, with
/// kBins words of shared memory.
struct Sums {
  std::uint32_t up_to_here, all;
};
__device__ __forceinline__ Sums add_up(std::uint32_t value, std::uint32_t* shared) {
  const unsigned lane = threadIdx.x % warpSize, wave = threadIdx.x / warpSize, waves = kBins / warpSize;
  for (unsigned distance = 1; distance < static_cast<unsigned>(warpSize); distance *= 2) {
    const std::uint32_t before = wave_shuffle(value, lane >= distance ? lane - distance : lane);
    if (lane >= distance) value += before;
  }
  if (wave < waves && lane == static_cast<unsigned>(warpSize) - 1) shared[wave] = value;
  __syncthreads();
  Sums sums = {value, 0};
  for (unsigned i = 0; i < waves; ++i) {
    if (i < wave) sums.up_to_here += shared[i];
    sums.all += shared[i];
  }
  __syncthreads();
  return sums;
}

/// The entry of this thread's bin; every thread of the block calls it, those from 256 on with any bin.
__device__ __forceinline__ std::uint32_t table_entry(const TileTableArguments& a, std::uint32_t bin,
                                                     std::uint32_t* shared) {
  if (a.bin_limit > 0) {
    const std::uint32_t over = bin > a.bin_limit ? bin - a.bin_limit : 0;
    const std::uint32_t all_over = add_up(over, shared).all, rest = all_over % kBins;
    bin += all_over / kBins - over;
    // One more for `rest` bins, from the first on at equal distances.
    if (rest > 0) {
      const std::uint32_t step = kBins / rest;
      if (threadIdx.x % step == 0 && threadIdx.x / step < rest) ++bin;
    }
  }
  return rounded(static_cast<float>(add_up(bin, shared).up_to_here) * a.scale);
}

}  // namespace gpuhisto::kernels
