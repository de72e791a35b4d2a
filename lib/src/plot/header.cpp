// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/header.hpp"

#include <vector>

#include "plot/number.hpp"
#include "plot/text.hpp"

namespace gpuhisto::plot {
namespace {

double room(const Layout& layout) { return layout.right - layout.text_left; }

}  // namespace

void add_title(Scene& scene, const Layout& layout, const Palette& palette, const std::string& title,
               const std::vector<std::string>& counts) {
  const double all = room(layout), gap = layout.font * 1.5;
  const auto measure = [&](std::string_view text) { return text_width(text, layout.title_font, Weight::kBold); };
  const double wanted = measure(title);
  double left = all;
  for (const auto& text : counts) {
    const double width = text_width(text, layout.font);
    // A long title may be shortened in favour of the count, but not below half of the width.
    if (wanted + gap + width > all && width + gap > all * (wanted > all ? 0.3 : 0)) continue;
    const bool alone = title.empty();
    scene.shapes.push_back(Label{{alone ? layout.text_left : layout.right, layout.title_base},
                                 text,
                                 palette.secondary,
                                 layout.font,
                                 alone ? Anchor::kStart : Anchor::kEnd});
    left = all - width - gap;
    break;
  }
  const std::string shown = shorten(title, left, "…", measure);
  if (!shown.empty())
    scene.shapes.push_back(
        Label{{layout.text_left, layout.title_base}, shown, palette.primary, layout.title_font, Anchor::kStart, true});
}

std::vector<std::string> clip_notes(const Axis& axis, const SeriesSet& set) {
  if (!axis.clipped_at) return {""};
  const std::string end = set.shares ? percent(*axis.clipped_at / set.pixels) : human_count(*axis.clipped_at);
  return {"▲ higher than drawn, the scale ends at " + end, "▲ scale ends at " + end, "▲ above " + end};
}

void add_captions(Scene& scene, const Layout& layout, const Palette& palette, const Axis& axis,
                  const std::vector<std::string>& notes) {
  for (const auto& note : notes) {
    for (const auto& caption : {axis.caption, axis.short_caption}) {
      const bool last = &note == &notes.back() && caption == axis.short_caption;
      const double width = text_width(caption, layout.font) + text_width(note, layout.font) + layout.font;
      if (width > room(layout) && !last) continue;
      scene.shapes.push_back(Label{{layout.text_left, layout.caption_base}, caption, palette.secondary, layout.font});
      if (!note.empty())
        scene.shapes.push_back(
            Label{{layout.right, layout.caption_base}, note, palette.secondary, layout.font, Anchor::kEnd});
      return;
    }
  }
}

void add_notice(Scene& scene, const Frame& frame, const Palette& palette, const std::string& text) {
  scene.shapes.push_back(Label{{frame.left + frame.width() / 2, frame.top + frame.height() / 2},
                               text,
                               palette.secondary,
                               frame.title_font,
                               Anchor::kMiddle});
}

}  // namespace gpuhisto::plot
