// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>

#include "gpuhisto/plot.hpp"

namespace gpuhisto::plot {

/// The colours of a theme.
struct Palette {
  Color background;
  // Of everything that is not data: each step fainter than the text it serves.
  Color primary, secondary, axis, grid, fine_grid;
  std::array<Color, kChannelCount> lines;  ///< by Channel
  /// Areas under red (bit 0), green (1) and blue (2), mixed as light where several reach: all three make gray.
  std::array<Color, 8> mixed;
  std::array<Color, kMostPlotImages> images;  ///< told apart also by those who do not see all colours
  Color white;                                ///< the right end of the ramp of grays

  const Color& line(Channel channel) const { return lines[static_cast<std::size_t>(channel)]; }
};
const Palette& palette_of(PlotTheme theme);

}  // namespace gpuhisto::plot
