// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What the forms of per-block have in common: bins are cleared, pixels counted, sums added to the result.
#pragma once

#include "methods/launching.hpp"

namespace gpuhisto::kernels::per_block {

inline constexpr unsigned kMostThreads = 1024;
/// Copies of the bins in the tuned instantiation: one for each bank.
inline constexpr unsigned kTunedReplicas = 32;

/// Blocks that share a multiprocessor in the tuned policies; more histograms leave room for one only.
template <typename Format>
constexpr unsigned resident_blocks() {
  return Format::kSlots <= 3 ? 2 : 1;
}

/// One global atomic for each bin that the block met.
template <typename Format, typename Bins>
__device__ __forceinline__ void add_to_result(const Bins& bins, std::uint32_t* result) {
  bins.merge([&](unsigned slot, unsigned bin, std::uint32_t sum) {
    if (sum != 0) atomicAdd(&result[Format::channel(slot) * kBins + bin], sum);
  });
}

}  // namespace gpuhisto::kernels::per_block
