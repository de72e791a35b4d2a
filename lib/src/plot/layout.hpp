// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plot/scale.hpp"
#include "plot/series.hpp"

namespace gpuhisto::plot {

/// The vertical axis: what heights mean.
struct Axis {
  CountScale scale = CountScale::linear(1);
  std::vector<Tick> ticks;
  std::optional<double> clipped_at;  ///< set when some bins are higher than the axis
  std::string caption, short_caption;
};

/// `height` pixels, `spacing` pixels wanted between labelled ticks.
Axis make_axis(const SeriesSet& set, const PlotOptions& options, double height, double spacing);

/// Sizes and places of everything, in pixels.
struct Layout {
  double font = 12, title_font = 14, hairline = 1, pad = 12;
  double title_base = 0, legend_base = 0, caption_base = 0;  ///< baselines of the lines above the plot
  double left = 0, top = 0, right = 0, bottom = 0;           ///< the area of the bars
  double ramp_height = 4, levels_base = 0;                   ///< below it: the ramp of grays, the levels' labels

  double width() const { return right - left; }
  double height() const { return bottom - top; }
  double level_left(double level) const { return left + width() * level / static_cast<double>(kBins); }
  double level_middle(int level) const { return level_left(level + 0.5); }
};

/// Everything but left and right, which depend on the widths of the axis' labels.
Layout make_rows(const PlotOptions& options);
void set_columns(Layout& layout, const Axis& axis, int width);

}  // namespace gpuhisto::plot
