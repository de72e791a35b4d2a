// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/marks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plot/number.hpp"
#include "plot/palette.hpp"
#include "plot/text.hpp"

namespace gpuhisto::plot {
namespace {

struct Box {
  double left, top, right, bottom;
  bool meets(const Box& o) const { return left < o.right && o.left < right && top < o.bottom && o.top < bottom; }
};

double sum_of(const Series& series) { return std::accumulate(series.values.begin(), series.values.end(), 0.0); }

Cut cut_at(const SeriesSet& set, int level, double clipped_at) {
  Cut cut;
  cut.level = level;
  for (const auto& series : set.series) {
    const double count = series.values[static_cast<std::size_t>(level)];
    if (count <= clipped_at) continue;
    if (cut.series == 0 || count > cut.most) cut.color = series.color;
    cut.least = cut.series == 0 ? count : std::min(cut.least, count);
    if (count > cut.most) {
      cut.most = count;
      // Of sums not all images have all channels.
      cut.share = count / (set.shares || series.is_sum ? set.pixels : sum_of(series));
    }
    ++cut.series;
  }
  return cut;
}

std::string text_of(const Cut& cut, const SeriesSet& set) {
  if (set.shares) return percent(cut.share);
  const std::string least = human_count(cut.least), most = human_count(cut.most);
  if (least != most) return least + "–" + most;
  return most + " (" + percent(cut.share) + ")";
}

Path triangle(const Frame& frame, double x, const Color& color) {
  const double half = frame.font * 0.32, base = frame.top - frame.font * 0.12;
  Path path;
  path.contours = {{{x - half, base}, {x, base - half * 1.7}, {x + half, base}}};
  path.closed = true;
  path.fill = color;
  return path;
}

bool has_running_sum(const SeriesSet& set) {
  return std::any_of(set.series.begin(), set.series.end(), [](const Series& series) { return series.of_height; });
}

/// What makes words legible on a line.
Path backdrop(const Box& box, Color color) {
  constexpr double kCover = 0.85;
  color.alpha = kCover;
  Path path;
  path.contours = {{{box.left, box.top}, {box.right, box.top}, {box.right, box.bottom}, {box.left, box.bottom}}};
  path.closed = true;
  path.fill = color;
  return path;
}

/// Bars that reach higher than `height`, a fraction of the axis: no label may cover them.
std::vector<Box> high_bars(const Frame& frame, const SeriesSet& set, const CountScale& scale, double height) {
  std::vector<Box> bars;
  for (std::size_t v = 0; v < kBins; ++v) {
    const bool high = std::any_of(set.series.begin(), set.series.end(),
                                  [&](const Series& s) { return scale.height(s.values[v]) > height; });
    const auto level = static_cast<double>(v);
    if (high) bars.push_back({frame.level_left(level), frame.top, frame.level_left(level + 1), frame.bottom});
  }
  return bars;
}

/// Where a label may start, seen from the middle of its bar: right of it, left of it, then some levels further away.
std::vector<double> label_shifts(const Frame& frame, double width, double gap) {
  constexpr int kFurthest = 6;
  const double level_width = frame.width() / static_cast<double>(kBins);
  std::vector<double> shifts;
  for (int levels = 0; levels <= kFurthest; ++levels) {
    const double beside = level_width * (levels + 0.5) + gap;
    shifts.push_back(beside);
    shifts.push_back(-beside - width);
  }
  return shifts;
}

}  // namespace

std::vector<Cut> find_cuts(const SeriesSet& set, double clipped_at) {
  std::vector<Cut> cuts;
  int last = -2;
  for (int level = 0; level < static_cast<int>(kBins); ++level) {
    const Cut cut = cut_at(set, level, clipped_at);
    if (cut.series == 0) continue;
    if (level != last + 1)
      cuts.push_back(cut);
    else if (cut.most > cuts.back().most)
      cuts.back() = cut;
    last = level;
  }
  return cuts;
}

void add_clip_marks(Scene& scene, const Frame& frame, const SeriesSet& set, const CountScale& scale,
                    const Palette& palette) {
  auto cuts = find_cuts(set, scale.top());
  // The highest first: where labels would meet, it keeps its own.
  std::stable_sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.most > b.most; });
  const double gap = frame.font * 0.4, base = frame.top + frame.font * 0.95, low = base + frame.font * 0.25;
  std::vector<Box> taken = high_bars(frame, set, scale, (frame.bottom - low) / frame.height());
  for (const auto& cut : cuts) {
    const Color color = cut.series == 1 ? cut.color : palette.primary;
    const double x = frame.level_middle(cut.level);
    scene.shapes.push_back(triangle(frame, x, color));
    const std::string text = text_of(cut, set);
    const double width = text_width(text, frame.font);
    for (const double shift : label_shifts(frame, width, gap)) {
      const Box box{x + shift, frame.top, x + shift + width, low};
      if (box.left < frame.left || box.right > frame.right) continue;
      if (std::any_of(taken.begin(), taken.end(), [&](const Box& other) { return box.meets(other); })) continue;
      // Beyond another mark it would seem to belong to that one.
      const Box reach{std::min(x, box.left), frame.top, std::max(x, box.right), low};
      if (std::any_of(cuts.begin(), cuts.end(), [&](const Cut& other) {
            const double middle = frame.level_middle(other.level);
            return other.level != cut.level && middle > reach.left && middle < reach.right;
          }))
        continue;
      if (has_running_sum(set)) scene.shapes.push_back(backdrop(box, palette.background));
      scene.shapes.push_back(Label{{box.left, base}, text, color, frame.font});
      taken.push_back({box.left - gap, box.top, box.right + gap, box.bottom});
      break;
    }
  }
}

}  // namespace gpuhisto::plot
