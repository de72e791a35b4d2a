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

/// Above a level whose neighbour has one too it is narrower, so that each is seen.
Path triangle(const Frame& frame, double x, bool alone, const Color& color) {
  const double half = frame.font * 0.32, base = frame.top - frame.font * 0.12;
  const double level_width = frame.width() / static_cast<double>(kBins);
  const double side = alone ? half : std::clamp(level_width / 2, half / 2, half);
  Path path;
  path.contours = {{{x - side, base}, {x, base - half * 1.7}, {x + side, base}}};
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

class ClipMarks {
 public:
  ClipMarks(Scene& scene, const Frame& frame, const SeriesSet& set, const CountScale& scale, const Palette& palette)
      : scene_(scene), frame_(frame), set_(set), palette_(palette), cuts_(find_cuts(set, scale.top())) {
    runs_ = runs_of(cuts_);
    taken_ = high_bars(frame, set, scale, (frame.bottom - low_) / frame.height());
    // The highest first: where labels would meet, it keeps its own.
    std::stable_sort(cuts_.begin(), cuts_.end(), [](const Cut& a, const Cut& b) { return a.most > b.most; });
  }

  void add() {
    for (const auto& cut : cuts_) {
      const CutRun& run = run_of(cut);
      const std::string text = text_of(cut, set_);
      scene_.shapes.push_back(triangle(frame_, frame_.level_middle(cut.level), run.first == run.last, color_of(cut)));
      if (add_label(cut, text, {cut.level, cut.level, {}}) || run.highest.level != cut.level) continue;
      add_label(cut, text + " at " + std::to_string(cut.level), run);
    }
  }

 private:
  Color color_of(const Cut& cut) const { return cut.series == 1 ? cut.color : palette_.primary; }

  const CutRun& run_of(const Cut& cut) const {
    return *std::find_if(runs_.begin(), runs_.end(), [&](const CutRun& run) { return cut.level <= run.last; });
  }

  /// Where a label may start: right of the levels it belongs to, left of them, then some levels further away.
  std::vector<double> starts(const CutRun& run, double width) const {
    constexpr int kFurthest = 6;
    std::vector<double> places;
    for (int levels = 0; levels <= kFurthest; ++levels) {
      places.push_back(frame_.level_left(run.last + 1 + levels) + gap_);
      places.push_back(frame_.level_left(run.first - levels) - gap_ - width);
    }
    return places;
  }

  /// Whether it meets nothing and stands beyond no other mark, to which it would seem to belong.
  bool is_free(const Box& box, const CutRun& run) const {
    if (box.left < frame_.left || box.right > frame_.right) return false;
    if (std::any_of(taken_.begin(), taken_.end(), [&](const Box& other) { return box.meets(other); })) return false;
    return std::none_of(cuts_.begin(), cuts_.end(), [&](const Cut& other) {
      const double x = frame_.level_middle(other.level);
      const bool right = other.level > run.last && x < box.right, left = other.level < run.first && x > box.left;
      return box.left > frame_.level_middle(run.last) ? right : left;
    });
  }

  /// Beside the levels of `run`. False where there is no room.
  bool add_label(const Cut& cut, const std::string& text, const CutRun& run) {
    const double width = text_width(text, frame_.font);
    for (const double left : starts(run, width)) {
      const Box box{left, frame_.top, left + width, low_};
      if (!is_free(box, run)) continue;
      if (has_running_sum(set_)) scene_.shapes.push_back(backdrop(box, palette_.background));
      scene_.shapes.push_back(Label{{box.left, base_}, text, color_of(cut), frame_.font});
      taken_.push_back({box.left - gap_, box.top, box.right + gap_, box.bottom});
      return true;
    }
    return false;
  }

  Scene& scene_;
  const Frame& frame_;
  const SeriesSet& set_;
  const Palette& palette_;
  const double gap_ = frame_.font * 0.4;
  const double base_ = frame_.top + frame_.font * 0.95, low_ = base_ + frame_.font * 0.25;  // of labels
  std::vector<Cut> cuts_;
  std::vector<CutRun> runs_;
  std::vector<Box> taken_;
};

}  // namespace

std::vector<Cut> find_cuts(const SeriesSet& set, double clipped_at) {
  std::vector<Cut> cuts;
  for (int level = 0; level < static_cast<int>(kBins); ++level)
    if (const Cut cut = cut_at(set, level, clipped_at); cut.series > 0) cuts.push_back(cut);
  return cuts;
}

std::vector<CutRun> runs_of(const std::vector<Cut>& cuts) {
  std::vector<CutRun> runs;
  for (const auto& cut : cuts) {
    if (runs.empty() || cut.level != runs.back().last + 1) runs.push_back({cut.level, cut.level, cut});
    runs.back().last = cut.level;
    if (cut.most > runs.back().highest.most) runs.back().highest = cut;
  }
  return runs;
}

void add_clip_marks(Scene& scene, const Frame& frame, const SeriesSet& set, const CountScale& scale,
                    const Palette& palette) {
  ClipMarks(scene, frame, set, scale, palette).add();
}

}  // namespace gpuhisto::plot
