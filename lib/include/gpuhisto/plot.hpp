// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "gpuhisto/histogram.hpp"
#include "gpuhisto/image.hpp"

namespace gpuhisto {

/// Dark lines on white, or light ones on near black.
enum class PlotTheme { kLight, kDark };
/// How several histograms share a plot.
enum class PlotLayout {
  kOverlaid,  ///< the channels of an image in one panel; of several images: a panel a channel, each image a curve
  kStacked,   ///< a panel a channel; of several images: a panel an image
};

/// How histograms are drawn.
struct PlotOptions {
  int width = 960;  ///< 160..16384 units; a unit is a pixel at scale 1
  int height = 0;   ///< likewise; 0: 540 for one panel, more for several
  int scale = 1;    ///< pixels per unit, 1..4: the same layout, finer. An SVG is shown so many times as large
  PlotTheme theme = PlotTheme::kLight;
  PlotLayout layout = PlotLayout::kOverlaid;
  bool log = false;          ///< logarithmic heights; the axis says so
  bool cumulative = false;   ///< share of the pixels up to each level
  std::size_t bins = kBins;  ///< of equal width, drawn as steps; mean and deviation stay those of the levels
  bool figures = true;       ///< mean and deviation: not where levels are unknown
  ChannelSet channels = ChannelSet::all();  ///< those drawn, where counted; alpha of an opaque image is only mentioned
  std::string title;                        ///< UTF-8, already printable; shortened in its middle where it does not fit
};
inline constexpr int kMinPlotSize = 160;    ///< units of a side, at least
inline constexpr int kMaxPlotSize = 16384;  ///< units of a side, at most
inline constexpr int kMaxPlotScale = 4;     ///< pixels per unit, at most
/// Of a raster: each is drawn several times, so time and memory grow with the area.
inline constexpr std::int64_t kMaxRasterPixels = std::int64_t{8192} * 8192;

/// An sRGB colour.
struct Color {
  std::uint8_t red = 0, green = 0, blue = 0;
  double alpha = 1.0;  ///< 0: not there, 1: opaque
};
/// A place in a scene.
struct Point {
  double x = 0, y = 0;  ///< units from the top left corner
};
/// Which part of a text lies at its place.
enum class Anchor { kStart, kMiddle, kEnd };

/// Points, with a straight line from each to the next.
using Contour = std::vector<Point>;

/// Contours of one look. A fill (even-odd, up to the line from a contour's end to its start) or stroke of alpha 0 is
/// not drawn.
struct Path {
  std::vector<Contour> contours;
  bool closed = false;  ///< the stroke ends where it began
  Color fill{0, 0, 0, 0.0};
  Color stroke{0, 0, 0, 0.0};
  double stroke_width = 1.0;
  double dash = 0.0;  ///< length of dashes and, halved, of the gaps between them; 0: solid
  std::string name;   ///< what it shows: an SVG's readers see it beside the pointer; may be empty
};
/// A rectangle that changes evenly from one colour to another, left to right.
struct Ramp {
  Point corner;  ///< top left
  double width = 0, height = 0;
  Color left, right;
};
/// A line of text.
struct Label {
  Point at;  ///< of the baseline
  std::string text;
  Color color;
  double size = 12.0;  ///< units per em
  Anchor anchor = Anchor::kStart;
  bool bold = false;
};
/// One of the shapes.
using Shape = std::variant<Path, Ramp, Label>;

/// A picture made of the few shapes every renderer can draw, in drawing order.
struct Scene {
  int width = 0, height = 0;  ///< units
  int scale = 1;              ///< pixels per unit
  std::string title;          ///< plain UTF-8: what the whole picture is, for readers that cannot see it
  std::string description;    ///< the same, longer: the figures in it
  Color background{255, 255, 255, 1.0};
  std::vector<Shape> shapes;
};

/// Axes, ticks, grid, one series a channel, legend with mean ± standard deviation, title. Heights are pixels per level;
/// a few bins that would flatten all others are cut off, marked and labelled with their counts, and the plot says so.
/// A bin of one pixel is at least one pixel high on a logarithmic axis. Panels below each other share both axes.
/// Throws Error(kUsage) for a size or scale out of range, or too low for its panels.
Scene make_histogram_scene(const ImageHistogram& histogram, const PlotOptions& options);

/// An image of several in one plot.
struct NamedHistogram {
  std::string name;  ///< UTF-8, already printable; names that are too long for the plot are shortened in their middle
  ImageHistogram histogram;
};
inline constexpr std::size_t kMostPlotImages = 8;  ///< more colours than these cannot be told apart
/// The same of several images, so that those of any size compare: heights are shares of each image's pixels.
/// Throws Error(kUsage) for more than kMostPlotImages too.
Scene make_comparison_scene(const std::vector<NamedHistogram>& images, const PlotOptions& options);

/// An image before and after its pixels were mapped: two panels with the same axes. A dashed line is the share of luma
/// up to each level, from 0 to 100 % of a panel's height.
Scene make_change_scene(const ImageHistogram& before, const ImageHistogram& after, const PlotOptions& options);

/// A standalone document; text in the reader's own sans-serif font.
std::string render_svg(const Scene& scene);
/// Throws Error(kUsage) for more than kMaxRasterPixels: every pixel is drawn several times, at 16 samples.
void check_raster_size(int width, int height);
/// An RGB image, through the module gpuhisto_draw (OpenCV shapes, text from DejaVu Sans). The same scene gives the same
/// pixels. Throws as check_raster_size(), and Error(kUnsupported) when the module is not installed.
Image render_raster(const Scene& scene);

/// What a terminal can show.
struct TerminalOptions {
  int columns = 80;     ///< of the widest line; no more are used than 256 levels and their axis take
  int rows = 16;        ///< lines at most; at least 6 are used
  bool color = false;   ///< ANSI sequences of the 256-colour palette; red, green and blue are laid over each other
  bool unicode = true;  ///< eighth blocks and lines; otherwise ASCII alone
};
/// Lines ended by '\n', without trailing blanks. A column shows the highest of its bins.
std::string render_terminal(const ImageHistogram& histogram, const PlotOptions& plot, const TerminalOptions& terminal);

}  // namespace gpuhisto
