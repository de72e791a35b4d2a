// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "device/block_bins.hpp"

namespace gpuhisto::kernels {

/// Counts straight into the result in global memory: one atomic per channel and pixel.
template <typename Format>
class GlobalBins {
 public:
  __device__ __forceinline__ explicit GlobalBins(std::uint32_t* bins) : bins_(bins) {}
  template <int kSlot, int kByte>
  __device__ __forceinline__ void count(std::uint32_t word) {
    atomicAdd(&bins_[Format::channel(kSlot) * kBins + byte_of<kByte>(word)], 1u);
  }
  template <int kSlot>
  __device__ __forceinline__ void count_word(std::uint32_t word) {
    count<kSlot, 0>(word);
    count<kSlot, 1>(word);
    count<kSlot, 2>(word);
    count<kSlot, 3>(word);
  }

 private:
  std::uint32_t* bins_;
};

}  // namespace gpuhisto::kernels
