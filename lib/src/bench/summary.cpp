// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <cmath>

#include "gpuhisto/bench.hpp"

namespace gpuhisto::bench {
namespace {

/// Between the sorted values, linearly: numpy's default.
double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (at - std::floor(at));
}

}  // namespace

Summary summarize(std::vector<double> seconds) {
  Summary summary;
  summary.count = seconds.size();
  if (seconds.empty()) return summary;
  std::sort(seconds.begin(), seconds.end());
  summary.median = quantile(seconds, 0.5);
  summary.low = seconds.front();
  summary.high = seconds.back();
  if (summary.median > 0) summary.spread = (quantile(seconds, 0.75) - quantile(seconds, 0.25)) / summary.median;
  return summary;
}

Rotation plan_rotation(std::uint64_t image_bytes, std::uint64_t cache_bytes, bool hot) {
  constexpr std::uint64_t kMostCopies = 256, kAlignment = 256;
  Rotation rotation;
  rotation.stride = (image_bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (hot || image_bytes == 0) return rotation;
  const std::uint64_t wanted = (cache_bytes + rotation.stride - 1) / rotation.stride;
  rotation.copies = std::clamp<std::uint64_t>(wanted, 1, kMostCopies);
  rotation.evict = rotation.copies * rotation.stride < cache_bytes || cache_bytes == 0;
  return rotation;
}

double Group::read_rate() const {
  for (const Line& line : lines)
    if (line.kind == LineKind::kRead) return line.bytes_per_second();
  return 0;
}

}  // namespace gpuhisto::bench
