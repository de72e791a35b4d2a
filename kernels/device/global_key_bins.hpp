// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "device/key_format.hpp"
#include "device/key_rules.hpp"

namespace gpuhisto::kernels {

/// Counts keys straight into the result in global memory: one atomic per key.
template <typename Rule>
class GlobalKeyBins {
 public:
  __device__ __forceinline__ GlobalKeyBins(const Rule& rule, std::uint32_t* bins) : rule_(rule), bins_(bins) {}
  __device__ __forceinline__ void count_key(std::uint32_t key) {
    std::uint32_t bin;
    if (rule_.bin(key, bin)) atomicAdd(&bins_[bin], 1u);
  }

 private:
  Rule rule_;
  std::uint32_t* bins_;
};

/// Flat or in rows: all keys of a view that fall to this thread, kLoads vectors at a time.
template <unsigned kLoads, typename Sink>
__device__ __forceinline__ void read_keys(const PixelView& view, const RowPlan& plan, Sink& sink) {
  const NoLuma luma{LumaWeights{}};
  if (view.rows == 1)
    read_flat<KeyFormat, kLoads>(view, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x, luma, sink);
  else
    read_rows<KeyFormat, kLoads>(view, plan, team_of_grid(plan), luma, sink);
}

}  // namespace gpuhisto::kernels
