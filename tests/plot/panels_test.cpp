// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/panels.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "gpuhisto/error.hpp"
#include "plot/samples.hpp"

namespace gpuhisto {
namespace {

std::vector<Path> named_paths(const Scene& scene) {
  std::vector<Path> paths;
  for (const auto& shape : scene.shapes)
    if (const auto* path = std::get_if<Path>(&shape); path && !path->name.empty()) paths.push_back(*path);
  return paths;
}

std::vector<std::string> names_of(const Scene& scene) {
  std::vector<std::string> names;
  for (const auto& path : named_paths(scene)) names.push_back(path.name);
  return names;
}

bool has_text(const Scene& scene, const std::string& text) {
  return std::any_of(scene.shapes.begin(), scene.shapes.end(), [&](const Shape& shape) {
    const auto* label = std::get_if<Label>(&shape);
    return label && label->text.find(text) != std::string::npos;
  });
}

double bottom_of(const Path& path) { return path.contours[0][0].y; }
double height_of(const Path& path) {
  double top = 1e9;
  for (const auto& contour : path.contours)
    for (const auto& point : contour) top = std::min(top, point.y);
  return bottom_of(path) - top;
}

PlotOptions stacked() {
  PlotOptions options;
  options.layout = PlotLayout::kStacked;
  return options;
}

TEST(PlotPanels, StackedChannelsShareBothAxes) {
  const ImageHistogram image = samples::color(1'000'000);
  const Scene scene = make_histogram_scene(image, stacked());
  EXPECT_EQ(names_of(scene), (std::vector<std::string>{"luma", "red", "green", "blue"}));
  EXPECT_GT(scene.height, 540);
  const auto paths = named_paths(scene);
  for (std::size_t i = 1; i < paths.size(); ++i) {
    EXPECT_GT(bottom_of(paths[i]), bottom_of(paths[i - 1]) + 50);
    const Channel channel = kChannels[i];
    const auto peak = [&](Channel c) {
      return static_cast<double>(*std::max_element(image[c].begin(), image[c].end()));
    };
    EXPECT_NEAR(height_of(paths[i]) / height_of(paths[0]), peak(channel) / peak(Channel::kLuma), 1e-6);
  }
}

TEST(PlotPanels, StackedAlphaHasAScaleOfItsOwn) {
  const auto image = samples::with_alpha(samples::color(1'000'000), samples::hill(250, 1, 1'000'000));
  const auto paths = named_paths(make_histogram_scene(image, stacked()));
  ASSERT_EQ(paths.size(), 5u);
  EXPECT_EQ(paths[4].dash, 0);
  EXPECT_GT(height_of(paths[1]), height_of(paths[4]) / 2);
}

TEST(PlotPanels, ACompletelyClippedAlphaIsTold) {
  const auto image = samples::with_alpha(samples::color(1'000'000), samples::only(0, 1'000'000));
  const Scene scene = make_histogram_scene(image, {});
  EXPECT_TRUE(has_text(scene, "1M (100 %)"));
  EXPECT_TRUE(has_text(scene, "higher than drawn"));
}

TEST(PlotPanels, ImagesOfAnySizeCompareByTheirShares) {
  const Histogram hill = samples::hill(100, 20, 1'000'000);
  Histogram large = hill;
  for (auto& count : large) count *= 12'345;
  const std::vector<NamedHistogram> images = {{"small.png", samples::gray(hill)}, {"large.png", samples::gray(large)}};
  for (const auto layout : {PlotLayout::kOverlaid, PlotLayout::kStacked})
    for (const bool log : {false, true})
      for (const bool cumulative : {false, true}) {
        PlotOptions options;
        options.layout = layout, options.log = log, options.cumulative = cumulative;
        const Scene scene = make_comparison_scene(images, options);
        const auto paths = named_paths(scene);
        ASSERT_EQ(paths.size(), 2u);
        EXPECT_NEAR(height_of(paths[0]), height_of(paths[1]), 1e-6);
        EXPECT_TRUE(has_text(scene, "share of"));
        EXPECT_TRUE(has_text(scene, " %"));
      }
}

// Of a total over images of both kinds colors were counted in some only.
TEST(PlotPanels, SharesAreOfThePixelsThatHaveTheChannel) {
  const ImageHistogram color = samples::color(1000);
  ImageHistogram mixed = color;
  mixed.add(samples::gray(samples::hill(90, 20, 777'777)));
  for (const auto layout : {PlotLayout::kOverlaid, PlotLayout::kStacked})
    for (const bool cumulative : {false, true}) {
      PlotOptions options;
      options.layout = layout, options.cumulative = cumulative;
      options.channels = ChannelSet().set(Channel::kRed);
      const auto compared = named_paths(make_comparison_scene({{"color", color}, {"mixed", mixed}}, options));
      ASSERT_EQ(compared.size(), 2u);
      EXPECT_NEAR(height_of(compared[0]), height_of(compared[1]), 1e-6);
      if (!cumulative) continue;
      options.channels.set(Channel::kLuma);
      const auto paths = named_paths(make_histogram_scene(mixed, options));
      ASSERT_EQ(paths.size(), 2u);
      EXPECT_NEAR(height_of(paths[0]), height_of(paths[1]), 1e-6);
    }
}

TEST(PlotPanels, OverlaidImagesAreCurvesOfTheirOwnColorsAPanelAChannel) {
  const std::vector<NamedHistogram> images = {{"a.png", samples::color(1000)},
                                              {"b.png", samples::gray(samples::hill(90, 20, 777))}};
  PlotOptions options;
  options.channels = ChannelSet().set(Channel::kLuma);
  const Scene luma = make_comparison_scene(images, options);
  EXPECT_EQ(names_of(luma), (std::vector<std::string>{"a.png", "b.png"}));
  const auto paths = named_paths(luma);
  EXPECT_NE(paths[0].stroke.red, paths[1].stroke.red);
  EXPECT_TRUE(has_text(luma, "a.png"));
  EXPECT_TRUE(has_text(luma, "b.png"));
  options.channels.set(Channel::kRed).set(Channel::kAlpha);
  EXPECT_EQ(names_of(make_comparison_scene(images, options)), (std::vector<std::string>{"a.png", "b.png", "a.png"}))
      << "red of the colour image alone, and no alpha";
  options.channels = ChannelSet().set(Channel::kAlpha);
  EXPECT_TRUE(has_text(make_comparison_scene(images, options), "no channel to draw"));
}

TEST(PlotPanels, StackedImagesHaveAllTheirChannels) {
  const std::vector<NamedHistogram> images = {{"a.png", samples::color(1000)},
                                              {"b.png", samples::gray(samples::hill(90, 20, 777))}};
  EXPECT_EQ(names_of(make_comparison_scene(images, stacked())),
            (std::vector<std::string>{"red", "green", "blue", "luma", "luma"}));
}

TEST(PlotPanels, BeforeAndAfterShareTheirAxesAndHaveRunningSums) {
  const auto before = samples::with_alpha(samples::color(1'000'000), samples::hill(200, 60, 1'000'000));
  auto after = before;
  after[Channel::kLuma] = samples::hill(120, 10, 1'000'000);
  const Scene scene = make_change_scene(before, after, {});
  EXPECT_TRUE(has_text(scene, "before"));
  EXPECT_TRUE(has_text(scene, "after"));
  const std::string sum = "cumulative, to 100 %";
  EXPECT_EQ(names_of(scene), (std::vector<std::string>{"red", "green", "blue", "luma", sum,  //
                                                       "red", "green", "blue", "luma", sum}))
      << "alpha is never mapped";
  const auto paths = named_paths(scene);
  EXPECT_NEAR(height_of(paths[0]), height_of(paths[5]), 1e-9);
  EXPECT_GT(height_of(paths[8]), 3 * height_of(paths[3]));
  for (const std::size_t i : {4u, 9u}) {
    EXPECT_GT(paths[i].dash, 0);
    const auto& points = paths[i].contours[0];
    for (std::size_t p = 1; p < points.size(); ++p) EXPECT_LE(points[p].y, points[p - 1].y);
    EXPECT_GT(height_of(paths[i]), 100);
  }
}

TEST(PlotPanels, WhatDoesNotFitIsRefused) {
  const auto refuses = [](const auto& make) {
    try {
      make();
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    }
  };
  const NamedHistogram image{"a.png", samples::color(1000)};
  refuses([&] { make_comparison_scene({}, {}); });
  refuses([&] { make_comparison_scene(std::vector(kMostPlotImages + 1, image), {}); });
  PlotOptions options = stacked();
  options.height = 160;
  refuses([&] { make_comparison_scene(std::vector(kMostPlotImages, image), options); });
  for (const int scale : {-1, 0, 5}) {
    options = {};
    options.scale = scale;
    refuses([&] { make_histogram_scene(image.histogram, options); });
  }
}

}  // namespace
}  // namespace gpuhisto
