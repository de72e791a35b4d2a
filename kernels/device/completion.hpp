// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// From the bins of blocks to the result: blocks add theirs to what is zero before the launch, and the last one zeroes
// the place of the next launch (see engine/result_ring.hpp).
#pragma once

#include "device/block_bins.hpp"

namespace gpuhisto::kernels {

struct ResultPointers {
  std::uint32_t* result = nullptr;  ///< kChannels x kBins, zero before the launch
  std::uint32_t* next = nullptr;    ///< as large, holding anything
};

/// Every thread of every block calls this once, when its block has counted.
template <typename Format, typename Bins>
__device__ __forceinline__ void complete_result(const Bins& bins, const ResultPointers& to) {
  __syncthreads();
  if (blockIdx.x == gridDim.x - 1)
    for (unsigned i = threadIdx.x; i < kChannels * kBins; i += blockDim.x) to.next[i] = 0;
  bins.merge([&](unsigned slot, unsigned bin, std::uint32_t sum) {
    if (sum != 0) atomicAdd(&to.result[Format::channel(slot) * kBins + bin], sum);
  });
}

}  // namespace gpuhisto::kernels
