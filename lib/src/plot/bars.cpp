// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// A chart of horizontal bars as shapes: legend and axis above, rows below each other.
#include <algorithm>
#include <cmath>

#include "gpuhisto/bar_chart.hpp"
#include "gpuhisto/error.hpp"
#include "plot/number.hpp"
#include "plot/palette.hpp"
#include "plot/text.hpp"

namespace gpuhisto {
namespace plot {
namespace {

constexpr double kFont = 13, kTitleFont = 16, kSmall = 12;
constexpr double kPad = 16, kBar = 15, kBarGap = 2, kRowGap = 12;
constexpr Color kWrong{190, 30, 45, 1.0};
// Told apart also by those who do not see all colours.
constexpr Color kColors[] = {{53, 104, 166, 1.0},  {224, 136, 36, 1.0}, {74, 155, 110, 1.0}, {181, 72, 94, 1.0},
                             {128, 104, 168, 1.0}, {92, 168, 196, 1.0}, {158, 142, 62, 1.0}, {122, 122, 122, 1.0}};

/// Later rounds through the palette are paler.
Color series_color(std::size_t series) {
  Color color = kColors[series % std::size(kColors)];
  const double pale = 0.4 * static_cast<double>(std::min<std::size_t>(series / std::size(kColors), 2));
  const auto mix = [pale](std::uint8_t v) { return static_cast<std::uint8_t>(v + (255 - v) * pale); };
  return {mix(color.red), mix(color.green), mix(color.blue), 1.0};
}

double width_of(const std::string& text, double size) { return text_width(text, size); }

Path box(double left, double top, double right, double bottom, const Color& fill) {
  Path path;
  path.contours = {{{left, top}, {right, top}, {right, bottom}, {left, bottom}}};
  path.closed = true;
  path.fill = fill;
  return path;
}

Path line(Point from, Point to, const Color& color, double dash) {
  Path path;
  path.contours = {{from, to}};
  path.stroke = color;
  path.dash = dash;
  return path;
}

double row_height(const BarRow& row) {
  return static_cast<double>(std::max<std::size_t>(1, row.bars.size())) * (kBar + kBarGap) - kBarGap;
}

class BarDrawing {
 public:
  explicit BarDrawing(const BarChart& chart) : chart_(chart) {
    scene_.width = chart.width;
    double labels = 0, texts = 0, highest = chart.limit;
    for (const auto& row : chart.rows) {
      labels = std::max(labels, width_of(row.label, kFont));
      for (const auto& bar : row.bars) {
        texts = std::max(texts, width_of(bar.text, kSmall));
        highest = std::max(highest, bar.value);
      }
    }
    left_ = std::ceil(kPad + std::min(labels, chart.width * 0.4) + 11);
    right_ = std::round(std::max(left_ + 80, chart.width - kPad - std::min(texts, chart.width * 0.35) - 8));
    highest_ = highest > 0 ? highest : 1;
  }

  Scene draw() {
    head();
    const double bottom = bottom_of_rows();
    scene_.height = static_cast<int>(std::ceil(bottom + kPad));
    if (scene_.height > kMaxPlotSize) throw Error(ErrorKind::kUsage, "so many bars do not fit into one plot");
    axis(bottom);
    limit(bottom);
    double y = top_;
    for (const auto& row : chart_.rows) {
      draw_row(row, y);
      y += row_height(row) + kRowGap;
    }
    describe();
    return std::move(scene_);
  }

 private:
  double x_of(double value) const { return left_ + (right_ - left_) * std::clamp(value / highest_, 0.0, 1.0); }
  void text(Point at, const std::string& words, const Color& color, double size, Anchor anchor = Anchor::kStart,
            bool bold = false) {
    scene_.shapes.push_back(Label{at, words, color, size, anchor, bold});
  }
  std::string fitted(const std::string& words, double room, double size) const {
    return shorten(words, room, "…", [size](std::string_view part) { return text_width(part, size); });
  }

  void head() {
    double y = kPad + kTitleFont;
    const double room = chart_.width - 2 * kPad;
    text({kPad, y}, fitted(chart_.title, room / 1.13, kTitleFont), palette_.primary, kTitleFont, Anchor::kStart, true);
    if (!chart_.subtitle.empty())
      text({kPad, y += 20}, fitted(chart_.subtitle, room, kFont), palette_.secondary, kFont);
    if (chart_.series.size() > 1) y = legend(y + 24);
    text({kPad, y += 24}, fitted(chart_.caption, room, kSmall), palette_.secondary, kSmall);
    ticks_base_ = y += 20;
    top_ = y + 14;
  }

