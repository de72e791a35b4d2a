// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpuhisto/bench.hpp"

namespace gpuhisto::bench {

/// Fork/join counting of 32-bit keys, the plain way: each thread has bins of its own, which are added up at the end.
class CpuKeyCounter {
 public:
  /// Threads that count, each with bins of its own.
  static std::uint64_t parts_of(const Shape& shape, int threads);
  /// Replaces `counts` (shape.bins of them) by the counts of `keys`. Private bins must stay below 1 GiB: with more bins
  /// fewer threads count.
  void count(std::span<const std::uint32_t> keys, const Shape& shape, int threads, std::span<std::uint64_t> counts);

 private:
  std::vector<std::vector<std::uint64_t>> private_bins_;  ///< kept: first touch of memory is dear
};

}  // namespace gpuhisto::bench
