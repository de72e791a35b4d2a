// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Mixed areas against sums of the heights they are made of.
#include "plot/areas.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "plot/panels.hpp"
#include "plot/samples.hpp"

namespace gpuhisto::plot {
namespace {

/// By the trapezoid rule; all edges of the contours are level or upright.
double area_of(const Path& path) {
  double sum = 0;
  for (const auto& contour : path.contours) {
    double twice = 0;
    for (std::size_t i = 0; i < contour.size(); ++i) {
      const Point &a = contour[i], &b = contour[(i + 1) % contour.size()];
      EXPECT_TRUE(a.x == b.x || a.y == b.y);
      twice += a.x * b.y - b.x * a.y;
    }
    sum += std::fabs(twice) / 2;
  }
  return sum;
}

/// Of the part where exactly the channels of `mask` reach.
double expected_area(const ImageHistogram& image, unsigned mask) {
  double sum = 0;
  for (std::size_t v = 0; v < kBins; ++v) {
    double low = 0, high = 1e9;
    for (const unsigned c : {0u, 1u, 2u}) {
      const auto count = static_cast<double>(image.counts[c + 1][v]);
      if (mask >> c & 1)
        high = std::min(high, count);
      else
        low = std::max(low, count);
    }
    sum += std::max(0.0, high - low);
  }
  return sum;
}

/// A frame in which a count is a unit high and a level a unit wide.
Scene drawn(const ImageHistogram& image, double top) {
  Frame frame;
  frame.left = 10, frame.right = 266, frame.top = 5, frame.bottom = 5 + top;
  Scene scene;
  add_series(scene, frame, panels_of_image(image, {})[0].set, CountScale::linear(top), palette_of(PlotTheme::kLight));
  return scene;
}

TEST(PlotAreas, EachPartHasTheColorOfTheChannelsThatReachThere) {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    ImageHistogram image = samples::color(0);
    for (const std::size_t c : {1u, 2u, 3u})
      for (auto& count : image.counts[c]) count = random() % (round % 3 == 0 ? 3 : 200);
    image.pixels = 1'000'000;
    const Scene scene = drawn(image, 200);
    const Palette& palette = palette_of(PlotTheme::kLight);
    for (unsigned mask = 1; mask < 8; ++mask) {
      double area = 0;
      for (const auto& shape : scene.shapes) {
        const Path& path = std::get<Path>(shape);
        const Color &a = path.fill, &b = palette.mixed[mask];
        if (a.alpha > 0 && a.red == b.red && a.green == b.green && a.blue == b.blue) area += area_of(path);
      }
      EXPECT_NEAR(area, expected_area(image, mask), 1e-6) << mask;
    }
  }
}

TEST(PlotAreas, LumaIsALineBesideColorsAndAnAreaAlone) {
  const auto fills = [](const Scene& scene, const std::string& name) {
    for (const auto& shape : scene.shapes)
      if (const auto& path = std::get<Path>(shape); path.name == name) return path.fill.alpha > 0;
    ADD_FAILURE() << "no " << name;
    return false;
  };
  EXPECT_FALSE(fills(drawn(samples::color(1000), 100), "luma"));
  EXPECT_TRUE(fills(drawn(samples::gray(samples::hill(90, 20, 777)), 100), "luma"));
}

// A gray photo stored as RGB was blue: the line drawn last covers the others.
TEST(PlotAreas, LumaIsAboveTheColorsAndDashesAboveLuma) {
  const Histogram hill = samples::hill(120, 40, 10'000);
  ImageHistogram image = samples::with_alpha(samples::color(10'000), samples::hill(200, 9, 10'000));
  for (const Channel channel : {Channel::kLuma, Channel::kRed, Channel::kGreen, Channel::kBlue}) image[channel] = hill;
  for (const bool cumulative : {false, true}) {
    PlotOptions options;
    options.cumulative = cumulative;
    Frame frame;
    frame.right = 256, frame.bottom = 100;
    Scene scene;
    add_series(scene, frame, panels_of_image(image, options)[0].set, CountScale::linear(10'000),
               palette_of(PlotTheme::kLight));
    std::vector<Path> lines;
    for (const auto& shape : scene.shapes)
      if (const auto& path = std::get<Path>(shape); path.stroke.alpha > 0) lines.push_back(path);
    ASSERT_EQ(lines.size(), 5u);
    EXPECT_EQ(lines[3].name, "luma");
    EXPECT_EQ(lines[4].name, "alpha");
    for (std::size_t i = 0; i < 3; ++i) EXPECT_LE(lines[i].stroke_width, lines[3].stroke_width) << "shows at the sides";
  }
}

double luminance(const Color& color) {
  const auto linear = [](std::uint8_t v) { return std::pow(v / 255.0, 2.2); };
  return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

double contrast(const Color& a, const Color& b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

TEST(PlotPalette, WordsAndLinesStandOutFromTheBackground) {
  for (const auto theme : {PlotTheme::kLight, PlotTheme::kDark}) {
    const Palette& palette = palette_of(theme);
    // The ratios that the Web Content Accessibility Guidelines ask of text and of graphics.
    EXPECT_GT(contrast(palette.primary, palette.background), 7);
    EXPECT_GT(contrast(palette.secondary, palette.background), 4.5);
    for (const auto& color : palette.lines) EXPECT_GT(contrast(color, palette.background), 3);
    for (const auto& color : palette.images) EXPECT_GT(contrast(color, palette.background), 3);
    EXPECT_GT(contrast(palette.grid, palette.background), contrast(palette.fine_grid, palette.background));
  }
}

}  // namespace
}  // namespace gpuhisto::plot
