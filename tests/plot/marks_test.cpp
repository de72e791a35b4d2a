// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/marks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace gpuhisto::plot {
namespace {

using Bars = std::vector<std::pair<std::size_t, double>>;  // level and count

/// All other bins have a count of 40, and the scale ends at 100.
SeriesSet set_with(const Bars& bars) {
  SeriesSet set;
  set.pixels = 100'000;
  set.series.emplace_back();
  set.series[0].values.fill(40);
  for (const auto& [level, count] : bars) set.series[0].values[level] = count;
  return set;
}

struct Marks {
  Frame frame;
  std::vector<double> triangles;  ///< where they point to
  std::vector<Label> labels;

  double left_of(const std::string& text) const {
    for (const auto& label : labels)
      if (label.text.rfind(text, 0) == 0) return label.at.x;
    ADD_FAILURE() << "no " << text;
    return 0;
  }
};

Marks marks_of(const Bars& bars, double level_width = 4) {
  Marks marks;
  marks.frame.left = 50, marks.frame.right = 50 + 256 * level_width, marks.frame.top = 60, marks.frame.bottom = 300;
  Scene scene;
  add_clip_marks(scene, marks.frame, set_with(bars), CountScale::linear(100), palette_of(PlotTheme::kLight));
  for (const auto& shape : scene.shapes) {
    if (const auto* label = std::get_if<Label>(&shape)) marks.labels.push_back(*label);
    const auto* path = std::get_if<Path>(&shape);
    if (path && path->contours[0].size() == 3) marks.triangles.push_back(path->contours[0][1].x);
  }
  std::sort(marks.triangles.begin(), marks.triangles.end());
  return marks;
}

TEST(PlotMarks, EachBinCutOffHasATriangle) {
  const Bars bars = {{0, 900}, {1, 800}, {2, 700}, {4, 500}, {100, 300}, {101, 200}, {254, 150}, {255, 101}};
  for (const double level_width : {0.5, 1.0, 3.5, 20.0}) {
    const Marks marks = marks_of(bars, level_width);
    ASSERT_EQ(marks.triangles.size(), bars.size());
    for (std::size_t i = 0; i < bars.size(); ++i)
      EXPECT_DOUBLE_EQ(marks.triangles[i], marks.frame.level_middle(static_cast<int>(bars[i].first)));
  }
  EXPECT_TRUE(marks_of({{7, 100}}).triangles.empty()) << "as high as the scale";
}

TEST(PlotMarks, ALoneBinHasItsCountBesideIt) {
  const Marks marks = marks_of({{0, 5000}, {128, 2000}, {255, 3000}});
  ASSERT_EQ(marks.labels.size(), 3u);
  EXPECT_GT(marks.left_of("5k"), marks.frame.level_left(1));
  EXPECT_GT(marks.left_of("2k"), marks.frame.level_left(129));
  EXPECT_LT(marks.left_of("3k"), marks.frame.level_left(255));
  for (const auto& label : marks.labels) EXPECT_EQ(label.text.find(" at "), std::string::npos) << label.text;
}

TEST(PlotMarks, TwoNeighboursHaveTheirCountsOnEitherSide) {
  const Marks marks = marks_of({{128, 5000}, {129, 2000}});
  ASSERT_EQ(marks.labels.size(), 2u);
  EXPECT_LT(marks.left_of("5k"), marks.frame.level_left(128));
  EXPECT_GT(marks.left_of("2k"), marks.frame.level_left(130));
}

TEST(PlotMarks, ACountBeyondTheMarksOfNeighboursHasItsLevel) {
  const Marks low = marks_of({{0, 5000}, {1, 2000}, {2, 1000}});
  ASSERT_EQ(low.labels.size(), 1u);
  EXPECT_NE(low.labels[0].text.find(" at 0"), std::string::npos) << low.labels[0].text;
  EXPECT_GT(low.labels[0].at.x, low.frame.level_left(3));
  const Marks high = marks_of({{254, 2000}, {255, 5000}});
  ASSERT_EQ(high.labels.size(), 1u);
  EXPECT_NE(high.labels[0].text.find(" at 255"), std::string::npos) << high.labels[0].text;
}

TEST(PlotMarks, RunsAreNeighboursAndKnowTheirHighest) {
  const auto runs = runs_of(find_cuts(set_with({{0, 200}, {1, 300}, {2, 150}, {4, 900}, {255, 101}}), 100));
  ASSERT_EQ(runs.size(), 3u);
  const int expected[][3] = {{0, 2, 1}, {4, 4, 4}, {255, 255, 255}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(runs[i].first, expected[i][0]);
    EXPECT_EQ(runs[i].last, expected[i][1]);
    EXPECT_EQ(runs[i].highest.level, expected[i][2]);
  }
  EXPECT_TRUE(runs_of({}).empty());
}

}  // namespace
}  // namespace gpuhisto::plot
