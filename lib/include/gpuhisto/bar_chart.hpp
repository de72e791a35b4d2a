// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gpuhisto/plot.hpp"

namespace gpuhisto {

/// One bar of a row, for one of the chart's series.
struct Bar {
  std::size_t series = 0;  ///< index into BarChart::series
  double value = 0;
  std::string text;      ///< behind the bar
  bool suspect = false;  ///< not to be trusted: drawn hollow, its text in red
};
/// One thing that is compared.
struct BarRow {
  std::string label;
  std::vector<Bar> bars;
};
/// Horizontal bars, a row a thing that is compared, in each a bar a series.
struct BarChart {
  std::string title, subtitle;      ///< UTF-8; shortened where they do not fit
  std::string caption;              ///< what lengths mean
  std::vector<std::string> series;  ///< names, for the legend
  std::vector<BarRow> rows;
  double limit = 0;        ///< a line that no bar should pass; 0: none
  std::string limit_text;  ///< beside that line
  int width = 960;         ///< pixels; the height is what the bars need
};

/// The narrowest chart, in pixels.
inline constexpr int kMinBarChartWidth = 320;

/// The chart, ready to be rendered. Throws Error(kUsage) for a width out of range or a chart that would be higher than
/// kMaxPlotSize.
Scene make_bar_scene(const BarChart& chart);

}  // namespace gpuhisto
