// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/bins.hpp"

#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

template <typename OfChannel>
ImageHistogram each_channel(const ImageHistogram& histogram, std::size_t bins, OfChannel of_channel) {
  ImageHistogram result;
  result.channels = histogram.channels;
  result.pixels = histogram.pixels;
  for (const Channel channel : kChannels)
    if (histogram.channels.has(channel)) result[channel] = of_channel(histogram[channel], bins);
  return result;
}

}  // namespace

std::vector<std::uint64_t> bin_counts(const Histogram& histogram, std::size_t bins) {
  if (bins < 1 || bins > kBins) throw Error(ErrorKind::kUsage, "histograms have 1 to 256 bins");
  std::vector<std::uint64_t> counts(bins);
  for (std::size_t level = 0; level < kBins; ++level) counts[bin_of(level, bins)] += histogram[level];
  return counts;
}

Histogram at_first_levels(const Histogram& histogram, std::size_t bins) {
  Histogram result{};
  for (std::size_t level = 0; level < kBins; ++level)
    result[first_level(bin_of(level, bins), bins)] += histogram[level];
  return result;
}

Histogram over_all_levels(const Histogram& histogram, std::size_t bins) {
  Histogram result{};
  const auto counts = bin_counts(histogram, bins);
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const std::size_t first = first_level(bin, bins), levels = first_level(bin + 1, bins) - first;
    // The remainder is spread as well, so that the sum stays, and where it lies in the middle.
    const std::uint64_t each = counts[bin] / levels, rest = counts[bin] % levels, half = levels / 2;
    for (std::size_t i = 0; i < levels; ++i)
      result[first + i] = each + ((i + 1) * rest + half) / levels - (i * rest + half) / levels;
  }
  return result;
}

ImageHistogram at_first_levels(const ImageHistogram& histogram, std::size_t bins) {
  return each_channel(histogram, bins, [](const Histogram& h, std::size_t n) { return at_first_levels(h, n); });
}

ImageHistogram over_all_levels(const ImageHistogram& histogram, std::size_t bins) {
  return each_channel(histogram, bins, [](const Histogram& h, std::size_t n) { return over_all_levels(h, n); });
}

}  // namespace gpuhisto
