// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Properties of every scene, over all samples, modes and many sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "gpuhisto/error.hpp"
#include "plot/number.hpp"
#include "plot/samples.hpp"
#include "plot/text.hpp"

namespace gpuhisto {
namespace {

struct Box {
  double left, top, right, bottom;
};

Box box_of(const Label& label) {
  const double width =
      plot::text_width(label.text, label.size, label.bold ? plot::Weight::kBold : plot::Weight::kRegular);
  const double part = label.anchor == Anchor::kStart ? 0 : label.anchor == Anchor::kMiddle ? 0.5 : 1;
  const double left = label.at.x - width * part;
  return {left, label.at.y - 0.75 * label.size, left + width, label.at.y + 0.2 * label.size};
}

std::vector<Label> labels_of(const Scene& scene) {
  std::vector<Label> labels;
  for (const auto& shape : scene.shapes)
    if (const auto* label = std::get_if<Label>(&shape)) labels.push_back(*label);
  return labels;
}

std::vector<Path> series_of(const Scene& scene) {
  std::vector<Path> series;
  for (const auto& shape : scene.shapes)
    if (const auto* path = std::get_if<Path>(&shape); path && !path->name.empty()) series.push_back(*path);
  return series;
}

std::vector<std::string> names_of(const Scene& scene) {
  std::vector<std::string> names;
  for (const auto& path : series_of(scene)) names.push_back(path.name);
  return names;
}

bool has_text(const Scene& scene, const std::string& text) {
  const auto labels = labels_of(scene);
  return std::any_of(labels.begin(), labels.end(),
                     [&](const Label& label) { return label.text.find(text) != std::string::npos; });
}

void expect_points_inside(const Scene& scene) {
  for (const auto& shape : scene.shapes) {
    const auto* path = std::get_if<Path>(&shape);
    if (!path) continue;
    for (const auto& contour : path->contours) {
      EXPECT_GE(contour.size(), 2u);
      for (const auto& p : contour) {
        ASSERT_TRUE(std::isfinite(p.x) && std::isfinite(p.y));
        ASSERT_TRUE(p.x >= 0 && p.x <= scene.width && p.y >= 0 && p.y <= scene.height) << p.x << " " << p.y;
      }
    }
  }
}

void expect_legible_labels(const Scene& scene) {
  const auto labels = labels_of(scene);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Box a = box_of(labels[i]);
    EXPECT_GE(labels[i].size, 8);
    EXPECT_TRUE(a.left >= -0.5 && a.right <= scene.width + 0.5 && a.top >= 0 && a.bottom <= scene.height)
        << labels[i].text;
    for (std::size_t j = 0; j < i; ++j) {
      const Box b = box_of(labels[j]);
      EXPECT_FALSE(a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
          << "'" << labels[i].text << "' meets '" << labels[j].text << "'";
    }
  }
}

std::vector<std::pair<int, int>> sizes() {
  std::vector<std::pair<int, int>> list = {{160, 160},   {200, 160},   {320, 200},   {640, 360},   {960, 540},
                                           {1920, 1080}, {4000, 2500}, {160, 16384}, {16384, 160}, {16384, 16384}};
  std::mt19937 random(7);
  for (int i = 0; i < 30; ++i) {
    const int width = static_cast<int>(160 + random() % 2000), height = static_cast<int>(160 + random() % 1500);
    list.emplace_back(width, height);
  }
  return list;
}

/// All kinds of plots; those alone whose panels fit. Without a title, that of one image alone.
std::vector<Scene> scenes_of(const ImageHistogram& histogram, PlotOptions options) {
  std::vector<Scene> scenes;
  if (options.title.empty()) return {make_histogram_scene(histogram, options)};
  const std::vector<NamedHistogram> images = {
      {"photo.jpg", histogram},
      {"a rather long name of a photograph, as cameras give <them>.jpeg", samples::color(1234)},
      {"b.png", samples::gray(samples::hill(90, 20, 777))}};
  for (const auto layout : {PlotLayout::kOverlaid, PlotLayout::kStacked}) {
    options.layout = layout;
    try {
      scenes.push_back(make_histogram_scene(histogram, options));
      scenes.push_back(make_comparison_scene(images, options));
      scenes.push_back(make_change_scene(histogram, images[1].histogram, options));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_LT(options.height, 320) << error.what();
    }
  }
  options.layout = PlotLayout::kOverlaid, options.channels = ChannelSet().set(Channel::kLuma);
  scenes.push_back(make_comparison_scene(std::vector(kMostPlotImages, images[1]), options));
  return scenes;
}

TEST(PlotScene, EverythingIsInsideFiniteAndLegible) {
  for (const auto& sample : samples::all())
    for (const auto& [width, height] : sizes())
      for (const int mode : {0, 1, 2, 3})
        for (const std::string title :
             {"", "photo.jpg", "a rather long name of a photograph, as cameras give <them>.jpeg"}) {
          SCOPED_TRACE(sample.name + " " + std::to_string(width) + "x" + std::to_string(height) + " mode " +
                       std::to_string(mode) + " '" + title + "'");
          PlotOptions options;
          options.width = width, options.height = height, options.title = title;
          options.log = mode & 1, options.cumulative = mode & 2;
          for (const Scene& scene : scenes_of(sample.histogram, options)) {
            EXPECT_EQ(scene.width, width);
            EXPECT_EQ(scene.height, height);
            expect_points_inside(scene);
            expect_legible_labels(scene);
          }
          if (HasFailure()) return;
        }
}

TEST(PlotScene, OneSeriesAChannelLumaAboveTheColors) {
  const auto gray = samples::gray(samples::hill(100, 30, 1000));
  EXPECT_EQ(names_of(make_histogram_scene(gray, {})), (std::vector<std::string>{"luma"}));
  const auto color = samples::color(1000);
  EXPECT_EQ(names_of(make_histogram_scene(color, {})), (std::vector<std::string>{"red", "green", "blue", "luma"}));
  PlotOptions options;
  options.channels = ChannelSet().set(Channel::kRed).set(Channel::kAlpha);
  EXPECT_EQ(names_of(make_histogram_scene(color, options)), (std::vector<std::string>{"red"}));
}

TEST(PlotScene, OpaqueAlphaIsMentionedNotDrawn) {
  const auto image = samples::with_alpha(samples::color(1000), samples::only(255, 1000));
  const Scene scene = make_histogram_scene(image, {});
  EXPECT_EQ(series_of(scene).size(), 4u);
  EXPECT_TRUE(has_text(scene, "alpha: opaque"));
  PlotOptions options;
  options.channels = ChannelSet().set(Channel::kAlpha);
  EXPECT_EQ(names_of(make_histogram_scene(image, options)), (std::vector<std::string>{"alpha"}));
}

TEST(PlotScene, AlphaDoesNotSetTheScale) {
  const auto without = samples::color(1'000'000);
  const auto with = samples::with_alpha(without, samples::flat_with({{0, 500'000}, {255, 500'000}}, 0));
  const auto a = series_of(make_histogram_scene(without, {})), b = series_of(make_histogram_scene(with, {}));
  ASSERT_EQ(b.size(), 5u);
  EXPECT_GT(b[4].dash, 0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < a[i].contours[0].size(); ++k) EXPECT_EQ(a[i].contours[0][k].y, b[i].contours[0][k].y);
}

TEST(PlotScene, SinglePixelsShowOnALogScaleAndEmptyLevelsDoNot) {
  const auto image = samples::gray(samples::flat_with({{0, 1'000'000'000}, {17, 0}, {18, 0}}, 1));
  for (const auto& [width, height] : sizes()) {
    PlotOptions options;
    options.width = width, options.height = height, options.log = true;
    const auto series = series_of(make_histogram_scene(image, options));
    ASSERT_EQ(series.size(), 1u);
    ASSERT_EQ(series[0].contours.size(), 2u) << "levels 17 and 18 are empty";
    const auto& right = series[0].contours[1];
    ASSERT_EQ(right.size(), 4u);
    EXPECT_GE(right[0].y - right[1].y, 1.0) << width << "x" << height;
    EXPECT_EQ(right[1].y, right[2].y);
  }
}

TEST(PlotScene, BarsHaveTheHeightOfTheirCounts) {
  Histogram histogram{};
  histogram[10] = 100, histogram[20] = 50, histogram[30] = 25;
  const auto series = series_of(make_histogram_scene(samples::gray(histogram), {}));
  ASSERT_EQ(series.size(), 1u);
  ASSERT_EQ(series[0].contours.size(), 3u);
  const auto height = [&](std::size_t i) { return series[0].contours[i][0].y - series[0].contours[i][1].y; };
  EXPECT_NEAR(height(0), 2 * height(1), 1e-9);
  EXPECT_NEAR(height(0), 4 * height(2), 1e-9);
}

TEST(PlotScene, ASpikeLeavesTheRestVisibleAndIsLabelled) {
  const Scene scene = make_histogram_scene(samples::gray(samples::flat_with({{0, 990'000}}, 40)), {});
  const auto series = series_of(scene);
  const auto& points = series[0].contours[0];
  const double whole = points[0].y - points[1].y, rest = points[0].y - points[3].y;
  EXPECT_GT(rest, whole / 2);
  EXPECT_TRUE(has_text(scene, "990k (99 %)"));
  EXPECT_TRUE(has_text(scene, "the scale ends at 52"));
}

TEST(PlotScene, WordsSayWhatTheAxisIs) {
  const auto image = samples::color(1'000'000);
  PlotOptions options;
  EXPECT_FALSE(has_text(make_histogram_scene(image, options), "log"));
  EXPECT_TRUE(has_text(make_histogram_scene(image, options), "pixels per level"));
  options.log = true;
  EXPECT_TRUE(has_text(make_histogram_scene(image, options), "log scale"));
  options.cumulative = true, options.log = false;
  const Scene cumulative = make_histogram_scene(image, options);
  EXPECT_TRUE(has_text(cumulative, "share of pixels"));
  EXPECT_TRUE(has_text(cumulative, "100 %"));
}

TEST(PlotScene, CumulativeSharesEndAtTheTop) {
  PlotOptions options;
  options.cumulative = true;
  double top = 1e9;
  const auto all = series_of(make_histogram_scene(samples::color(1'000'000), options));
  for (const auto& series : all)
    for (const auto& p : series.contours[0]) top = std::min(top, p.y);
  for (const auto& series : all) {
    const auto& points = series.contours.back();
    EXPECT_EQ(points.back().y, top) << series.name;
    for (std::size_t i = 1; i < points.size(); ++i) EXPECT_LE(points[i].y, points[i - 1].y);
  }
}

TEST(PlotScene, EmptyImagesSaySo) {
  ImageHistogram empty;
  EXPECT_TRUE(has_text(make_histogram_scene(empty, {}), "no channel to draw"));
  empty.channels = ChannelSet::of_image(3);
  EXPECT_TRUE(has_text(make_histogram_scene(empty, {}), "no pixels"));
  EXPECT_TRUE(series_of(make_histogram_scene(empty, {})).empty());
}

TEST(PlotScene, RefusesSizesOutOfRange) {
  for (const auto& [width, height] : {std::pair{159, 500}, {500, 159}, {16385, 500}, {500, 16385}, {-1, 0}}) {
    PlotOptions options;
    options.width = width, options.height = height;
    try {
      make_histogram_scene(samples::color(10), options);
      ADD_FAILURE() << width << "x" << height;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    }
  }
}

}  // namespace
}  // namespace gpuhisto
