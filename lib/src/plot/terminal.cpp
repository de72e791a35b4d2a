// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// From top to bottom: title, caption, legend, the main chart with its axes, a strip for each further channel.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/plural.hpp"
#include "gpuhisto/plot.hpp"
#include "plot/layout.hpp"
#include "plot/marks.hpp"
#include "plot/number.hpp"
#include "plot/terminal_chart.hpp"
#include "plot/terminal_legend.hpp"
#include "plot/text.hpp"

namespace gpuhisto {
namespace plot {
namespace {

constexpr int kLeastRows = 6;
constexpr int kAxisRows = 2;

bool is_primary(const Series& series) {
  return series.channel == Channel::kRed || series.channel == Channel::kGreen || series.channel == Channel::kBlue;
}

/// ASCII for what the plots themselves write; any other character becomes '?'.
std::string to_ascii(const std::string& text) {
  std::string result;
  for (const char32_t c : decode_utf8(text)) {
    if (c < 0x80)
      result += static_cast<char>(c);
    else
      result += c == U'±' ? "+-" : c == U'▲' ? "^" : c == U'–' ? "-" : c == U'…' ? "..." : "?";
  }
  return result;
}

class TerminalPlot {
 public:
  TerminalPlot(const ImageHistogram& histogram, const PlotOptions& options, const TerminalOptions& terminal)
      : histogram_(histogram),
        options_(options),
        terminal_(terminal),
        glyphs_(terminal.unicode ? Glyphs::kUnicode : Glyphs::kAscii),
        set_(make_series(histogram, options)) {
    terminal_.columns = std::max(terminal.columns, 1);
    terminal_.rows = std::max(terminal.rows, kLeastRows);
    choose_charts();
    share_rows();
    // The axis is computed as for pixels: a cell has eight steps, a label takes two rows.
    axis_ = make_axis(main_set(), options, chart_rows_ * 8.0, 16.0);
    for (const auto& tick : axis_.ticks) label_width_ = std::max(label_width_, cell_width(tick.label));
    for (const auto* series : strips_) label_width_ = std::max(label_width_, cell_width(channel_name(series->channel)));
    left_ = label_width_ + 2;
    width_ = std::clamp(terminal_.columns - left_, 1, static_cast<int>(kBins));
    terminal_.columns = std::min(terminal_.columns, left_ + width_);
  }

  std::string draw() {
    CellGrid grid(terminal_.columns, header_rows() + chart_rows_ + kAxisRows + strip_rows_ * strips());
    write_title(grid);
    write_caption(grid, options_.title.empty() ? 0 : 1);
    if (legend_) write_legend(grid, header_rows() - 1, set_, terminal_);
    draw_chart(grid);
    draw_count_axis(grid);
    draw_level_axis(grid);
    draw_strips(grid);
    return grid.to_string();
  }

 private:
  int header_rows() const { return (options_.title.empty() ? 1 : 2) + (legend_ ? 1 : 0); }
  int strips() const { return static_cast<int>(strips_.size()); }
  int faint() const { return terminal_.color ? kFaint : -1; }
  Cell style(int color) const { return {U' ', terminal_.color ? color : -1, -1, false}; }
  std::string fit(const std::string& text) const { return terminal_.unicode ? text : to_ascii(text); }

  /// Colours are laid over each other where colours can be shown; otherwise the first channel is the main one.
  void choose_charts() {
    const auto primaries = std::count_if(set_.series.begin(), set_.series.end(), is_primary);
    overlay_ = terminal_.color && primaries >= 2;
    for (const auto& series : set_.series) {
      const bool in_main = overlay_ ? is_primary(series) : &series == &set_.series.front();
      (in_main ? main_ : strips_).push_back(&series);
    }
  }

  /// The series of the main chart: the ones its axis has to fit.
  SeriesSet main_set() const {
    SeriesSet set;
    set.pixels = set_.pixels;
    for (const auto* series : main_) set.series.push_back(*series);
    return set;
  }

