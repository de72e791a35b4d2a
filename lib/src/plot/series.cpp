// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/series.hpp"

#include <algorithm>

#include "gpuhisto/statistics.hpp"
#include "plot/number.hpp"

namespace gpuhisto::plot {
namespace {

Series make_one(const Histogram& histogram, Channel channel, const PlotOptions& options) {
  Series series;
  series.channel = channel;
  series.histogram = &histogram;
  std::uint64_t running = 0;
  for (std::size_t v = 0; v < kBins; ++v) {
    running += histogram[v];
    series.values[v] = static_cast<double>(options.cumulative ? running : histogram[v]);
  }
  const auto statistics = compute_statistics(histogram, {});
  series.mean = statistics.mean.value_or(0);
  series.std = statistics.std.value_or(0);
  return series;
}

}  // namespace

SeriesSet make_series(const ImageHistogram& histogram, const PlotOptions& options) {
  SeriesSet set;
  set.pixels = static_cast<double>(histogram.pixels);
  const ChannelSet shown = options.channels & histogram.channels;
  for (const Channel channel : kChannels) {
    if (!shown.has(channel)) continue;
    const Histogram& counts = histogram[channel];
    const bool beside_others = channel == Channel::kAlpha && !set.series.empty();
    if (beside_others && histogram.pixels > 0 && counts[kBins - 1] == histogram.pixels) {
      set.opaque_alpha = true;
      continue;
    }
    set.series.push_back(make_one(counts, channel, options));
    set.series.back().sets_scale = !beside_others;
  }
  return set;
}

Color line_color(Channel channel) {
  switch (channel) {
    case Channel::kLuma:
      return {52, 58, 66, 1.0};
    case Channel::kRed:
      return {214, 48, 49, 1.0};
    case Channel::kGreen:
      return {22, 145, 72, 1.0};
    case Channel::kBlue:
      return {37, 99, 216, 1.0};
    case Channel::kAlpha:
      return {126, 112, 150, 1.0};
  }
  return {};
}

std::string mean_and_std(const Series& series) { return tenths(series.mean) + " ± " + tenths(series.std); }

std::vector<const Histogram*> scaling_histograms(const SeriesSet& set) {
  std::vector<const Histogram*> histograms;
  for (const auto& series : set.series)
    if (series.sets_scale) histograms.push_back(series.histogram);
  return histograms;
}

double highest_value(const SeriesSet& set) {
  double highest = 0;
  for (const auto& series : set.series)
    if (series.sets_scale) highest = std::max(highest, *std::max_element(series.values.begin(), series.values.end()));
  return highest;
}

}  // namespace gpuhisto::plot
