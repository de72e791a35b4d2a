// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>

#include "gpuhisto/error.hpp"
#include "gpuhisto/plot.hpp"
#include "gpuhisto/plot_text.hpp"
#include "plot/samples.hpp"

namespace gpuhisto {
namespace {

TEST(PlotRaster, PixelsAreBounded) {
  EXPECT_NO_THROW(check_raster_size(8192, 8192));
  EXPECT_NO_THROW(check_raster_size(160, 16384));
  EXPECT_THROW(check_raster_size(8193, 8192), Error);
  Scene scene;
  scene.width = scene.height = kMaxPlotSize;
  EXPECT_THROW(render_raster(scene), Error);
}

#ifdef GPUHISTO_HAS_DRAW

using Pixel = std::array<int, 3>;
constexpr Pixel kWhite{255, 255, 255};

Pixel at(const Image& image, std::size_t x, std::size_t y) {
  const std::uint8_t* p = image.view().row(y) + 3 * x;
  return {p[0], p[1], p[2]};
}

Scene canvas(std::vector<Shape> shapes) {
  Scene scene;
  scene.width = 40, scene.height = 30;
  scene.shapes = std::move(shapes);
  return scene;
}

/// Darkness summed over the picture, in whole black pixels.
double ink(const Image& image) {
  double sum = 0;
  for (std::size_t y = 0; y < image.height(); ++y)
    for (std::size_t x = 0; x < image.width(); ++x) sum += (255 - at(image, x, y)[1]) / 255.0;
  return sum;
}

TEST(PlotRaster, DrawsEverySampleAtItsSize) {
  for (const auto& sample : samples::all())
    for (const auto& [width, height] : {std::pair{160, 160}, {333, 217}, {960, 540}}) {
      PlotOptions options;
      options.width = width, options.height = height, options.title = "photo.jpg";
      const Image image = render_raster(make_histogram_scene(sample.histogram, options));
      EXPECT_EQ(image.width(), static_cast<std::size_t>(width));
      EXPECT_EQ(image.height(), static_cast<std::size_t>(height));
      EXPECT_EQ(image.channels(), 3);
      EXPECT_EQ(at(image, 0, 0), kWhite);
      EXPECT_GT(ink(image), 100) << sample.name;
    }
}

TEST(PlotRaster, TheSameSceneGivesTheSamePixels) {
  const Scene scene = make_histogram_scene(samples::color(1'000'000), {});
  const Image a = render_raster(scene), b = render_raster(scene);
  ASSERT_EQ(a.bytes(), b.bytes());
  EXPECT_EQ(std::memcmp(a.view().data, b.view().data, a.bytes()), 0);
}

TEST(PlotRaster, TwiceTheScaleIsTheSamePictureFiner) {
  PlotOptions options;
  options.width = 480, options.height = 300, options.title = "photo.jpg";
  const Image coarse = render_raster(make_histogram_scene(samples::color(1'000'000), options));
  options.scale = 2;
  const Image fine = render_raster(make_histogram_scene(samples::color(1'000'000), options));
  ASSERT_EQ(fine.width(), 2 * coarse.width());
  ASSERT_EQ(fine.height(), 2 * coarse.height());
  double difference = 0;
  for (std::size_t y = 0; y < coarse.height(); ++y)
    for (std::size_t x = 0; x < coarse.width(); ++x)
      for (std::size_t c = 0; c < 3; ++c) {
        const int sum = at(fine, 2 * x, 2 * y)[c] + at(fine, 2 * x + 1, 2 * y)[c] + at(fine, 2 * x, 2 * y + 1)[c] +
                        at(fine, 2 * x + 1, 2 * y + 1)[c];
        difference += std::abs(sum / 4.0 - at(coarse, x, y)[c]);
      }
  EXPECT_LT(difference / static_cast<double>(coarse.bytes()), 1.5) << "levels, on average";
}

TEST(PlotRaster, ADarkPlotIsDark) {
  PlotOptions options;
  options.theme = PlotTheme::kDark;
  const Image image = render_raster(make_histogram_scene(samples::color(1'000'000), options));
  EXPECT_LT(at(image, 0, 0)[0], 40);
  EXPECT_LT(at(image, 959, 539)[1], 40);
}

TEST(PlotRaster, BarsAreWhereTheSceneSays) {
  PlotOptions options;
  options.channels = ChannelSet().set(Channel::kRed);
  const Scene scene = make_histogram_scene(samples::color(1'000'000), options);
  const Image image = render_raster(scene);
  for (const auto& shape : scene.shapes) {
    const auto* path = std::get_if<Path>(&shape);
    if (!path || path->name != "red") continue;
    const auto& points = path->contours[0];
    for (std::size_t i = 1; i + 2 < points.size(); i += 2) {
      const auto x = static_cast<std::size_t>((points[i].x + points[i + 1].x) / 2);
      const auto y = static_cast<std::size_t>(points[i].y);
      if (points[0].y - points[i].y < 12 || points[i + 1].x - points[i].x < 3) continue;
      const Pixel inside = at(image, x, y + 6);
      EXPECT_GT(inside[0], inside[1] + 40) << x << " " << y;
    }
  }
}

TEST(PlotRaster, CoverageIsTheAreaOfThePolygon) {
  Path path;
  path.closed = true;
  path.fill = {0, 0, 0, 1.0};
  path.contours = {{{5.5, 5.25}, {25.5, 5.25}, {25.5, 15.75}, {5.5, 15.75}}};
  EXPECT_NEAR(ink(render_raster(canvas({path}))), 20 * 10.5, 20 * 10.5 * 0.05);
  path.contours = {{{5, 5}, {25, 5}, {25, 15}, {5, 15}}};
  const Image whole = render_raster(canvas({path}));
  EXPECT_DOUBLE_EQ(ink(whole), 200);
  EXPECT_EQ(at(whole, 4, 5), kWhite);
  EXPECT_EQ(at(whole, 5, 5), (Pixel{0, 0, 0}));
  EXPECT_EQ(at(whole, 24, 14), (Pixel{0, 0, 0}));
  EXPECT_EQ(at(whole, 25, 14), kWhite);
}

TEST(PlotRaster, TranslucencyBlends) {
  Path path;
  path.closed = true;
  path.fill = {255, 0, 0, 0.25};
  path.contours = {{{0, 0}, {40, 0}, {40, 30}, {0, 30}}};
  const Pixel pixel = at(render_raster(canvas({path})), 20, 15);
  EXPECT_EQ(pixel[0], 255);
  EXPECT_NEAR(pixel[1], 191, 1);
  EXPECT_NEAR(pixel[2], 191, 1);
}

TEST(PlotRaster, LinesHaveTheirWidthAndDashesTheirGaps) {
  Path path;
  path.stroke = {0, 0, 0, 1.0};
  path.stroke_width = 2;
  path.contours = {{{5, 10}, {35, 10}}};
  EXPECT_NEAR(ink(render_raster(canvas({path}))), 60, 15);
  path.dash = 6;
  const Image dashed = render_raster(canvas({path}));
  EXPECT_LT(at(dashed, 8, 10)[0], 100);
  EXPECT_EQ(at(dashed, 12, 10)[0] + at(dashed, 13, 10)[0] > 300, true);
}

TEST(PlotRaster, TextIsAnchoredAndClipped) {
  Label label;
  label.text = "HHH";
  label.size = 10;
  label.at = {20, 20};
  const auto columns = [](const Image& image) {
    std::size_t first = image.width(), last = 0;
    for (std::size_t y = 0; y < image.height(); ++y)
      for (std::size_t x = 0; x < image.width(); ++x)
        if (at(image, x, y) != kWhite) first = std::min(first, x), last = std::max(last, x);
    return std::pair{first, last};
  };
  label.anchor = Anchor::kMiddle;
  const auto [left, right] = columns(render_raster(canvas({label})));
  EXPECT_NEAR(static_cast<double>(left + right) / 2, 19.5, 1);
  label.anchor = Anchor::kEnd;
  EXPECT_LE(columns(render_raster(canvas({label}))).second, 20u);
  label.anchor = Anchor::kStart;
  EXPECT_GE(columns(render_raster(canvas({label}))).first, 20u);
  for (const Point corner : {Point{-10, 3}, Point{38, 33}, Point{-500, -500}, Point{500, 500}}) {
    label.at = corner;
    EXPECT_EQ(render_raster(canvas({label})).bytes(), 40u * 30u * 3u);
  }
}

TEST(PlotRaster, TextIsNeverMissing) {
  Label label;
  label.text = "x";
  label.at = {10, 20};
  EXPECT_GT(ink(render_raster(canvas({label}))), 5);
  label.bold = true;
  EXPECT_GT(ink(render_raster(canvas({label}))), 5);
}

TEST(PlotRaster, WhatTheFontLacksIsAnEllipsisNotBoxes) {
  const auto drawn = [](const std::string& text) {
    Label label;
    label.text = text;
    label.at = {2, 20};
    return ink(render_raster(canvas({label})));
  };
  EXPECT_TRUE(raster_has_glyphs("Größe Ωμέγα фото ± 12.5 % ▲ …"));
  EXPECT_FALSE(raster_has_glyphs("写真"));
  EXPECT_DOUBLE_EQ(drawn("写真"), drawn("…"));
  EXPECT_NEAR(drawn("a写真b"), drawn("a…b"), 1e-9);
}

double ink_of(const std::string& text) {
  Label label;
  label.text = text;
  label.at = {2, 20};
  return ink(render_raster(canvas({label})));
}

TEST(PlotRaster, WhatOneGlyphBehindTheOtherCannotWriteIsAnEllipsis) {
  for (const std::string text : {"שלום", "صورة", "ﺻﻮﺭﺓ", "ߒߞߏ", "\u0303"}) {
    EXPECT_FALSE(raster_has_glyphs(text)) << text;
    EXPECT_DOUBLE_EQ(ink_of(text), ink_of("…")) << text;
  }
  EXPECT_FALSE(raster_has_glyphs("q\u0303"));
  EXPECT_NEAR(ink_of("q\u0303"), ink_of("q…"), 1e-9);
}

TEST(PlotRaster, AccentsLieOnTheirLetters) {
  const std::pair<const char*, const char*> cases[] = {
      {"e\u0301", "é"}, {"E\u0301", "É"}, {"s\u030c", "š"}, {"o\u031b\u0323", "ợ"}, {"и\u0306", "й"}};
  for (const auto& [apart, together] : cases) {
    EXPECT_TRUE(raster_has_glyphs(apart)) << together;
    EXPECT_DOUBLE_EQ(ink_of(apart), ink_of(together)) << together;
  }
}

TEST(PlotRaster, AGrayPhotoStoredAsRgbIsNotBlue) {
  ImageHistogram image = samples::color(1'000'000);
  for (const Channel channel : {Channel::kRed, Channel::kGreen, Channel::kBlue}) image[channel] = image[Channel::kLuma];
  for (const bool cumulative : {false, true}) {
    PlotOptions options;
    options.cumulative = cumulative;
    const Image picture = render_raster(make_histogram_scene(image, options));
    for (std::size_t y = picture.height() / 4; y < picture.height(); ++y)  // below the legend
      for (std::size_t x = 0; x < picture.width(); ++x)
        ASSERT_LT(at(picture, x, y)[2] - at(picture, x, y)[0], 80) << x << " " << y;
  }
}

TEST(PlotRaster, RampGoesFromLeftToRight) {
  const Image image = render_raster(canvas({Ramp{{4, 4}, 32, 8, {0, 0, 0, 1.0}, {200, 200, 200, 1.0}}}));
  EXPECT_EQ(at(image, 3, 6), kWhite);
  EXPECT_LT(at(image, 4, 6)[0], 10);
  EXPECT_NEAR(at(image, 19, 6)[0], 97, 4);
  EXPECT_GT(at(image, 35, 6)[0], 190);
  EXPECT_EQ(at(image, 36, 6), kWhite);
}

#else

TEST(PlotRaster, WithoutTheModuleAMessageSaysWhatToDo) {
  try {
    render_raster(make_histogram_scene(samples::color(1000), {}));
    FAIL() << "drawn without a module";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
    EXPECT_NE(std::string(error.what()).find("SVG"), std::string::npos);
  }
}

#endif

}  // namespace
}  // namespace gpuhisto