  void share_rows() {
    legend_ = !set_.empty() && terminal_.rows >= 10;
    const auto left = [&] { return terminal_.rows - header_rows() - kAxisRows - strip_rows_ * strips(); };
    while (!strips_.empty() && left() < 4) strips_.pop_back();
    // Strips of several rows are set apart by an empty one.
    for (const int rows : {3, 4, 5})
      if (terminal_.rows - header_rows() - kAxisRows - rows * strips() >= 4 * rows) strip_rows_ = rows;
    chart_rows_ = std::max(2, left());
  }

  /// The highest value of each column's levels: nothing falls between columns.
  std::vector<double> heights(const Series& series, const CountScale& scale) const {
    std::vector<double> result;
    for (int column = 0; column < width_; ++column) {
      const auto from = static_cast<std::ptrdiff_t>(column) * 256 / width_;
      const auto to = static_cast<std::ptrdiff_t>(column + 1) * 256 / width_;
      result.push_back(scale.height(*std::max_element(series.values.begin() + from, series.values.begin() + to)));
    }
    return result;
  }

  int column_of(int level) const {
    // The inverse of the cutting above: the last column whose first level is not beyond.
    return left_ + ((level + 1) * width_ - 1) / 256;
  }

  void write_title(CellGrid& grid) {
    if (options_.title.empty()) return;
    const std::string count = grouped(histogram_.pixels) + " " + noun_for(histogram_.pixels, "pixel");
    const auto measure = [](std::string_view text) { return cell_width(text); };
    const int room = grid.columns() - cell_width(count) - 2;
    const bool both = cell_width(options_.title) <= room || room >= grid.columns() / 2;
    Cell bold = style(-1);
    bold.bold = terminal_.color;
    const std::string title = fit(options_.title);
    grid.write(0, 0, shorten(title, both ? room : grid.columns(), terminal_.unicode ? "…" : "...", measure), bold);
    if (both) grid.write(0, grid.columns() - cell_width(count), count, style(kFaint));
  }

  void write_caption(CellGrid& grid, int row) {
    const bool named = !overlay_ && !main_.empty() && (!legend_ || !strips_.empty());
    const std::string name = named ? ", " + std::string(channel_name(main_[0]->channel)) : "";
    std::string caption = axis_.caption + name;
    std::string note;
    if (axis_.clipped_at && !set_.empty()) note = clip_note(grid.columns() - cell_width(caption) - 2);
    if (cell_width(caption) + 2 + cell_width(note) > grid.columns()) caption = axis_.short_caption + name;
    // The marks need their explanation more than the axis its name.
    if (!note.empty() && cell_width(caption) + 1 + cell_width(note) > grid.columns()) caption.clear();
    grid.write(row, 0, fit(caption), style(kFaint));
    grid.write(row, std::max(0, grid.columns() - cell_width(fit(note))), fit(note), style(kFaint));
  }

  /// "▲ above 52k: 2.1M at 0, 130k at 255", as many of these as fit.
  std::string clip_note(int room) const {
    auto runs = runs_of(find_cuts(main_set(), *axis_.clipped_at));
    std::stable_sort(runs.begin(), runs.end(),
                     [](const CutRun& a, const CutRun& b) { return a.highest.most > b.highest.most; });
    std::string note = "▲ above " + human_count(*axis_.clipped_at);
    bool first = true;
    for (const auto& run : runs) {
      const std::string more = human_count(run.highest.most) + " at " + std::to_string(run.highest.level);
      if (cell_width(note) + cell_width(more) + 2 > room) break;
      note.append(first ? ": " : ", ").append(more);
      first = false;
    }
    return note;
  }

