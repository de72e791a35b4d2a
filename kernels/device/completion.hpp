// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// From the bins of blocks to one complete result, without a launch that clears it first: blocks add to sums that every
// launch finds zero; the block that draws the last ticket moves them to the result and leaves them zero. On one H200
// this costs half of what a separate clearing does.
#pragma once

#include "device/block_bins.hpp"

namespace gpuhisto::kernels {

/// Words of the sums: all bins, and the ticket behind them.
inline constexpr unsigned kSumWords = kChannels * kBins + 4;

struct ResultPointers {
  std::uint32_t* result = nullptr;  ///< kChannels x kBins, holds anything before
  std::uint32_t* sums = nullptr;    ///< kSumWords, zero before and after
};

template <typename Format>
__device__ __forceinline__ bool format_counts(unsigned channel) {
  for (unsigned slot = 0; slot < Format::kSlots; ++slot)
    if (Format::channel(slot) == channel) return true;
  return false;
}

template <typename Format>
__device__ __forceinline__ void zero_absent_channels(std::uint32_t* result) {
  for (unsigned i = threadIdx.x; i < kChannels * kBins; i += blockDim.x)
    if (!format_counts<Format>(i / kBins)) result[i] = 0;
}

/// Every thread of every block calls this once, when its block has counted. `scratch` is the block's shared memory.
template <typename Format, typename Bins>
__device__ __forceinline__ void complete_result(const Bins& bins, const ResultPointers& to, uint4* scratch) {
  __syncthreads();
  if (gridDim.x == 1) {
    bins.merge(
        [&](unsigned slot, unsigned bin, std::uint32_t sum) { to.result[Format::channel(slot) * kBins + bin] = sum; });
    zero_absent_channels<Format>(to.result);
    return;
  }
  bins.merge([&](unsigned slot, unsigned bin, std::uint32_t sum) {
    if (sum != 0) atomicAdd(&to.sums[Format::channel(slot) * kBins + bin], sum);
  });
  __syncthreads();
  std::uint32_t* ticket = reinterpret_cast<std::uint32_t*>(scratch);  // the bins are merged: their place is free
  if (threadIdx.x == 0) {
    __threadfence();  // of the whole block's sums: what the barrier has ordered before
    *ticket = atomicAdd(&to.sums[kChannels * kBins], 1u);
  }
  __syncthreads();
  if (*ticket != gridDim.x - 1) return;
  __threadfence();
  for (unsigned row = threadIdx.x; row < Format::kSlots * kBins; row += blockDim.x) {
    const unsigned i = Format::channel(row / kBins) * kBins + row % kBins;
    to.result[i] = *const_cast<volatile std::uint32_t*>(&to.sums[i]);  // not what this block's cache may hold
    to.sums[i] = 0;
  }
  zero_absent_channels<Format>(to.result);
  if (threadIdx.x == 0)
    atomicAdd(&to.sums[kChannels * kBins], 0u - gridDim.x);  // nothing orders the other blocks' draws
}

}  // namespace gpuhisto::kernels
