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

/// Of text, lines and gaps: they follow from the size of the plot.
struct Sizes {
  double font = 12, title_font = 14, hairline = 1, pad = 12, line = 18;
};
Sizes make_sizes(const PlotOptions& options);

/// The area of one panel's bars, with what it takes to draw there.
struct Frame : Sizes {
  double left = 0, top = 0, right = 0, bottom = 0;

  double width() const { return right - left; }
  double height() const { return bottom - top; }
  double level_left(double level) const { return left + width() * level / static_cast<double>(kBins); }
  double level_middle(int level) const { return level_left(level + 0.5); }
};

struct PanelRows {
  double legend_base = 0;      ///< of the first line of its legend
  double top = 0, bottom = 0;  ///< the area of the bars
};

/// Places of everything.
struct Layout : Sizes {
  double title_base = 0, caption_base = 0;  ///< baselines of the lines above the first panel
  std::vector<PanelRows> panels;            ///< from top to bottom
  double ramp_height = 4, levels_base = 0;  ///< below them: the ramp of grays, the levels' labels
  double text_left = 0, left = 0, right = 0;

  double panel_height() const { return panels[0].bottom - panels[0].top; }
  Frame frame(std::size_t panel) const { return {*this, left, panels[panel].top, right, panels[panel].bottom}; }
};

/// The height a plot has where none is asked for.
int natural_height(std::size_t panels);
/// All but the columns, which depend on the widths of the axis' labels. `legend_rows` has the number of lines of each
/// panel's legend. Throws Error(kUsage) where so many panels do not fit.
Layout make_rows(const PlotOptions& options, const std::vector<int>& legend_rows);
void set_columns(Layout& layout, double tick_labels, int width);
/// Wide enough for every line of words above the bars, whatever the columns will be.
double text_room(const Sizes& sizes, int width);

}  // namespace gpuhisto::plot
