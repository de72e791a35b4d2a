// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpuhisto/plot.hpp"
#include "plot/spikes.hpp"

namespace gpuhisto::plot {

enum class Look {
  kArea,    ///< a line around a filled area
  kLine,    ///< a line alone, over areas or among other lines
  kDashed,  ///< what is of another kind than the rest: alpha, a running sum
};

/// One channel of one image as it is drawn.
struct Series {
  std::string name;  ///< in the legend
  Channel channel = Channel::kLuma;
  Color color;
  Look look = Look::kArea;
  Values values{};                  ///< counts, or running sums
  std::optional<double> mean, std;  ///< nullopt: no pixel has the channel, or they are not wanted
  bool is_sum = false;              ///< running sums: a line ends at the top
  bool of_height = false;  ///< values are fractions of the panel's height, whatever its axis: a line of another kind
  bool sets_scale = true;  ///< alpha beside others does not: its spike at 255 is of no interest
};

struct SeriesSet {
  std::vector<Series> series;  ///< in the legend's order
  bool opaque_alpha = false;   ///< alpha was asked for and is 255 everywhere: left out
  double pixels = 0;           ///< what values are parts of
  bool shares = false;  ///< values are counts of images scaled to that many pixels: only their share has a meaning
  bool empty() const { return series.empty() || pixels == 0; }
};

/// The channels to draw, luma first; `pixels` as in make_one_series().
SeriesSet make_series(const ImageHistogram& histogram, const PlotOptions& options, double pixels = 0);

/// One channel alone; `pixels` are what its counts are scaled to, 0: left as they are, but running sums end at those
/// of the image.
Series make_one_series(const ImageHistogram& histogram, Channel channel, const PlotOptions& options, double pixels = 0);

/// The running sum of a channel's shares, up to the top of a panel.
Series make_running_sum(const ImageHistogram& histogram, Channel channel, const PlotOptions& options);

/// "123.4 ± 56.7"; nothing of a running sum.
std::string mean_and_std(const Series& series);

/// The highest value of all series that decide about the scale.
double highest_value(const SeriesSet& set);

/// Where the scale of counts should end so that spikes do not flatten the rest, as clipping_level().
std::optional<double> clipping_level(const SeriesSet& set);

}  // namespace gpuhisto::plot
