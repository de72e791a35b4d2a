// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <cmath>
#include <opencv2/core/utility.hpp>
#include <string>
#include <vector>

#include "canvas.hpp"
#include "font.hpp"
#include "font_data.hpp"
#include "plot/draw_module.hpp"
#include "plot/text.hpp"

namespace gpuhisto::draw {
namespace {

/// Appends the dashes of one line, the gaps half as long.
void cut_into_dashes(const Contour& line, double dash, std::vector<Contour>& dashes) {
  bool on = true;
  double left = dash;  // of the current dash or gap
  if (!line.empty()) dashes.push_back({line[0]});
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    Point at = line[i];
    const Point end = line[i + 1];
    double length = std::hypot(end.x - at.x, end.y - at.y);
    while (length > left) {
      at = {at.x + (end.x - at.x) * left / length, at.y + (end.y - at.y) * left / length};
      length -= left;
      if (on) dashes.back().push_back(at);
      on = !on;
      left = on ? dash : dash / 2;
      if (on) dashes.push_back({at});
    }
    left -= length;
    if (on) dashes.back().push_back(end);
  }
}

std::vector<Contour> dashes_of(const Path& path) {
  std::vector<Contour> dashes;
  for (auto line : path.contours) {
    if (path.closed && !line.empty()) line.push_back(line.front());
    cut_into_dashes(line, path.dash, dashes);
  }
  return dashes;
}

using plot::Weight;

const Font& font_of(Weight weight) {
  static const Font regular(gpuhisto_font_regular), bold(gpuhisto_font_bold);
  return weight == Weight::kBold ? bold : regular;
}

class Renderer {
 public:
  explicit Renderer(Canvas& canvas) : canvas_(canvas) {}

  void operator()(const Path& path) {
    if (path.fill.alpha > 0) canvas_.fill(path.contours, path.fill);
    if (path.stroke.alpha <= 0) return;
    if (path.dash <= 0) return canvas_.stroke(path.contours, path.closed, path.stroke_width, path.stroke);
    canvas_.stroke(dashes_of(path), false, path.stroke_width, path.stroke);
  }

  void operator()(const Ramp& ramp) { canvas_.ramp(ramp); }

  void operator()(const Label& label) {
    const Font& font = font_of(label.bold ? Weight::kBold : Weight::kRegular);
    const double width = label.anchor == Anchor::kStart ? 0 : font.width(label.text, label.size);
    const double x = label.at.x - (label.anchor == Anchor::kEnd ? width : width / 2);
    font.draw(label.text, label.size, {x, label.at.y},
              [&](const cv::Mat& coverage, cv::Point corner) { canvas_.blend(coverage, corner, label.color); });
  }

 private:
  Canvas& canvas_;
};

}  // namespace
}  // namespace gpuhisto::draw

extern "C" __attribute__((visibility("default"))) void gpuhisto_draw_scene(const gpuhisto::Scene& scene,
                                                                           const gpuhisto::MutableImageView& image) {
  // The work is a few milliseconds: starting OpenCV's threads would take longer.
  cv::setNumThreads(1);
  gpuhisto::draw::Canvas canvas(image);
  canvas.clear(scene.background);
  gpuhisto::draw::Renderer renderer(canvas);
  for (const auto& shape : scene.shapes) std::visit(renderer, shape);
}

extern "C" __attribute__((visibility("default"))) bool gpuhisto_draw_has_glyphs(const std::string& text) {
  using gpuhisto::plot::Weight;
  return gpuhisto::draw::font_of(Weight::kRegular).has(text) && gpuhisto::draw::font_of(Weight::kBold).has(text);
}
