// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <string>

#include "plot/layout.hpp"

namespace gpuhisto::plot {

// The lines of words above a plot, each made to fit the width.

/// The title at the left, the number of pixels at the right where both fit.
void add_title(Scene& scene, const Layout& layout, std::uint64_t pixels, const std::string& title);
/// A swatch, the name and mean ± standard deviation of each series; names or initials alone where that is too wide.
void add_legend(Scene& scene, const Layout& layout, const SeriesSet& set);
/// What the heights mean, and at which count the scale ends if bars are cut off.
void add_captions(Scene& scene, const Layout& layout, const Axis& axis);
/// Words in the middle of a plot without bars.
void add_notice(Scene& scene, const Layout& layout, const std::string& text);

}  // namespace gpuhisto::plot
