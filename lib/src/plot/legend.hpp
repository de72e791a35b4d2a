// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>
#include <vector>

#include "plot/layout.hpp"
#include "plot/palette.hpp"
#include "plot/panels.hpp"

namespace gpuhisto::plot {

struct LegendItem {
  const Series* series = nullptr;  ///< null: words without a swatch
  std::string name, figures;
  double x = 0;  ///< from the left end of the lines
  int row = 0;
};

/// The words above a panel: its heading, then a swatch, the name and mean ± standard deviation of each series.
struct Legend {
  std::string heading;
  std::vector<LegendItem> items;
  int rows = 1;
};

/// In as few lines as it takes, `most_rows` at most where that is possible: figures go first, then names are shortened.
/// The panel must outlive the result.
Legend lay_out_legend(const Panel& panel, const Sizes& sizes, double room, int most_rows);
/// `base`: where the first line's baseline starts.
void add_legend(Scene& scene, const Legend& legend, const Sizes& sizes, const Palette& palette, Point base);

}  // namespace gpuhisto::plot
