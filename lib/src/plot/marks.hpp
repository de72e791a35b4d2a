// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <vector>

#include "plot/layout.hpp"
#include "plot/palette.hpp"

namespace gpuhisto::plot {

/// Neighbouring levels whose bars end above the axis.
struct Cut {
  int level = 0;               ///< of the highest bar
  double least = 0, most = 0;  ///< counts at that level, over the series that are cut there
  double share = 0;            ///< of the channel's pixels, the highest
  int series = 0;              ///< how many these are
  Color color;                 ///< of the highest one
};
std::vector<Cut> find_cuts(const SeriesSet& set, double clipped_at);

/// A triangle above each group of bars cut off, and its count beside it where that leaves others legible.
void add_clip_marks(Scene& scene, const Frame& frame, const SeriesSet& set, const CountScale& scale,
                    const Palette& palette);

}  // namespace gpuhisto::plot
