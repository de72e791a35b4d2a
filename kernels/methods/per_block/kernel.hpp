// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What the forms of per-block have in common.
#pragma once

#include "methods/launching.hpp"

namespace gpuhisto::kernels::per_block {

inline constexpr unsigned kMostThreads = 1024;
/// Copies of the bins in the tuned instantiation: one for each bank.
inline constexpr unsigned kTunedReplicas = 32;

/// Blocks that share a multiprocessor in the tuned policies; with three histograms or more one block has the
/// registers for more loads in flight, and that is faster.
template <typename Format>
constexpr unsigned resident_blocks() {
  return Format::kSlots <= 2 ? 2 : 1;
}

}  // namespace gpuhisto::kernels::per_block
