// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <string>

#include "gpuhisto/error.hpp"
#include "gpuhisto/module.hpp"
#include "gpuhisto/plot.hpp"
#include "plot/draw_module.hpp"

namespace gpuhisto {

void check_raster_size(int width, int height) {
  if (std::int64_t{width} * height > kMaxRasterPixels)
    throw Error(ErrorKind::kUsage, "a plot of " + std::to_string(width) + "x" + std::to_string(height) +
                                       " pixels: a PNG has at most 8192x8192 in all, an SVG scales to any size");
}

Image render_raster(const Scene& scene) {
  check_raster_size(scene.width, scene.height);
  const Module* module = nullptr;
  try {
    module = &Module::open("gpuhisto_draw");
  } catch (const Error& error) {
    throw Error(ErrorKind::kUnsupported,
                std::string("plots as pixels need the drawing module; plot as SVG instead (") + error.what() + ")");
  }
  Image image(static_cast<std::size_t>(scene.width), static_cast<std::size_t>(scene.height), 3);
  module->function<plot::DrawScene>(plot::kDrawSceneName)(scene, image.view());
  return image;
}

}  // namespace gpuhisto
