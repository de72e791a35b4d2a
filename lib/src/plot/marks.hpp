// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "plot/layout.hpp"

namespace gpuhisto::plot {

/// Neighbouring levels whose bars end above the axis.
struct Cut {
  int level = 0;                     ///< of the highest bar
  double least = 0, most = 0;        ///< counts at that level, over the channels that are cut there
  int channels = 0;                  ///< how many these are
  Channel channel = Channel::kLuma;  ///< the highest one
};
std::vector<Cut> find_cuts(const SeriesSet& set, double clipped_at);

/// A triangle above each group of bars cut off, and its count beside it where that leaves others legible.
void add_clip_marks(Scene& scene, const Layout& layout, const SeriesSet& set, const CountScale& scale);

}  // namespace gpuhisto::plot
