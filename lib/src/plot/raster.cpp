// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/error.hpp"
#include "gpuhisto/module.hpp"
#include "gpuhisto/plot.hpp"
#include "plot/draw_module.hpp"

namespace gpuhisto {

Image render_raster(const Scene& scene) {
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
