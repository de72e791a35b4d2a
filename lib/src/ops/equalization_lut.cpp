// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>

#include "gpuhisto/equalize.hpp"
#include "ops/rounding.hpp"

namespace gpuhisto {
namespace {

// 256 bins of up to 2^64 - 1 times 255 need 80 bits.
__extension__ using Wide = unsigned __int128;
using Cumulated = std::array<Wide, kBins>;

std::size_t find_lowest(const Histogram& histogram) {
  const auto occupied = std::find_if(histogram.begin(), histogram.end(), [](std::uint64_t count) { return count > 0; });
  return static_cast<std::size_t>(occupied - histogram.begin());
}

Cumulated cumulate(const Histogram& histogram) {
  Cumulated cdf;
  Wide sum = 0;
  for (std::size_t v = 0; v < kBins; ++v) cdf[v] = sum += histogram[v];
  return cdf;
}

}  // namespace

bool is_flat(const Histogram& histogram) {
  return std::count_if(histogram.begin(), histogram.end(), [](std::uint64_t count) { return count > 0; }) <= 1;
}

Lut make_equalization_lut(const Histogram& histogram) {
  if (is_flat(histogram)) return identity_lut();
  const std::size_t lowest = find_lowest(histogram);
  const Cumulated cdf = cumulate(histogram);
  const Wide range = cdf.back() - cdf[lowest];
  Lut lut{};
  for (std::size_t v = lowest; v < kBins; ++v) lut[v] = ops::round_half_even<Wide>(255 * (cdf[v] - cdf[lowest]), range);
  return lut;
}

}  // namespace gpuhisto
