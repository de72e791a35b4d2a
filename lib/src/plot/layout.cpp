// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/layout.hpp"

#include <algorithm>
#include <cmath>

#include "plot/spikes.hpp"
#include "plot/text.hpp"

namespace gpuhisto::plot {
namespace {

constexpr double kReferenceWidth = 960, kReferenceHeight = 540, kReferenceFont = 13;
constexpr double kLeastFont = 8;
// Text grows slower than the picture: a large plot is looked at from nearer, in units of its text.
constexpr double kGrowth = 0.8;
constexpr double kLineHeight = 1.5;
constexpr double kLeastBarHeight = 1.5;  // pixels of a bin of count 1 on a logarithmic axis; more where there is room

}  // namespace

Axis make_axis(const SeriesSet& set, const PlotOptions& options, double height, double spacing) {
  Axis axis;
  const int most = std::clamp(static_cast<int>(height / spacing), 2, 8);
  const double highest = std::max(highest_value(set), 1.0);
  if (!options.cumulative && !options.log) axis.clipped_at = clipping_level(scaling_histograms(set));
  const double headroom = options.cumulative ? 1.0 : 1.05;
  if (options.log)
    axis.scale = CountScale::logarithmic(std::pow(highest, options.cumulative ? 1.0 : 1.02),
                                         std::max(kLeastBarHeight / height, 0.02));
  else
    axis.scale = CountScale::linear(axis.clipped_at.value_or(highest * headroom));
  axis.ticks = options.cumulative ? share_ticks(axis.scale, highest, most) : count_ticks(axis.scale, most);
  axis.caption = options.cumulative ? "share of pixels up to each level" : "pixels per level";
  axis.short_caption = options.cumulative ? "share" : "pixels";
  if (options.log) axis.caption += ", log scale", axis.short_caption += ", log";
  return axis;
}

Layout make_rows(const PlotOptions& options) {
  Layout layout;
  const double unit = std::min(options.width / kReferenceWidth, options.height / kReferenceHeight);
  layout.font = std::max(kLeastFont, std::round(kReferenceFont * std::pow(unit, kGrowth) * 2) / 2);
  layout.title_font = std::round(layout.font * 1.2 * 2) / 2;
  layout.hairline = std::max(1.0, std::round(layout.font / kReferenceFont));
  layout.pad = std::round(layout.font * 0.9);
  const double line = layout.font * kLineHeight;
  layout.title_base = std::round(layout.pad * 0.7 + layout.title_font);
  layout.legend_base = std::round(layout.title_base + line * 1.05);
  layout.caption_base = std::round(layout.legend_base + line * 1.1);
  layout.top = std::round(layout.caption_base + line * 0.85);
  layout.levels_base = std::round(options.height - layout.pad * 0.8);
  layout.ramp_height = std::round(layout.font * 0.4);
  layout.bottom = std::round(layout.levels_base - layout.font * 1.3 - layout.ramp_height);
  return layout;
}

void set_columns(Layout& layout, const Axis& axis, int width) {
  double labels = 0;
  for (const auto& tick : axis.ticks) labels = std::max(labels, text_width(tick.label, layout.font));
  layout.left = std::round(layout.pad + labels + layout.font * 0.5);
  layout.right = std::round(width - std::max(layout.pad, text_width("255", layout.font) / 2 + 2));
}

}  // namespace gpuhisto::plot
