// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpuhisto/histogram.hpp"

namespace gpuhisto {

/// Fewer bins than levels, N of 1 to 256: level v lies in bin floor(v * N / 256), in integers. With an N that divides
/// 256 all bins are equally wide; else some have a level more than others.
constexpr std::size_t bin_of(std::size_t level, std::size_t bins) { return level * bins / kBins; }
/// The lowest level of a bin: ceil(bin * 256 / N). That of bin N, which is not there, is 256.
constexpr std::size_t first_level(std::size_t bin, std::size_t bins) { return (bin * kBins + bins - 1) / bins; }

/// The counts of each bin. Throws Error(kUsage) for other numbers of bins.
std::vector<std::uint64_t> bin_counts(const Histogram& histogram, std::size_t bins);
/// Each bin's count at its first level, zeros elsewhere: what tables of N bins are read as. Adding such histograms adds
/// the bins; bin_counts() gives them back.
Histogram at_first_levels(const Histogram& histogram, std::size_t bins);
/// Each bin's count dealt out evenly over its levels, for drawing: bins become steps.
Histogram over_all_levels(const Histogram& histogram, std::size_t bins);

/// The same for each channel.
ImageHistogram at_first_levels(const ImageHistogram& histogram, std::size_t bins);
/// The same for each channel.
ImageHistogram over_all_levels(const ImageHistogram& histogram, std::size_t bins);

}  // namespace gpuhisto