  double legend(double y) {
    double x = kPad;
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      const double width = 18 + width_of(chart_.series[i], kFont);
      if (x + width > chart_.width - kPad && x > kPad) {
        x = kPad;
        y += 20;
      }
      scene_.shapes.push_back(box(x, y - 10, x + 11, y + 1, series_color(i)));
      text({x + 17, y}, chart_.series[i], palette_.primary, kFont);
      x += width + 18;
    }
    return y;
  }

  double bottom_of_rows() const {
    double y = top_;
    for (const auto& row : chart_.rows) y += row_height(row) + kRowGap;
    return y - kRowGap + 8;
  }

  void axis(double bottom) {
    for (const double value : ticks()) {
      const double x = std::round(x_of(value));
      scene_.shapes.push_back(box(x, top_ - 8, x + 1, bottom, value == 0 ? palette_.axis : palette_.grid));
      const std::string label = decimal(value, 3);
      text({x, ticks_base_}, label, palette_.secondary, kSmall, Anchor::kMiddle);
    }
  }

  /// 0 and steps of 1, 2 or 5 times a power of ten.
  std::vector<double> ticks() const {
    const double least = highest_ / std::clamp((right_ - left_) / 90, 2.0, 8.0);
    const double power = std::pow(10, std::floor(std::log10(least)));
    double step = power;
    for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
      step = factor * power;
      if (step >= least) break;
    }
    std::vector<double> values;
    for (int i = 0; i * step <= highest_ * 1.0001; ++i) values.push_back(i * step);
    return values;
  }

  void draw_row(const BarRow& row, double y) {
    const double middle = y + row_height(row) / 2 + kFont * 0.36;
    text({left_ - 10, std::round(middle)}, fitted(row.label, left_ - kPad - 10, kFont), palette_.primary, kFont,
         Anchor::kEnd);
    for (const auto& bar : row.bars) {
      const double end = std::max(x_of(bar.value), left_ + (bar.value > 0 ? 1.5 : 0));
      Path path = box(left_, y, end, y + kBar, series_color(bar.series));
      if (bar.suspect) {
        path.stroke = path.fill;
        path.fill = {255, 255, 255, 1.0};
      }
      path.name = row.label + (bar.series < chart_.series.size() ? ", " + chart_.series[bar.series] : "");
      if (end > left_) scene_.shapes.push_back(std::move(path));
      const std::string words = fitted(bar.text, chart_.width - end - 8, kSmall);
      const double words_end = end + 8 + width_of(words, kSmall);
      if (!words.empty()) scene_.shapes.push_back(box(end + 3, y, words_end, y + kBar, scene_.background));
      text({end + 6, y + kBar * 0.5 + kSmall * 0.36}, words, bar.suspect ? kWrong : palette_.secondary, kSmall);
      y += kBar + kBarGap;
    }
  }

  void limit(double bottom) {
    if (!(chart_.limit > 0)) return;
    const double x = std::round(x_of(chart_.limit)) + 0.5;
    scene_.shapes.push_back(line({x, top_ - 8}, {x, bottom}, palette_.primary, 5));
    const double rightmost = chart_.width - kPad - width_of(chart_.limit_text, kSmall) / 2;
    text({std::min(x, rightmost), bottom + kSmall}, chart_.limit_text, palette_.primary, kSmall, Anchor::kMiddle);
    scene_.height += static_cast<int>(kSmall);
  }

  void describe() {
    scene_.title = chart_.title;
    scene_.description = chart_.caption + ":";
    for (const auto& row : chart_.rows)
      for (const auto& bar : row.bars)
        scene_.description +=
            " " + row.label + (chart_.series.size() > 1 ? ", " + chart_.series[bar.series] : "") + " " + bar.text + ";";
    scene_.description.back() = '.';
  }

  const BarChart& chart_;
  const Palette& palette_ = palette_of(PlotTheme::kLight);
  Scene scene_;
  double left_ = 0, right_ = 0, top_ = 0, ticks_base_ = 0, highest_ = 1;
};

}  // namespace
}  // namespace plot

Scene make_bar_scene(const BarChart& chart) {
  if (chart.width < kMinBarChartWidth || chart.width > kMaxPlotSize)
    throw Error(ErrorKind::kUsage, "a plot's width must be within " + std::to_string(kMinBarChartWidth) + " and " +
                                       std::to_string(kMaxPlotSize) + " pixels");
  return plot::BarDrawing(chart).draw();
}

}  // namespace gpuhisto
