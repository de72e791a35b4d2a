// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <string>

#include "gpuhisto/error.hpp"
#include "gpuhisto/module.hpp"
#include "gpuhisto/plot.hpp"
#include "gpuhisto/plot_text.hpp"
#include "plot/draw_module.hpp"

namespace gpuhisto {
namespace {

/// Pixels instead of units.
class Enlargement {
 public:
  explicit Enlargement(double factor) : factor_(factor) {}
  void operator()(Path& path) const {
    for (auto& contour : path.contours)
      for (auto& point : contour) enlarge(point);
    path.stroke_width *= factor_;
    path.dash *= factor_;
  }
  void operator()(Ramp& ramp) const {
    enlarge(ramp.corner);
    ramp.width *= factor_;
    ramp.height *= factor_;
  }
  void operator()(Label& label) const {
    enlarge(label.at);
    label.size *= factor_;
  }

 private:
  void enlarge(Point& point) const { point = {point.x * factor_, point.y * factor_}; }
  double factor_;
};

Scene in_pixels(Scene scene) {
  for (auto& shape : scene.shapes) std::visit(Enlargement(scene.scale), shape);
  scene.width *= scene.scale;
  scene.height *= scene.scale;
  scene.scale = 1;
  return scene;
}

const Module& draw_module() {
  try {
    return Module::open("gpuhisto_draw");
  } catch (const Error& error) {
    throw Error(error.kind(), std::string("to plot as PNG: ") + error.what() + "; a plot as SVG needs no module");
  }
}

}  // namespace

void check_raster_size(int width, int height) {
  if (std::int64_t{width} * height > kMaxRasterPixels)
    throw Error(ErrorKind::kUsage, "a plot of " + std::to_string(width) + "x" + std::to_string(height) +
                                       " pixels: a PNG has at most 8192x8192 in all, an SVG scales to any size");
}

Image render_raster(const Scene& scene) {
  if (scene.scale != 1) return render_raster(in_pixels(scene));
  check_raster_size(scene.width, scene.height);
  Image image(static_cast<std::size_t>(scene.width), static_cast<std::size_t>(scene.height), 3);
  draw_module().function<plot::DrawScene>(plot::kDrawSceneName)(scene, image.view());
  return image;
}

bool raster_has_glyphs(const std::string& text) {
  return draw_module().function<plot::HasGlyphs>(plot::kHasGlyphsName)(text);
}

}  // namespace gpuhisto
