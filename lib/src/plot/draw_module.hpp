// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>

#include "gpuhisto/image.hpp"
#include "gpuhisto/plot.hpp"

namespace gpuhisto::plot {

/// What gpuhisto_draw.so offers. Draws the scene over every pixel of an RGB image of the scene's size.
/// Program and module are built together (the loader compares versions), so C++ types may cross.
using DrawScene = void(const Scene& scene, const MutableImageView& image);
inline constexpr const char* kDrawSceneName = "gpuhisto_draw_scene";
/// Whether the font has every character.
using HasGlyphs = bool(const std::string& text);
inline constexpr const char* kHasGlyphsName = "gpuhisto_draw_has_glyphs";

}  // namespace gpuhisto::plot
