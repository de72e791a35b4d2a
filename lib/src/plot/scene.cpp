// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Turns histograms into shapes: for each panel grid, series, axes; the words around them.
#include <algorithm>
#include <cmath>
#include <string>

#include "core/plural.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/plot.hpp"
#include "plot/areas.hpp"
#include "plot/header.hpp"
#include "plot/layout.hpp"
#include "plot/legend.hpp"
#include "plot/marks.hpp"
#include "plot/number.hpp"
#include "plot/palette.hpp"
#include "plot/panels.hpp"
#include "plot/text.hpp"

namespace gpuhisto {
namespace plot {
namespace {

/// A line between two points of the same x or y, as a rectangle on whole units, so that it is crisp everywhere.
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

void add_count_grid(Scene& scene, const Frame& frame, const Axis& axis, const Palette& palette) {
  double free_below = frame.bottom + frame.font;  // the last label's upper end
  for (const auto& tick : axis.ticks) {
    const double y = std::round(frame.bottom - frame.height() * axis.scale.height(tick.value));
    const bool fine = tick.label.empty();
    if (y < frame.bottom - 0.5)
      scene.shapes.push_back(
          rule({frame.left, y}, {frame.right, y}, frame.hairline, fine ? palette.fine_grid : palette.grid));
    const double base = std::round(y + frame.font * 0.36);
    if (fine || base > free_below) continue;
    scene.shapes.push_back(
        Label{{frame.left - frame.font * 0.5, base}, tick.label, palette.secondary, frame.font, Anchor::kEnd});
    free_below = base - frame.font * 1.05;
  }
}

std::vector<int> labelled_levels(const Layout& layout) {
  const double room = text_width("255", layout.font) * 2.4;
  // The last two labels are 31 (or 15) levels apart, not 32 (or 16).
  return level_ticks(std::max(2, static_cast<int>((layout.right - layout.left) / (room * 256 / 248))));
}

void add_level_grid(Scene& scene, const Frame& frame, const std::vector<int>& levels, const Palette& palette) {
  for (const int level : levels) {
    const double x = frame.level_middle(level);
    if (level != 0 && level != 255)
      scene.shapes.push_back(rule({x, frame.top}, {x, frame.bottom}, frame.hairline, palette.fine_grid));
  }
}

void add_baseline(Scene& scene, const Frame& frame, const Palette& palette) {
  scene.shapes.push_back(rule({frame.left, frame.bottom}, {frame.right, frame.bottom}, frame.hairline, palette.axis));
}

/// Below the last panel: what the levels are.
void add_level_axis(Scene& scene, const Layout& layout, const std::vector<int>& levels, const Palette& palette) {
  const Frame frame = layout.frame(layout.panels.size() - 1);
  scene.shapes.push_back(Ramp{{frame.left, frame.bottom + frame.hairline - std::floor(frame.hairline / 2)},
                              frame.width(),
                              layout.ramp_height,
                              {0, 0, 0, 1.0},
                              palette.white});
  for (const int level : levels)
    scene.shapes.push_back(Label{{frame.level_middle(level), layout.levels_base},
                                 std::to_string(level),
                                 palette.secondary,
                                 frame.font,
                                 Anchor::kMiddle});
}

void add_panel(Scene& scene, const Frame& frame, const Panel& panel, const Axis& axis, const Palette& palette) {
  if (!panel.set.empty()) add_series(scene, frame, panel.set, axis.scale, palette);
  add_baseline(scene, frame, palette);
  if (panel.set.empty())
    add_notice(scene, frame, palette, panel.set.series.empty() ? "no channel to draw" : "no pixels");
  else if (axis.clipped_at)
    add_clip_marks(scene, frame, panel.set, axis.scale, palette);
}

std::string description_of(const std::vector<Panel>& panels) {
  std::string text;
  for (const auto& panel : panels)
    for (const auto& series : panel.set.series) {
      const std::string figures = mean_and_std(series);
      if (figures.empty()) continue;
      if (text.empty()) text = "mean ± standard deviation:";
      text.append(" ").append(panel.heading.empty() ? "" : panel.heading + ", ");
      text.append(series.name).append(" ").append(figures + ";");
    }
  if (!text.empty()) text.back() = '.';
  return text;
}

void check_size(const PlotOptions& options) {
  const auto fits = [](int size) { return size >= kMinPlotSize && size <= kMaxPlotSize; };
  if (!fits(options.width) || !fits(options.height))
    throw Error(ErrorKind::kUsage, "a plot's width and height must be within " + std::to_string(kMinPlotSize) +
                                       " and " + std::to_string(kMaxPlotSize) + " pixels");
  if (options.scale < 1 || options.scale > kMaxPlotScale)
    throw Error(ErrorKind::kUsage, "a plot's scale must be within 1 and " + std::to_string(kMaxPlotScale));
}

/// The plot before it is drawn.
struct Chart {
  std::vector<Panel> panels;
  std::vector<std::string> counts;  ///< what is written at the right of the title, longest first
  int legend_rows = 1;
};

class SceneMaker {
 public:
  SceneMaker(const Chart& chart, PlotOptions options)
      : chart_(chart), options_(std::move(options)), palette_(palette_of(options_.theme)) {
    if (options_.height == 0) options_.height = natural_height(chart.panels.size());
    check_size(options_);
    const Sizes sizes = make_sizes(options_);
    std::vector<int> rows;
    for (const auto& panel : chart.panels) {
      legends_.push_back(lay_out_legend(panel, sizes, text_room(sizes, options_.width), chart.legend_rows));
      rows.push_back(legends_.back().rows);
    }
    layout_ = make_rows(options_, rows);
    shared_ = series_of_shared_axis(chart.panels);
    double labels = 0;
    const Axis shared = axis_of(shared_);
    for (const auto& panel : chart.panels) {
      axes_.push_back(panel.own_axis ? axis_of(panel.set) : shared);
      for (const auto& tick : axes_.back().ticks) labels = std::max(labels, text_width(tick.label, layout_.font));
    }
    set_columns(layout_, labels, options_.width);
  }

