// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/terminal_legend.hpp"

#include <string>
#include <vector>

#include "plot/number.hpp"
#include "plot/text.hpp"

namespace gpuhisto::plot {
namespace {

struct Item {
  int column;
  std::string swatch, text;
  int color;
};
struct Legend {
  std::vector<Item> items;
  int columns = 0;

  void add(int gap, const std::string& swatch, const std::string& text, int color) {
    if (!items.empty()) columns += gap;
    items.push_back({columns, swatch, text, color});
    columns += cell_width(swatch) + cell_width(text);
  }
};
struct Detail {
  bool figures, names;
  int gap;
};

/// Without blanks around the sign: four channels fit 80 columns.
std::string figures(const Series& series, bool unicode) {
  if (!series.mean) return "";
  return " " + tenths(*series.mean) + (unicode ? "±" : "+-") + tenths(*series.std);
}

Legend lay_out(const SeriesSet& set, const TerminalOptions& terminal, const Detail& look) {
  const std::string swatch = !terminal.color ? "" : terminal.unicode ? "■ " : "# ";
  Legend legend;
  for (const auto& series : set.series) {
    const std::string name(channel_name(series.channel).substr(0, look.names ? std::string::npos : 1));
    legend.add(look.gap, swatch, name + (look.figures ? figures(series, terminal.unicode) : ""),
               channel_color(series.channel));
  }
  if (set.opaque_alpha) legend.add(look.gap, "", look.names ? "alpha: opaque" : "a", kFaint);
  return legend;
}

}  // namespace

void write_legend(CellGrid& grid, int row, const SeriesSet& set, const TerminalOptions& terminal) {
  Legend legend;
  for (const Detail& look : {Detail{true, true, 3}, {false, true, 3}, {false, true, 1}, {false, false, 1}}) {
    legend = lay_out(set, terminal, look);
    if (legend.columns <= grid.columns()) break;
  }
  for (const auto& [column, swatch, text, color] : legend.items) {
    Cell style;
    style.foreground = terminal.color ? color : -1;
    grid.write(row, column, swatch, style);
    style.foreground = terminal.color && swatch.empty() ? kFaint : -1;
    grid.write(row, column + cell_width(swatch), text, style);
  }
}

}  // namespace gpuhisto::plot
