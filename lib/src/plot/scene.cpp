// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Turns a histogram into shapes: grid, series, axes, then the words around them.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/plural.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/plot.hpp"
#include "plot/header.hpp"
#include "plot/layout.hpp"
#include "plot/marks.hpp"
#include "plot/number.hpp"
#include "plot/palette.hpp"
#include "plot/series.hpp"
#include "plot/text.hpp"

namespace gpuhisto {
namespace plot {
namespace {

/// A line between two points of the same x or y, as a rectangle on whole pixels, so that it is crisp everywhere.
Path rule(Point from, Point to, double thickness, const Color& color) {
  const double half = std::floor(thickness / 2);
  const bool horizontal = from.y == to.y;
  Path path;
  const double x0 = std::round(from.x) - (horizontal ? 0 : half), y0 = std::round(from.y) - (horizontal ? half : 0);
  const double x1 = horizontal ? std::round(to.x) : x0 + thickness, y1 = horizontal ? y0 + thickness : std::round(to.y);
  path.contours = {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}};
  path.closed = true;
  path.fill = color;
  return path;
}

void add_count_grid(Scene& scene, const Layout& layout, const Axis& axis) {
  double free_below = layout.levels_base;  // the last label's upper end
  for (const auto& tick : axis.ticks) {
    const double y = std::round(layout.bottom - layout.height() * axis.scale.height(tick.value));
    const bool fine = tick.label.empty();
    if (y < layout.bottom - 0.5)
      scene.shapes.push_back(rule({layout.left, y}, {layout.right, y}, layout.hairline, fine ? kFineGrid : kGrid));
    const double base = std::round(y + layout.font * 0.36);
    if (fine || base > free_below) continue;
    scene.shapes.push_back(
        Label{{layout.left - layout.font * 0.5, base}, tick.label, kSecondary, layout.font, Anchor::kEnd});
    free_below = base - layout.font * 1.05;
  }
}

void add_level_axis(Scene& scene, const Layout& layout) {
  const double room = text_width("255", layout.font) * 2.4;
  // The last two labels are 31 (or 15) levels apart, not 32 (or 16).
  const int most = std::max(2, static_cast<int>(layout.width() / (room * 256 / 248)));
  for (const int level : level_ticks(most)) {
    const double x = layout.level_middle(level);
    if (level != 0 && level != 255)
      scene.shapes.push_back(rule({x, layout.top}, {x, layout.bottom}, layout.hairline, kFineGrid));
    scene.shapes.push_back(
        Label{{x, layout.levels_base}, std::to_string(level), kSecondary, layout.font, Anchor::kMiddle});
  }
}

/// The outlines of the bars, one for each run of levels that are not empty: nothing is drawn where nothing is.
std::vector<Contour> steps(const Series& series, const Layout& layout, const Axis& axis) {
  std::vector<Contour> contours;
  double last = 0;  // height of the level before
  for (std::size_t v = 0; v <= kBins; ++v) {
    const double height = v < kBins ? layout.height() * axis.scale.height(series.values[v]) : 0;
    const double x = layout.level_left(static_cast<double>(v));
    if (height == last) continue;
    if (last == 0) contours.push_back({{x, layout.bottom}});
    if (last > 0) contours.back().push_back({x, layout.bottom - last});
    contours.back().push_back({x, layout.bottom - height});
    last = height;
  }
  return contours;
}

void add_series(Scene& scene, const SeriesSet& set, const Layout& layout, const Axis& axis,
                const PlotOptions& options) {
  for (const auto& series : set.series) {
    Path path;
    path.contours = steps(series, layout, axis);
    path.closed = true;
    path.stroke = line_color(series.channel);
    path.fill = path.stroke;
    const bool alone = set.series.size() == 1;
    path.fill.alpha = options.cumulative ? 0.07 : alone ? 0.4 : 0.2;
    // Where levels are narrower than a line, full lines would run together into one flat colour.
    const double level_width = layout.width() / static_cast<double>(kBins);
    path.stroke_width = std::clamp(level_width * 0.4, 0.6, 1.2 * layout.hairline);
    if (options.cumulative) path.stroke_width = 1.5 * layout.hairline;
    if (series.channel == Channel::kAlpha && !alone) {
      path.fill.alpha = 0;
      path.dash = layout.font * 0.4;
    }
    path.name = channel_name(series.channel);
    scene.shapes.push_back(std::move(path));
  }
}

void add_baseline(Scene& scene, const Layout& layout) {
  const double top = layout.bottom;
  scene.shapes.push_back(rule({layout.left, top}, {layout.right, top}, layout.hairline, kAxis));
  scene.shapes.push_back(Ramp{{layout.left, top + layout.hairline - std::floor(layout.hairline / 2)},
                              layout.width(),
                              layout.ramp_height,
                              {0, 0, 0, 1.0},
                              {240, 240, 240, 1.0}});
}

void describe(Scene& scene, const SeriesSet& set, const ImageHistogram& histogram, const PlotOptions& options) {
  scene.title = "Histogram";
  if (!options.title.empty()) scene.title.append(": ").append(options.title);
  scene.description =
      grouped(histogram.pixels) + " " + noun_for(histogram.pixels, "pixel") + "; mean ± standard deviation:";
  for (const auto& series : set.series)
    scene.description.append(" ").append(channel_name(series.channel)).append(" ").append(mean_and_std(series) + ";");
  scene.description.back() = '.';
}

}  // namespace
}  // namespace plot

Scene make_histogram_scene(const ImageHistogram& histogram, const PlotOptions& options) {
  using namespace plot;
  const auto fits = [](int size) { return size >= kMinPlotSize && size <= kMaxPlotSize; };
  if (!fits(options.width) || !fits(options.height))
    throw Error(ErrorKind::kUsage, "a plot's width and height must be within " + std::to_string(kMinPlotSize) +
                                       " and " + std::to_string(kMaxPlotSize) + " pixels");
  const SeriesSet set = make_series(histogram, options);
  Layout layout = make_rows(options);
  const Axis axis = make_axis(set, options, layout.height(), layout.font * 3);
  set_columns(layout, axis, options.width);
  Scene scene;
  scene.width = options.width;
  scene.height = options.height;
  describe(scene, set, histogram, options);
  add_count_grid(scene, layout, set.empty() ? Axis{} : axis);
  add_level_axis(scene, layout);
  if (!set.empty()) add_series(scene, set, layout, axis, options);
  add_baseline(scene, layout);
  add_title(scene, layout, histogram.pixels, options.title);
  add_legend(scene, layout, set);
  add_captions(scene, layout, axis);
  if (set.empty())
    add_notice(scene, layout, set.series.empty() ? "no channel to draw" : "no pixels");
  else if (axis.clipped_at)
    add_clip_marks(scene, layout, set, axis.scale);
  return scene;
}

}  // namespace gpuhisto
