// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/terminal_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>

#include "plot/text.hpp"

namespace gpuhisto::plot {
namespace {

constexpr int kParts = 8;  // of a cell's height
constexpr std::array<char32_t, 9> kEighths = {U' ', U'▁', U'▂', U'▃', U'▄', U'▅', U'▆', U'▇', U'█'};
constexpr std::array<char32_t, 9> kAsciiEighths = {' ', '.', '.', '.', ':', ':', ':', '#', '#'};
constexpr std::u32string_view kDensities = U" .:-=+*#%@";

int parts_of(double height, int rows) {
  if (!(height > 0)) return 0;
  return std::clamp(static_cast<int>(std::lround(height * rows * kParts)), 1, rows * kParts);
}

char32_t ascii_density(double height) {
  const auto most = static_cast<int>(kDensities.size()) - 1;
  return kDensities[static_cast<std::size_t>(
      height > 0 ? std::clamp(static_cast<int>(std::lround(height * most)), 1, most) : 0)];
}

/// The masks of channels that reach into each eighth of a cell, lowest first.
using CellParts = std::array<unsigned, kParts>;

/// The most frequent mask, the lowest on ties.
unsigned majority(std::span<const unsigned> parts) {
  std::array<int, 8> votes{};
  for (const unsigned mask : parts) ++votes[mask];
  return static_cast<unsigned>(std::max_element(votes.begin(), votes.end()) - votes.begin());
}

std::ptrdiff_t mismatches(std::span<const unsigned> parts, unsigned mask) {
  return std::ssize(parts) - std::count(parts.begin(), parts.end(), mask);
}

/// The two-coloured cell nearest to `parts`.
Cell nearest_cell(const CellParts& parts) {
  std::ptrdiff_t best = kParts + 1;
  Cell cell;
  for (int split = kParts; split >= 0; --split) {
    const auto below = std::span(parts).first(static_cast<std::size_t>(split));
    const auto above = std::span(parts).subspan(static_cast<std::size_t>(split));
    const unsigned lower = majority(below), upper = majority(above);
    const std::ptrdiff_t wrong = mismatches(below, lower) + mismatches(above, upper);
    if (wrong >= best || (split > 0 && lower == 0)) continue;
    best = wrong;
    cell.glyph = kEighths[static_cast<std::size_t>(split)];
    cell.foreground = split == 0 ? -1 : mixed_color(lower);
    cell.background = split == kParts || upper == 0 ? -1 : mixed_color(upper);
  }
  return cell;
}

Cell ascii_cell(const CellParts& parts) {
  std::size_t filled = 0;
  while (filled < parts.size() && parts[filled] != 0) ++filled;
  Cell cell;
  cell.glyph = kAsciiEighths[filled];
  if (filled > 0) cell.foreground = mixed_color(majority(std::span(parts).first(filled)));
  return cell;
}

}  // namespace

CellGrid::CellGrid(int columns, int rows)
    : columns_(columns), rows_(rows), cells_(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {}

void CellGrid::put(int row, int column, const Cell& cell) {
  if (row < 0 || row >= rows_ || column < 0 || column >= columns_) return;
  cells_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column)] = cell;
}

void CellGrid::write(int row, int column, std::string_view text, const Cell& style) {
  for (const char32_t c : decode_utf8(text)) {
    const int width = cell_width(c);
    if (width == 0) continue;
    if (column + width > columns_) return;
    Cell cell = style;
    cell.glyph = c;
    put(row, column, cell);
    cell.glyph = 0;  // the second half of a wide character prints nothing
    if (width == 2) put(row, column + 1, cell);
    column += width;
  }
}

std::string CellGrid::to_string() const {
  std::string text;
  for (int row = 0; row < rows_; ++row) {
    const Cell* line = &cells_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_)];
    int end = columns_;
    while (end > 0 && line[end - 1].glyph == U' ' && line[end - 1].background < 0) --end;
    Cell state;
    for (int column = 0; column < end; ++column) {
      const Cell& cell = line[column];
      if (cell.foreground != state.foreground || cell.background != state.background || cell.bold != state.bold) {
        text += "\x1b[0";
        if (cell.bold) text += ";1";
        if (cell.foreground >= 0) text += ";38;5;" + std::to_string(cell.foreground);
        if (cell.background >= 0) text += ";48;5;" + std::to_string(cell.background);
        text += "m";
        state = cell;
      }
      if (cell.glyph != 0) append_utf8(text, cell.glyph);
    }
    if (state.foreground >= 0 || state.background >= 0 || state.bold) text += "\x1b[0m";
    text += '\n';
  }
  return text;
}

void draw_bars(CellGrid& grid, const ChartArea& area, const Bars& bars, Glyphs glyphs) {
  for (std::size_t i = 0; i < bars.heights.size(); ++i) {
    const int column = area.column + static_cast<int>(i), parts = parts_of(bars.heights[i], area.rows);
    for (int row = 0; row < area.rows; ++row) {
      const auto filled = static_cast<std::size_t>(std::clamp(parts - (area.rows - 1 - row) * kParts, 0, kParts));
      Cell cell;
      cell.glyph = glyphs == Glyphs::kUnicode ? kEighths[filled]
                   : area.rows == 1           ? ascii_density(bars.heights[i])
                                              : kAsciiEighths[filled];
      if (cell.glyph == U' ') continue;
      cell.foreground = bars.color;
      grid.put(area.row + row, column, cell);
    }
  }
}

int mixed_color(unsigned mask) {
  constexpr std::array<int, 8> kColors = {-1, 203, 77, 221, 69, 177, 80, 250};
  return kColors[mask & 7];
}

int channel_color(Channel channel) {
  switch (channel) {
    case Channel::kRed:
      return mixed_color(1);
    case Channel::kGreen:
      return mixed_color(2);
    case Channel::kBlue:
      return mixed_color(4);
    case Channel::kAlpha:
      return 141;
    case Channel::kLuma:
      return mixed_color(7);
  }
  return -1;
}

void draw_overlay(CellGrid& grid, const ChartArea& area, const Overlay& overlay, Glyphs glyphs) {
  const std::array<const std::vector<double>*, 3> channels = {&overlay.red, &overlay.green, &overlay.blue};
  const std::size_t width = std::max({overlay.red.size(), overlay.green.size(), overlay.blue.size()});
  for (std::size_t i = 0; i < width; ++i) {
    std::array<int, 3> reach{};
    for (std::size_t c = 0; c < channels.size(); ++c)
      if (i < channels[c]->size()) reach[c] = parts_of((*channels[c])[i], area.rows);
    for (int row = 0; row < area.rows; ++row) {
      CellParts parts{};
      for (int part = 0; part < kParts; ++part)
        for (unsigned c = 0; c < 3; ++c)
          if (reach[c] > (area.rows - 1 - row) * kParts + part) parts[static_cast<std::size_t>(part)] |= 1u << c;
      const Cell cell = glyphs == Glyphs::kUnicode ? nearest_cell(parts) : ascii_cell(parts);
      if (cell.glyph != U' ' || cell.background >= 0) grid.put(area.row + row, area.column + static_cast<int>(i), cell);
    }
  }
}

}  // namespace gpuhisto::plot
