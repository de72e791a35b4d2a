// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/legend.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "plot/text.hpp"

namespace gpuhisto::plot {
namespace {

/// From the fullest to the shortest.
struct Detail {
  double name;  ///< its greatest width, a part of the line
  bool figures;
  bool initials;  ///< of channels
};
constexpr std::array<Detail, 8> kDetails = {{{1, true, false},
                                             {0.4, true, false},
                                             {0.25, true, false},
                                             {0.4, false, false},
                                             {0.25, false, false},
                                             {0.12, false, false},
                                             {0.1, false, true},
                                             {0.06, false, true}}};
constexpr double kWidestHeading = 0.45;

struct Spacing {
  double swatch, word, item;
};
Spacing spacing_of(const Sizes& sizes) { return {sizes.font * 1.3, sizes.font * 0.45, sizes.font * 1.5}; }

std::string fitted(const std::string& text, double room, double size, Weight weight = Weight::kRegular) {
  return shorten(text, room, "…", [&](std::string_view part) { return text_width(part, size, weight); });
}

double item_width(const LegendItem& item, const Sizes& sizes) {
  const auto gap = spacing_of(sizes);
  double width = item.series ? gap.swatch : 0;
  if (!item.name.empty()) width += text_width(item.name, sizes.font);
  if (!item.figures.empty()) width += text_width(item.figures, sizes.font) + (item.name.empty() ? 0 : gap.word);
  return width;
}

std::vector<LegendItem> make_items(const SeriesSet& set, const Detail& detail, const Sizes& sizes, double room) {
  std::vector<LegendItem> items;
  for (const auto& series : set.series) {
    std::string name = series.name;
    if (name != channel_name(series.channel))
      name = fitted(name, room * detail.name, sizes.font);
    else if (detail.initials)
      name = static_cast<char>(name[0] - 'a' + 'A');
    items.push_back({&series, name, detail.figures ? mean_and_std(series) : ""});
  }
  if (set.opaque_alpha && !detail.initials) items.push_back({nullptr, "", "alpha: opaque"});
  return items;
}

/// Places the items line by line. False where one is wider than a line.
bool flow(Legend& legend, const Sizes& sizes, double room) {
  const double gap = spacing_of(sizes).item;
  double x = legend.heading.empty() ? 0 : text_width(legend.heading, sizes.font, Weight::kBold) + gap;
  legend.rows = 1;
  bool fits = true;
  for (auto& item : legend.items) {
    const double width = item_width(item, sizes);
    if (x + width > room && x > 0) {
      x = 0;
      ++legend.rows;
    }
    fits = fits && x + width <= room;
    item.x = x;
    item.row = legend.rows - 1;
    x += width + gap;
  }
  return fits;
}

Path swatch(const Sizes& sizes, Point at, const Series& series) {
  const double size = sizes.font * 0.8, y = at.y - size + sizes.font * 0.04;
  Path path;
  path.stroke = series.color;
  path.stroke_width = 1.2 * sizes.hairline;
  if (series.look != Look::kArea) {
    path.contours = {{{at.x, y + size / 2}, {at.x + size * 1.2, y + size / 2}}};
    if (series.look == Look::kDashed)
      path.dash = sizes.font * 0.3;
    else
      path.stroke_width = 2 * sizes.hairline;
    return path;
  }
  path.contours = {{{at.x, y}, {at.x + size, y}, {at.x + size, y + size}, {at.x, y + size}}};
  path.closed = true;
  path.fill = path.stroke;
  path.fill.alpha = 0.45;
  return path;
}

}  // namespace

Legend lay_out_legend(const Panel& panel, const Sizes& sizes, double room, int most_rows) {
  Legend legend;
  for (const auto& detail : kDetails) {
    legend.items = make_items(panel.set, detail, sizes, room);
    const double heading_room = legend.items.empty() ? room : room * kWidestHeading;
    legend.heading = fitted(panel.heading, heading_room, sizes.font, Weight::kBold);
    if (flow(legend, sizes, room) && legend.rows <= most_rows) break;
  }
  return legend;
}

void add_legend(Scene& scene, const Legend& legend, const Sizes& sizes, const Palette& palette, Point base) {
  if (!legend.heading.empty())
    scene.shapes.push_back(Label{base, legend.heading, palette.primary, sizes.font, Anchor::kStart, true});
  const auto gap = spacing_of(sizes);
  for (const auto& item : legend.items) {
    Point at{base.x + item.x, std::round(base.y + item.row * sizes.line)};
    if (item.series) {
      scene.shapes.push_back(swatch(sizes, at, *item.series));
      at.x += gap.swatch;
    }
    if (!item.name.empty()) {
      scene.shapes.push_back(Label{at, item.name, palette.primary, sizes.font});
      at.x += text_width(item.name, sizes.font) + gap.word;
    }
    if (!item.figures.empty()) scene.shapes.push_back(Label{at, item.figures, palette.secondary, sizes.font});
  }
}

}  // namespace gpuhisto::plot
