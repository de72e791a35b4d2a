// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/series.hpp"

#include <algorithm>
#include <numeric>

#include "gpuhisto/bins.hpp"
#include "gpuhisto/statistics.hpp"
#include "plot/number.hpp"
#include "plot/palette.hpp"

namespace gpuhisto::plot {

namespace {

/// Of a total over several images not all have all channels.
double sum_of(const Histogram& counts) { return std::accumulate(counts.begin(), counts.end(), 0.0); }

bool opaque(const Histogram& alpha) {
  return alpha.back() > 0 && std::all_of(alpha.begin(), alpha.end() - 1, [](auto n) { return n == 0; });
}

}  // namespace

Series make_one_series(const ImageHistogram& histogram, Channel channel, const PlotOptions& options, double pixels) {
  Series series;
  series.name = channel_name(channel);
  series.channel = channel;
  series.color = palette_of(options.theme).line(channel);
  series.is_sum = options.cumulative;
  const Histogram& counts = histogram[channel];
  const auto bins = bin_counts(counts, options.bins);
  const double sum = sum_of(counts);
  if (pixels == 0 && options.cumulative) pixels = static_cast<double>(histogram.pixels);
  const double factor = pixels > 0 && sum > 0 ? pixels / sum : 1;
  double running = 0;
  for (std::size_t v = 0; v < kBins; ++v) {
    const std::size_t bin = bin_of(v, options.bins);
    const std::size_t levels = first_level(bin + 1, options.bins) - first_level(bin, options.bins);
    const double count = static_cast<double>(bins[bin]) / static_cast<double>(levels);
    running += count;
    series.values[v] = factor * (options.cumulative ? running : count);
  }
  if (!options.figures) return series;
  const auto statistics = compute_statistics(histogram[channel], {});
  series.mean = statistics.mean;
  series.std = statistics.std;
  return series;
}

SeriesSet make_series(const ImageHistogram& histogram, const PlotOptions& options, double pixels) {
  SeriesSet set;
  set.pixels = pixels > 0 ? pixels : static_cast<double>(histogram.pixels);
  const ChannelSet shown = options.channels & histogram.channels;
  for (const Channel channel : kChannels) {
    if (!shown.has(channel)) continue;
    const bool beside_others = channel == Channel::kAlpha && !set.series.empty();
    if (beside_others && histogram.pixels > 0 && opaque(histogram[channel])) {
      set.opaque_alpha = true;
      continue;
    }
    set.series.push_back(make_one_series(histogram, channel, options, pixels));
    if (!beside_others) continue;
    set.series.back().sets_scale = false;
    set.series.back().look = Look::kDashed;
  }
  return set;
}

Series make_running_sum(const ImageHistogram& histogram, Channel channel, const PlotOptions& options) {
  PlotOptions cumulative = options;
  cumulative.cumulative = true;
  Series series = make_one_series(histogram, channel, cumulative, 1);
  series.name = "cumulative, to 100 %";
  series.look = Look::kDashed;
  series.of_height = true;
  series.sets_scale = false;
  return series;
}

std::string mean_and_std(const Series& series) {
  if (series.of_height || !series.mean) return "";
  return tenths(*series.mean) + " ± " + tenths(*series.std);
}

double highest_value(const SeriesSet& set) {
  double highest = 0;
  for (const auto& series : set.series)
    if (series.sets_scale) highest = std::max(highest, *std::max_element(series.values.begin(), series.values.end()));
  return highest;
}

std::optional<double> clipping_level(const SeriesSet& set) {
  std::vector<const Values*> values;
  for (const auto& series : set.series)
    if (series.sets_scale) values.push_back(&series.values);
  return clipping_level(values);
}

}  // namespace gpuhisto::plot
