// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include "gpuhisto/bar_chart.hpp"
#include "gpuhisto/error.hpp"
#include "plot/text.hpp"

namespace gpuhisto {
namespace {

BarChart sample() {
  BarChart chart;
  chart.title = "A chart";
  chart.subtitle = "of bars";
  chart.caption = "GB/s";
  chart.series = {"one", "two"};
  chart.rows = {{"first", {{0, 100, "100 GB/s", false}, {1, 25, "25 GB/s", false}}},
                {"second", {{0, 0, "0", false}, {1, 50, "50 GB/s", true}}}};
  chart.limit = 120;
  chart.limit_text = "limit";
  return chart;
}

const Path& path_of(const Scene& scene, const std::string& name) {
  for (const auto& shape : scene.shapes)
    if (const auto* path = std::get_if<Path>(&shape); path && path->name == name) return *path;
  throw std::runtime_error("no " + name);
}
double width_of(const Path& path) { return path.contours[0][1].x - path.contours[0][0].x; }

TEST(PlotBars, LengthsAreProportional) {
  const Scene scene = make_bar_scene(sample());
  EXPECT_NEAR(width_of(path_of(scene, "first, one")), 4 * width_of(path_of(scene, "first, two")), 1e-6);
  EXPECT_THROW((void)path_of(scene, "second, one"), std::runtime_error);  // nothing is drawn where nothing is
}

TEST(PlotBars, SuspectBarsAreHollow) {
  const Scene scene = make_bar_scene(sample());
  EXPECT_GT(path_of(scene, "second, two").stroke.alpha, 0);
  EXPECT_EQ(path_of(scene, "second, two").fill.red, 255);
  EXPECT_EQ(path_of(scene, "first, two").stroke.alpha, 0);
}

TEST(PlotBars, AllWordsAreInside) {
  for (const int width : {320, 480, 960, 3000}) {
    BarChart chart = sample();
    chart.width = width;
    chart.limit_text = "reading alone, the fastest: 120";
    chart.title = "A title that is longer than a narrow picture is wide, by far, whatever it may say";
    for (int i = 0; i < 30; ++i)
      chart.rows.push_back({"a method with a rather long name", {{0, 1.0 * i, "some text behind the bar", false}}});
    const Scene scene = make_bar_scene(chart);
    EXPECT_EQ(scene.width, width);
    for (const auto& shape : scene.shapes) {
      const auto* label = std::get_if<Label>(&shape);
      if (!label) continue;
      const double length = plot::text_width(label->text, label->size);
      const double left = label->at.x - (label->anchor == Anchor::kEnd      ? length
                                         : label->anchor == Anchor::kMiddle ? length / 2
                                                                            : 0);
      EXPECT_GE(left, 0) << width << " " << label->text;
      EXPECT_LE(left + length, width) << width << " " << label->text;
      EXPECT_LT(label->at.y, scene.height) << label->text;
    }
  }
}

TEST(PlotBars, TellsItsFiguresToThoseWhoCannotSeeThem) {
  const Scene scene = make_bar_scene(sample());
  EXPECT_EQ(scene.title, "A chart");
  EXPECT_EQ(scene.description, "GB/s: first, one 100 GB/s; first, two 25 GB/s; second, one 0; second, two 50 GB/s.");
}

TEST(PlotBars, EmptyAndFlatChartsAreDrawn) {
  EXPECT_GT(make_bar_scene(BarChart{}).height, 0);
  BarChart zero = sample();
  zero.limit = 0;
  for (auto& row : zero.rows)
    for (auto& bar : row.bars) bar.value = 0;
  EXPECT_GT(make_bar_scene(zero).height, 0);
}

TEST(PlotBars, SizesOutOfRangeAreUsageErrors) {
  BarChart chart = sample();
  chart.width = 10;
  EXPECT_THROW((void)make_bar_scene(chart), Error);
  chart = sample();
  chart.rows.assign(5000, chart.rows[0]);
  EXPECT_THROW((void)make_bar_scene(chart), Error);
}

}  // namespace
}  // namespace gpuhisto
