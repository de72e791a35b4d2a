// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Series as shapes. Areas of red, green and blue are not laid over each other, where the last would win: each part has
// the colour of the channels that reach there, whatever their order.
#include "plot/areas.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace gpuhisto::plot {
namespace {

bool mixes(const Series& series) {
  return series.look == Look::kArea && series.channel != Channel::kLuma && series.channel != Channel::kAlpha;
}

using Heights = std::array<double, kBins>;  // units

Heights heights_of(const Series& series, const Frame& frame, const CountScale& scale) {
  Heights heights;
  for (std::size_t v = 0; v < kBins; ++v)
    heights[v] = frame.height() * (series.of_height ? series.values[v] : scale.height(series.values[v]));
  return heights;
}

/// The outlines of the bars, one for each run of levels that are not empty: nothing is drawn where nothing is.
std::vector<Contour> outlines(const Heights& heights, const Frame& frame) {
  std::vector<Contour> contours;
  double last = 0;  // height of the level before
  for (std::size_t v = 0; v <= kBins; ++v) {
    const double height = v < kBins ? heights[v] : 0;
    const double x = frame.level_left(static_cast<double>(v));
    if (height == last) continue;
    if (last == 0) contours.push_back({{x, frame.bottom}});
    if (last > 0) contours.back().push_back({x, frame.bottom - last});
    contours.back().push_back({x, frame.bottom - height});
    last = height;
  }
  return contours;
}

struct Band {
  double low = 0, high = 0;
  bool empty() const { return high <= low; }
};

/// Where exactly the channels of `mask` reach, of the three heights at a level.
Band band_of(const std::array<double, 3>& heights, unsigned mask) {
  Band band{0, 1e9};
  for (unsigned c = 0; c < 3; ++c) {
    if (mask >> c & 1)
      band.high = std::min(band.high, heights[c]);
    else
      band.low = std::max(band.low, heights[c]);
  }
  return band;
}

/// Steps along the upper ends, and back along the lower ones.
Contour around(const std::vector<Band>& bands, std::size_t first, const Frame& frame) {
  Contour contour;
  const auto add = [&](std::size_t level, double height) {
    const Point p{frame.level_left(static_cast<double>(level)), frame.bottom - height};
    const std::size_t n = contour.size();
    if (n >= 2 && contour[n - 1].y == p.y && contour[n - 2].y == p.y)
      contour[n - 1] = p;
    else
      contour.push_back(p);
  };
  for (std::size_t i = 0; i < bands.size(); ++i) {
    add(first + i, bands[i].high);
    add(first + i + 1, bands[i].high);
  }
  for (std::size_t i = bands.size(); i-- > 0;) {
    add(first + i + 1, bands[i].low);
    add(first + i, bands[i].low);
  }
  return contour;
}

/// The bands of one mask, those of neighbouring levels joined where they touch.
std::vector<Contour> areas_of(const std::array<Heights, 3>& heights, unsigned mask, const Frame& frame) {
  std::vector<Contour> contours;
  std::vector<Band> run;
  for (std::size_t v = 0; v <= kBins; ++v) {
    const Band band = v < kBins ? band_of({heights[0][v], heights[1][v], heights[2][v]}, mask) : Band{};
    const bool touches = !run.empty() && !band.empty() && band.low < run.back().high && run.back().low < band.high;
    if (!run.empty() && !touches) {
      contours.push_back(around(run, v - run.size(), frame));
      run.clear();
    }
    if (!band.empty()) run.push_back(band);
  }
  return contours;
}

Path area(std::vector<Contour> contours, const Color& color) {
  Path path;
  path.contours = std::move(contours);
  path.closed = true;
  path.fill = color;
  return path;
}

void add_mixed_areas(Scene& scene, const Frame& frame, const SeriesSet& set, const CountScale& scale,
                     const Palette& palette) {
  std::array<Heights, 3> heights{};
  for (const auto& series : set.series)
    if (mixes(series)) heights[static_cast<std::size_t>(series.channel) - 1] = heights_of(series, frame, scale);
  for (unsigned mask = 1; mask < palette.mixed.size(); ++mask) {
    Path path = area(areas_of(heights, mask, frame), palette.mixed[mask]);
    if (!path.contours.empty()) scene.shapes.push_back(std::move(path));
  }
}

/// From the bottom up. Where channels agree, as in a gray photo stored as RGB, their lines are one: it is luma's, or
/// the photo would look blue. The gaps of dashes show what is below.
int layer_of(const Series& series) {
  if (series.look == Look::kDashed) return 2;
  return series.look == Look::kLine && series.channel == Channel::kLuma ? 1 : 0;
}

std::vector<const Series*> in_drawing_order(const SeriesSet& set) {
  std::vector<const Series*> order;
  for (const auto& series : set.series) order.push_back(&series);
  std::stable_sort(order.begin(), order.end(),
                   [](const Series* a, const Series* b) { return layer_of(*a) < layer_of(*b); });
  return order;
}

Path outline(const Series& series, const Frame& frame, const CountScale& scale) {
  const double level_width = frame.width() / static_cast<double>(kBins);
  Path path;
  path.contours = outlines(heights_of(series, frame, scale), frame);
  if (series.is_sum && series.look != Look::kArea && !path.contours.empty()) path.contours.back().pop_back();
  path.stroke = series.color;
  // Where levels are narrow, full lines would run together into one flat colour.
  path.stroke_width = series.look == Look::kLine ? std::clamp(level_width * 0.38, 0.7, 1.5 * frame.hairline)
                                                 : std::clamp(level_width * 0.3, 0.5, 1.2 * frame.hairline);
  if (series.look == Look::kDashed) path.dash = frame.font * 0.4;
  if (series.look == Look::kArea && !mixes(series)) {
    path.fill = series.color;
    path.fill.alpha = 0.4;
  }
  path.name = series.name;
  return path;
}

}  // namespace

void add_series(Scene& scene, const Frame& frame, const SeriesSet& set, const CountScale& scale,
                const Palette& palette) {
  if (std::any_of(set.series.begin(), set.series.end(), mixes)) add_mixed_areas(scene, frame, set, scale, palette);
  for (const Series* series : in_drawing_order(set)) scene.shapes.push_back(outline(*series, frame, scale));
}

}  // namespace gpuhisto::plot
