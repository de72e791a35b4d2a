// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "gpuhisto/plot.hpp"
#include "plot/series.hpp"
#include "plot/terminal_chart.hpp"

namespace gpuhisto::plot {

/// One row that names every channel, in its colour where there are colours: with mean ± standard deviation where that
/// fits, else the names alone, else closer together, else their initials.
void write_legend(CellGrid& grid, int row, const SeriesSet& set, const TerminalOptions& terminal);

}  // namespace gpuhisto::plot
