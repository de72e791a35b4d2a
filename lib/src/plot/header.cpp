// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/header.hpp"

#include <array>
#include <vector>

#include "core/plural.hpp"
#include "plot/number.hpp"
#include "plot/palette.hpp"
#include "plot/text.hpp"

namespace gpuhisto::plot {
namespace {

double room(const Scene& scene, const Layout& layout) { return scene.width - 2 * layout.pad; }

enum class Detail { kStatistics, kNames, kInitials };

struct LegendItem {
  const Series* series;  ///< null: words without a swatch
  std::string name, figures;
};

std::vector<LegendItem> legend_items(const SeriesSet& set, Detail detail) {
  std::vector<LegendItem> items;
  for (const auto& series : set.series) {
    std::string name(channel_name(series.channel));
    if (detail == Detail::kInitials) name = static_cast<char>(name[0] - 'a' + 'A');
    items.push_back({&series, name, detail == Detail::kStatistics && set.pixels > 0 ? mean_and_std(series) : ""});
  }
  if (set.opaque_alpha && detail != Detail::kInitials) items.push_back({nullptr, "", "alpha: opaque"});
  return items;
}

struct LegendSpacing {
  double swatch, word, item;
};

LegendSpacing spacing_of(const Layout& layout) { return {layout.font * 1.3, layout.font * 0.45, layout.font * 1.5}; }

double item_width(const LegendItem& item, const Layout& layout) {
  const auto gap = spacing_of(layout);
  double width = item.series ? gap.swatch : 0;
  if (!item.name.empty()) width += text_width(item.name, layout.font);
  if (!item.figures.empty()) width += text_width(item.figures, layout.font) + (item.name.empty() ? 0 : gap.word);
  return width;
}

double legend_width(const std::vector<LegendItem>& items, const Layout& layout) {
  double width = 0;
  for (const auto& item : items) width += item_width(item, layout) + (width > 0 ? spacing_of(layout).item : 0);
  return width;
}

Path swatch(const Layout& layout, double x, const Series& series) {
  const double size = layout.font * 0.8, y = layout.legend_base - size + layout.font * 0.04;
  Path path;
  path.stroke = line_color(series.channel);
  path.stroke_width = 1.2 * layout.hairline;
  if (series.channel == Channel::kAlpha && !series.sets_scale) {
    path.contours = {{{x, y + size / 2}, {x + size * 1.2, y + size / 2}}};
    path.dash = layout.font * 0.3;
    return path;
  }
  path.contours = {{{x, y}, {x + size, y}, {x + size, y + size}, {x, y + size}}};
  path.closed = true;
  path.fill = path.stroke;
  path.fill.alpha = 0.4;
  return path;
}

}  // namespace

void add_title(Scene& scene, const Layout& layout, std::uint64_t pixels, const std::string& title) {
  const double all = room(scene, layout), gap = layout.font * 1.5;
  const auto measure = [&](std::string_view text) { return text_width(text, layout.title_font, Weight::kBold); };
  const double wanted = measure(title);
  const std::string unit = " " + noun_for(pixels, "pixel");
  double left = all;
  for (const auto& text : {grouped(pixels) + unit, human_count(static_cast<double>(pixels)) + " px"}) {
    const double width = text_width(text, layout.font);
    // A long title may be shortened in favour of the count, but not below half of the width.
    if (wanted + gap + width > all && width + gap > all * (wanted > all ? 0.3 : 0)) continue;
    const bool alone = title.empty();
    scene.shapes.push_back(Label{{alone ? layout.pad : scene.width - layout.pad, layout.title_base},
                                 text,
                                 kSecondary,
                                 layout.font,
                                 alone ? Anchor::kStart : Anchor::kEnd});
    left = all - width - gap;
    break;
  }
  const std::string shown = shorten(title, left, "…", measure);
  if (!shown.empty())
    scene.shapes.push_back(
        Label{{layout.pad, layout.title_base}, shown, kPrimary, layout.title_font, Anchor::kStart, true});
}

void add_legend(Scene& scene, const Layout& layout, const SeriesSet& set) {
  std::vector<LegendItem> items;
  for (const auto detail : {Detail::kStatistics, Detail::kNames, Detail::kInitials}) {
    items = legend_items(set, detail);
    if (legend_width(items, layout) <= room(scene, layout)) break;
  }
  const auto gap = spacing_of(layout);
  double x = layout.pad;
  for (const auto& item : items) {
    double at = x;
    if (item.series) {
      scene.shapes.push_back(swatch(layout, x, *item.series));
      at += gap.swatch;
      scene.shapes.push_back(Label{{at, layout.legend_base}, item.name, kPrimary, layout.font});
      at += text_width(item.name, layout.font) + gap.word;
    }
    if (!item.figures.empty())
      scene.shapes.push_back(Label{{at, layout.legend_base}, item.figures, kSecondary, layout.font});
    x += item_width(item, layout) + gap.item;
  }
}

void add_captions(Scene& scene, const Layout& layout, const Axis& axis) {
  std::vector<std::string> notes{""};
  if (axis.clipped_at) {
    const std::string end = human_count(*axis.clipped_at);
    notes = {"▲ higher than drawn, the scale ends at " + end, "▲ scale ends at " + end, "▲ above " + end};
  }
  for (const auto& note : notes) {
    for (const auto& caption : {axis.caption, axis.short_caption}) {
      const bool last = &note == &notes.back() && caption == axis.short_caption;
      const double width = text_width(caption, layout.font) + text_width(note, layout.font) + layout.font;
      if (width > room(scene, layout) && !last) continue;
      scene.shapes.push_back(Label{{layout.pad, layout.caption_base}, caption, kSecondary, layout.font});
      if (!note.empty())
        scene.shapes.push_back(
            Label{{scene.width - layout.pad, layout.caption_base}, note, kSecondary, layout.font, Anchor::kEnd});
      return;
    }
  }
}

void add_notice(Scene& scene, const Layout& layout, const std::string& text) {
  scene.shapes.push_back(Label{{layout.left + layout.width() / 2, layout.top + layout.height() / 2},
                               text,
                               kSecondary,
                               layout.title_font,
                               Anchor::kMiddle});
}

}  // namespace gpuhisto::plot