  Scene draw() {
    Scene scene;
    scene.width = options_.width;
    scene.height = options_.height;
    scene.scale = options_.scale;
    scene.background = palette_.background;
    scene.title = options_.title.empty() ? "Histogram" : "Histogram: " + options_.title;
    const std::string counts = chart_.counts.empty() ? "" : chart_.counts[0], figures = description_of(chart_.panels);
    scene.description = counts + (counts.empty() || figures.empty() ? "" : "; ") + figures;
    const auto levels = labelled_levels(layout_);
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const Frame frame = layout_.frame(i);
      add_count_grid(scene, frame, chart_.panels[i].set.empty() ? Axis{} : axes_[i], palette_);
      add_level_grid(scene, frame, levels, palette_);
      add_panel(scene, frame, chart_.panels[i], axes_[i], palette_);
    }
    add_level_axis(scene, layout_, levels, palette_);
    add_title(scene, layout_, palette_, options_.title, chart_.counts);
    for (std::size_t i = 0; i < legends_.size(); ++i)
      add_legend(scene, legends_[i], layout_, palette_, {layout_.text_left, layout_.panels[i].legend_base});
    add_captions(scene, layout_, palette_, axes_[0], notes());
    return scene;
  }

 private:
  Axis axis_of(const SeriesSet& set) const {
    return make_axis(set, options_, layout_.panel_height(), layout_.font * 3);
  }

  std::vector<std::string> notes() const {
    if (axes_[0].clipped_at) return clip_notes(axes_[0], shared_);
    const bool any = std::any_of(axes_.begin(), axes_.end(), [](const Axis& axis) { return axis.clipped_at; });
    return any ? std::vector<std::string>{"▲ higher than drawn"} : std::vector<std::string>{""};
  }

  const Chart& chart_;
  PlotOptions options_;
  const Palette& palette_;
  SeriesSet shared_;
  Layout layout_;
  std::vector<Legend> legends_;
  std::vector<Axis> axes_;
};

std::vector<std::string> counts_of(const ImageHistogram& histogram) {
  return {grouped(histogram.pixels) + " " + noun_for(histogram.pixels, "pixel"),
          human_count(static_cast<double>(histogram.pixels)) + " px"};
}

}  // namespace
}  // namespace plot

Scene make_histogram_scene(const ImageHistogram& histogram, const PlotOptions& options) {
  const plot::Chart chart{plot::panels_of_image(histogram, options), plot::counts_of(histogram)};
  return plot::SceneMaker(chart, options).draw();
}

Scene make_comparison_scene(const std::vector<NamedHistogram>& images, const PlotOptions& options) {
  if (images.empty() || images.size() > kMostPlotImages)
    throw Error(ErrorKind::kUsage, "a plot compares 1 to " + std::to_string(kMostPlotImages) + " images, not " +
                                       std::to_string(images.size()));
  constexpr int kMostLegendRows = 3;
  const plot::Chart chart{plot::panels_of_images(images, options), {}, kMostLegendRows};
  return plot::SceneMaker(chart, options).draw();
}

Scene make_change_scene(const ImageHistogram& before, const ImageHistogram& after, const PlotOptions& options) {
  constexpr int kMostLegendRows = 2;
  const plot::Chart chart{plot::panels_of_change(before, after, options), plot::counts_of(before), kMostLegendRows};
  return plot::SceneMaker(chart, options).draw();
}

}  // namespace gpuhisto
