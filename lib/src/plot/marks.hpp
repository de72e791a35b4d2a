// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <vector>

#include "plot/layout.hpp"
#include "plot/palette.hpp"

namespace gpuhisto::plot {

/// A level with bars that end above the axis.
struct Cut {
  int level = 0;
  double least = 0, most = 0;  ///< counts at that level, over the series that are cut there
  double share = 0;            ///< of the channel's pixels, the highest
  int series = 0;              ///< how many these are
  Color color;                 ///< of the highest one
};
/// Level by level.
std::vector<Cut> find_cuts(const SeriesSet& set, double clipped_at);

/// Neighbouring levels that are all cut.
struct CutRun {
  int first = 0, last = 0;  ///< levels
  Cut highest;
};
std::vector<CutRun> runs_of(const std::vector<Cut>& cuts);

/// A triangle above each level whose bars are cut off, and the count beside it where that leaves others legible. The
/// count of the highest of several neighbours may stand beyond their triangles; it then has its level.
void add_clip_marks(Scene& scene, const Frame& frame, const SeriesSet& set, const CountScale& scale,
                    const Palette& palette);

}  // namespace gpuhisto::plot
