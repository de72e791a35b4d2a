// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpuhisto/histogram.hpp"

namespace gpuhisto {

/// A percentile as the user wrote it, kept as an exact decimal fraction: 2.5 is 25 / 10.
struct Percentile {
  std::uint64_t numerator = 0;    ///< of 100 times the denominator
  std::uint64_t denominator = 1;  ///< a power of ten
  std::string text;               ///< "2.5": names the column p2.5
};
/// "1,5,95,99" -> list; each in 0..100, at most 9 decimals, none twice. Throws Error(kUsage) naming the bad part.
std::vector<Percentile> parse_percentiles(const std::string& text);

/// Population statistics of one channel, from its bins alone. With N pixels, p the shares of the levels and m2, m3, m4
/// the central moments: variance m2, skewness m3 / m2^1.5, kurtosis m4 / m2^2 - 3, entropy -sum p log2 p. Every value
/// but the count is absent for an empty histogram. Mean, variance, kurtosis and shares are exact fractions rounded
/// once; std and skewness within 1 ulp; entropy within 1e-14.
struct ChannelStatistics {
  std::uint64_t count = 0;                      ///< pixels
  std::optional<int> min, max, mode;            ///< mode: the lowest on ties
  std::optional<double> mean;                   ///< levels
  std::optional<double> std, variance;          ///< levels
  std::optional<double> mean01, std01;          ///< divided by 255, as torchvision's Normalize takes them
  std::optional<double> median;                 ///< mean of the two middle values for an even count
  std::optional<double> entropy;                ///< bits
  std::optional<double> skewness, kurtosis;     ///< both absent for a constant image
  std::optional<double> at0, at255;             ///< shares of the pixels, 0..1
  std::vector<std::optional<int>> percentiles;  ///< value at rank max(1, ceil(p * N / 100)): numpy's inverted_cdf
};
/// By exact integer sums. Throws Error(kLimit) when the bins add up to more than 2^64 - 1. `percentiles` of the result
/// are in the order given.
ChannelStatistics compute_statistics(const Histogram& histogram, const std::vector<Percentile>& percentiles);

}  // namespace gpuhisto
