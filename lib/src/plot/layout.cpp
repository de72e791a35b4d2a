// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/layout.hpp"

#include <algorithm>
#include <cmath>

#include "gpuhisto/error.hpp"
#include "plot/text.hpp"

namespace gpuhisto::plot {
namespace {

constexpr double kReferenceWidth = 960, kReferenceHeight = 540, kReferenceFont = 13;
constexpr double kLeastFont = 8;
// Text grows slower than the picture: a large plot is looked at from nearer, in units of its text.
constexpr double kGrowth = 0.8;
constexpr double kLineHeight = 1.5;
constexpr double kLeastBarHeight = 1.5;    // pixels of a bin of count 1 on a logarithmic axis; more where there is room
constexpr double kLeastPanelHeight = 1.2;  // in lines of text
constexpr double kMostUnused = 0.06;       // of the width, for levels of equal width in pixels

double highest_of_all(const SeriesSet& set) {
  double highest = 0;
  for (const auto& series : set.series)
    highest = std::max(highest, *std::max_element(series.values.begin(), series.values.end()));
  return highest;
}

/// Levels of whole or half pixels where that costs little: bars of all levels then look alike, and the teeth of an
/// equalised image do not beat against the grid of pixels.
double even_width(double width) {
  for (const double step : {128.0, 64.0}) {
    const double even = std::floor(width / step) * step;
    if (even >= width * (1 - kMostUnused)) return even;
  }
  return width;
}

}  // namespace

Axis make_axis(const SeriesSet& set, const PlotOptions& options, double height, double spacing) {
  Axis axis;
  const int most = std::clamp(static_cast<int>(height / spacing), 2, 8);
  const bool counts = !options.cumulative && !options.log;
  const double all = highest_of_all(set), highest = std::max(counts ? highest_value(set) : all, 1.0);
  if (options.log) {
    axis.scale = CountScale::logarithmic(std::pow(highest, options.cumulative ? 1.0 : 1.02),
                                         std::max(kLeastBarHeight / height, 0.02));
  } else {
    const double headroom = options.cumulative ? 1.0 : 1.05;
    const auto level = counts ? clipping_level(set) : std::nullopt;
    axis.scale = CountScale::linear(level.value_or(highest * headroom));
    if (all > axis.scale.top()) axis.clipped_at = axis.scale.top();
  }
  const bool shares = options.cumulative || set.shares;
  const double total = options.cumulative && !set.shares ? highest : std::max(set.pixels, 1.0);
  axis.ticks = shares ? share_ticks(axis.scale, total, most) : count_ticks(axis.scale, most);
  axis.caption = options.cumulative ? "share of pixels up to each level"
                 : set.shares       ? "share of each image's pixels per level"
                                    : "pixels per level";
  axis.short_caption = shares ? "share" : "pixels";
  if (options.log) axis.caption += ", log scale", axis.short_caption += ", log";
  return axis;
}

Sizes make_sizes(const PlotOptions& options) {
  Sizes sizes;
  const double unit = std::min(options.width / kReferenceWidth, options.height / kReferenceHeight);
  sizes.font = std::max(kLeastFont, std::round(kReferenceFont * std::pow(unit, kGrowth) * 2) / 2);
  sizes.title_font = std::round(sizes.font * 1.2 * 2) / 2;
  sizes.hairline = std::max(1.0, std::round(sizes.font / kReferenceFont));
  sizes.pad = std::round(sizes.font * 0.9);
  sizes.line = sizes.font * kLineHeight;
  return sizes;
}

int natural_height(std::size_t panels) {
  constexpr int kPanel = 210, kRest = 120;
  return panels <= 1 ? static_cast<int>(kReferenceHeight) : kRest + kPanel * static_cast<int>(panels);
}

Layout make_rows(const PlotOptions& options, const std::vector<int>& legend_rows) {
  Layout layout;
  static_cast<Sizes&>(layout) = make_sizes(options);
  const double line = layout.line;
  const auto panels = static_cast<double>(legend_rows.size());
  layout.title_base = std::round(layout.pad * 0.7 + layout.title_font);
  layout.levels_base = std::round(options.height - layout.pad * 0.8);
  layout.ramp_height = std::round(layout.font * 0.4);
  const double bottom = std::round(layout.levels_base - layout.font * 1.3 - layout.ramp_height);
  // With one panel the caption is nearest to its axis; that of several stands above all of them.
  const bool alone = legend_rows.size() == 1;
  const double after_title = layout.title_base + line * 1.05, gap = line * 0.6, above_bars = line * 0.85;
  double legends = 0;
  for (const int rows : legend_rows) legends += line * (rows - 1);
  double y = after_title;  // of the next panel's legend
  layout.caption_base = std::round(alone ? y + legends + line * 1.1 : y);
  double height = bottom - layout.caption_base - above_bars;
  if (!alone) {
    y = layout.caption_base + line * 1.25;
    height = std::floor((bottom - y - legends - above_bars * panels - (panels - 1) * (gap + line)) / panels);
  }
  if (height < kLeastPanelHeight * line)
    throw Error(ErrorKind::kUsage, "a plot of " + std::to_string(options.width) + "x" + std::to_string(options.height) +
                                       " has no room for " + std::to_string(legend_rows.size()) +
                                       " panels: choose a larger size");
  for (const int rows : legend_rows) {
    PanelRows& panel = layout.panels.emplace_back();
    panel.legend_base = std::round(y);
    panel.top = std::round(alone ? layout.caption_base + above_bars : y + line * (rows - 1) + above_bars);
    panel.bottom = std::round(panel.top + height);
    y = panel.bottom + gap + line;
  }
  return layout;
}

double text_room(const Sizes& sizes, int width) { return (width - 2 * sizes.pad) * (1 - kMostUnused) - 4; }

void set_columns(Layout& layout, double tick_labels, int width) {
  const double left = std::round(layout.pad + tick_labels + layout.font * 0.5);
  const double right = std::round(width - std::max(layout.pad, text_width("255", layout.font) / 2 + 2));
  const double even = even_width(right - left), inset = std::floor((right - left - even) / 2);
  layout.text_left = layout.pad + inset;
  layout.left = left + inset;
  layout.right = layout.left + even;
}

}  // namespace gpuhisto::plot
