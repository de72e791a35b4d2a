// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "gpuhisto/image.hpp"
#include "gpuhisto/plot.hpp"

namespace gpuhisto::plot {

/// The one function of gpuhisto_draw.so: draws the scene over every pixel of an RGB image of the scene's size.
/// Program and module are built together (the loader compares versions), so C++ types may cross.
using DrawScene = void(const Scene& scene, const MutableImageView& image);
inline constexpr const char* kDrawSceneName = "gpuhisto_draw_scene";

}  // namespace gpuhisto::plot
