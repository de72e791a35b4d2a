// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>

#include "plot/layout.hpp"
#include "plot/palette.hpp"

namespace gpuhisto::plot {

// The lines of words above a plot, each made to fit the width.

/// The title at the left, `count` at the right where both fit, else `short_count`.
void add_title(Scene& scene, const Layout& layout, const Palette& palette, const std::string& title,
               const std::vector<std::string>& counts);
/// What the heights mean, and at which count the scale ends if bars are cut off.
void add_captions(Scene& scene, const Layout& layout, const Palette& palette, const Axis& axis,
                  const std::vector<std::string>& notes);
/// The forms of the note on bars cut off, longest first.
std::vector<std::string> clip_notes(const Axis& axis, const SeriesSet& set);
/// Words in the middle of a panel without bars.
void add_notice(Scene& scene, const Frame& frame, const Palette& palette, const std::string& text);

}  // namespace gpuhisto::plot
