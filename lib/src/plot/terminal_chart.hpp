// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gpuhisto/histogram.hpp"

namespace gpuhisto::plot {

/// A character with colours of the 256-colour palette; -1 is the terminal's own.
struct Cell {
  char32_t glyph = U' ';
  int foreground = -1, background = -1;
  bool bold = false;
};

/// Lines of cells, written in any order.
class CellGrid {
 public:
  CellGrid(int columns, int rows);
  int columns() const { return columns_; }
  int rows() const { return rows_; }
  void put(int row, int column, const Cell& cell);
  /// From `column` on, what fits; each character takes its cells. `style` gives everything but the glyph.
  void write(int row, int column, std::string_view text, const Cell& style = {});
  /// Lines without trailing blanks; escape sequences only where a cell has a colour or is bold.
  std::string to_string() const;

 private:
  int columns_, rows_;
  std::vector<Cell> cells_;
};

/// Some heights, 0..1, in one colour (or none).
struct Bars {
  std::vector<double> heights;
  int color = -1;
};

struct ChartArea {
  int row = 0, column = 0, rows = 1;  ///< top left cell, height; the width is that of the bars
};

enum class Glyphs { kAscii, kUnicode };

/// One series as bars with eighths of a cell (ASCII: thirds; a single row: ten densities). Above 0 something shows.
void draw_bars(CellGrid& grid, const ChartArea& area, const Bars& bars, Glyphs glyphs);

/// Red, green and blue laid over each other as light: where all three are, it is gray. A cell has two colours, split
/// where that is nearest to its eight parts. A channel that is absent has no heights.
struct Overlay {
  std::vector<double> red, green, blue;
};
void draw_overlay(CellGrid& grid, const ChartArea& area, const Overlay& overlay, Glyphs glyphs);

/// The palette colour of a set of channels: bit 0 red, 1 green, 2 blue.
int mixed_color(unsigned mask);
/// That of a channel drawn alone, and that of words beside the data.
int channel_color(Channel channel);
inline constexpr int kFaint = 244;

}  // namespace gpuhisto::plot