  void draw_chart(CellGrid& grid) {
    const ChartArea area{header_rows(), left_, chart_rows_};
    if (set_.empty()) {
      const std::string notice = set_.series.empty() ? "no channel to draw" : "no pixels";
      grid.write(area.row + chart_rows_ / 2, left_ + std::max(0, (width_ - cell_width(notice)) / 2), notice);
      return;
    }
    if (overlay_) {
      Overlay overlay;
      for (const auto* series : main_)
        (series->channel == Channel::kRed     ? overlay.red
         : series->channel == Channel::kGreen ? overlay.green
                                              : overlay.blue) = heights(*series, axis_.scale);
      draw_overlay(grid, area, overlay, glyphs_);
    } else {
      draw_bars(grid, area, {heights(*main_[0], axis_.scale), terminal_.color ? channel_color(main_[0]->channel) : -1},
                glyphs_);
    }
    if (!axis_.clipped_at) return;
    for (const auto* series : main_)
      for (std::size_t v = 0; v < kBins; ++v)
        if (series->values[v] > *axis_.clipped_at)
          grid.put(area.row, column_of(static_cast<int>(v)), {terminal_.unicode ? U'▲' : U'^', -1, -1, false});
  }

  void draw_count_axis(CellGrid& grid) {
    const int base = header_rows() + chart_rows_;
    for (int row = header_rows(); row < base; ++row)
      grid.put(row, left_ - 1, {terminal_.unicode ? U'│' : U'|', faint(), -1, false});
    int free = base + 1;  // rows from here up are taken
    for (const auto& tick : axis_.ticks) {
      if (tick.label.empty() || set_.empty()) continue;
      const int up = static_cast<int>(std::floor(axis_.scale.height(tick.value) * chart_rows_));
      const int row = tick.value == 0 ? base : base - 1 - std::min(up, chart_rows_ - 1);
      if (row >= free) continue;
      free = row;
      grid.write(row, label_width_ - cell_width(tick.label), tick.label, style(kFaint));
      if (row < base) grid.put(row, left_ - 1, {terminal_.unicode ? U'┤' : U'+', faint(), -1, false});
    }
  }

  void draw_level_axis(CellGrid& grid) {
    const int row = header_rows() + chart_rows_;
    grid.put(row, left_ - 1, {terminal_.unicode ? U'└' : U'+', faint(), -1, false});
    for (int i = 0; i < width_; ++i) grid.put(row, left_ + i, {terminal_.unicode ? U'─' : U'-', faint(), -1, false});
    int free = left_;  // columns from here on
    for (const int level : level_ticks(std::max(2, width_ / 7))) {
      const std::string label = std::to_string(level);
      const int column = column_of(level), size = cell_width(label);
      grid.put(row, column, {terminal_.unicode ? U'┬' : U'+', faint(), -1, false});
      const int at = std::max(left_, std::min(column - size / 2, left_ + width_ - size));
      if (at < free) continue;
      grid.write(row + 1, at, label, style(kFaint));
      free = at + size + 1;
    }
  }

  /// Each on a scale of its own: they show shapes, the main chart shows amounts.
  void draw_strips(CellGrid& grid) {
    const int bars = strip_rows_ == 1 ? 1 : strip_rows_ - 1;
    int row = header_rows() + chart_rows_ + kAxisRows;
    for (const auto* series : strips_) {
      row += strip_rows_;
      const std::string name(channel_name(series->channel));
      const int color = terminal_.color ? channel_color(series->channel) : -1;
      grid.write(row - 1, label_width_ - cell_width(name), name, style(kFaint));
      SeriesSet alone;
      alone.pixels = set_.pixels;
      alone.series = {*series};
      alone.series[0].sets_scale = true;
      const CountScale scale = make_axis(alone, options_, bars * 8.0, 16.0).scale;
      draw_bars(grid, {row - bars, left_, bars}, {heights(*series, scale), color}, glyphs_);
    }
  }

  const ImageHistogram& histogram_;
  const PlotOptions& options_;
  TerminalOptions terminal_;
  Glyphs glyphs_;
  SeriesSet set_;
  Axis axis_;
  std::vector<const Series*> main_, strips_;
  bool overlay_ = false, legend_ = false;
  int chart_rows_ = 2, strip_rows_ = 1;
  int label_width_ = 0, left_ = 0, width_ = 0;
};

}  // namespace
}  // namespace plot

std::string render_terminal(const ImageHistogram& histogram, const PlotOptions& plot, const TerminalOptions& terminal) {
  return gpuhisto::plot::TerminalPlot(histogram, plot, terminal).draw();
}

}  // namespace gpuhisto
