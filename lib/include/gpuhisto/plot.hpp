// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "gpuhisto/encoder.hpp"
#include "gpuhisto/histogram.hpp"

namespace gpuhisto {

struct PlotOptions {
  int width = 960, height = 540;  ///< pixels, 160..16384 each
  bool log = false;               ///< logarithmic counts; the axis says so
  bool cumulative = false;        ///< share of pixels up to each level
  ChannelSet channels = ChannelSet::all();
  std::string title;              ///< UTF-8, drawn as given (already printable)
};

struct Color {
  std::uint8_t red = 0, green = 0, blue = 0;
  double alpha = 1.0;
};
struct Point {
  double x = 0, y = 0;  ///< pixels from the top left corner
};
enum class Anchor { kStart, kMiddle, kEnd };

/// What a renderer must be able to draw, in drawing order.
struct FilledPolygon {
  std::vector<Point> points;
  Color fill;
};
struct Polyline {
  std::vector<Point> points;
  Color stroke;
  double width = 1.0;
};
struct Label {
  Point at;  ///< of the baseline
  std::string text;
  Color color;
  double size = 12.0;  ///< pixels per em
  Anchor anchor = Anchor::kStart;
  bool vertical = false;  ///< turned counter-clockwise
  bool bold = false;
};
using Shape = std::variant<FilledPolygon, Polyline, Label>;

struct Scene {
  int width = 0, height = 0;
  Color background{255, 255, 255, 1.0};
  std::vector<Shape> shapes;
};

/// Axes, ticks, grid, one series a channel, legend, title.
Scene make_histogram_scene(const ImageHistogram& histogram, const PlotOptions& options);

std::string render_svg(const Scene& scene);
/// Through the drawing module (OpenCV shapes, text from a real font). Throws Error(kUnsupported) when it is not installed.
Image render_raster(const Scene& scene);
/// Block characters, `columns` wide; color as ANSI sequences when wanted.
struct TerminalOptions {
  int columns = 80, rows = 16;
  bool color = false;
  bool unicode = true;
};
std::string render_terminal(const ImageHistogram& histogram, const PlotOptions& plot, const TerminalOptions& terminal);

}  // namespace gpuhisto
