// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "plot/layout.hpp"
#include "plot/palette.hpp"

namespace gpuhisto::plot {

/// Areas first, then lines, luma above the colours and what is dashed above all, so that no series hides another.
void add_series(Scene& scene, const Frame& frame, const SeriesSet& set, const CountScale& scale,
                const Palette& palette);

}  // namespace gpuhisto::plot
