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

double Group::read_rate() const {
  for (const Line& line : lines)
    if (line.kind == LineKind::kRead) return line.bytes_per_second();
  return 0;
}

}  // namespace gpuhisto::bench
