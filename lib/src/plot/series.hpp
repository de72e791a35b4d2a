// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>
#include <string>
#include <vector>

#include "gpuhisto/plot.hpp"

namespace gpuhisto::plot {

/// One channel as it is drawn.
struct Series {
  Channel channel = Channel::kLuma;
  const Histogram* histogram = nullptr;
  std::array<double, kBins> values{};  ///< counts, or running sums
  double mean = 0, std = 0;
  bool sets_scale = true;  ///< alpha beside others does not: its spike at 255 is of no interest
};

struct SeriesSet {
  std::vector<Series> series;  ///< in drawing order: luma lies behind the colours
  bool opaque_alpha = false;   ///< alpha was asked for and is 255 everywhere: left out
  double pixels = 0;
  bool empty() const { return series.empty() || pixels == 0; }
};

/// The channels to draw. The histogram must outlive the result.
SeriesSet make_series(const ImageHistogram& histogram, const PlotOptions& options);

/// The colour of a channel's line; its area is a lighter one.
Color line_color(Channel channel);

/// "123.4 ± 56.7".
std::string mean_and_std(const Series& series);

/// The histograms that decide about the scale.
std::vector<const Histogram*> scaling_histograms(const SeriesSet& set);

/// The highest value of all series that decide about the scale.
double highest_value(const SeriesSet& set);

}  // namespace gpuhisto::plot
