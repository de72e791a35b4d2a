// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "report/fields.hpp"
#include "report/reporters.hpp"
#include "report/text_style.hpp"

namespace gpuhisto {
namespace {

struct Cell {
  std::string text;
  Style style = Style::kPlain;
};

struct Column {
  std::string title;
  std::size_t width;  ///< with the gap before it; equal in all tables, so that they line up
  std::vector<Cell> cells;
};

template <class Number>
Cell level(const std::optional<Number>& value) {
  Cell cell{value ? "" : "-"};
  if (value) append_value(cell.text, *value);
  return cell;
}

/// Two decimals while they fit, else three digits and an exponent.
Cell decimal(const std::optional<double>& value) {
  if (!value) return {"-"};
  if (std::fabs(*value) < 999.995) return {fixed(*value, 2)};
  char text[32];
  return {std::string(text, std::to_chars(text, text + sizeof text, *value, std::chars_format::scientific, 1).ptr)};
}

/// Percent; a share that is neither none nor all never reads as one of them. Clipping of a percent and more stands out.
Cell share(const std::optional<double>& value) {
  if (!value) return {"-"};
  const Style style = *value >= 0.01 ? Style::kYellow : Style::kPlain;
  if (*value > 0 && *value < 0.0005) return {"<0.1%", style};
  if (*value < 1 && *value >= 0.9995) return {">99.9%", style};
  return {fixed(*value * 100, 1) + "%", style};
}

class StatsText : public Reporter {
 public:
  StatsText(const ReportOptions& options, std::ostream& out) : options_(options), paint_(options), out_(out) {}

  void begin() override {}
  void result(const FileResult& result) override {
    if (options_.total_only || result.status == Status::kSkipped) return;
    std::string text = text_head(result, paint_);
    if (result.status == Status::kOk) text += table(result.histogram) + sketch(result.histogram);
    write(text);
  }
  void finish(const Total& total, bool with_total) override {
    if (!options_.total_only && !with_total) return;
    write(text_head(total, paint_) + table(total.histogram) + scaled(total.histogram) + sketch(total.histogram));
  }

 private:
  void write(const std::string& block) {
    emit(out_, (first_ ? "" : "\n") + block);
    first_ = false;
  }

  std::string table(const ImageHistogram& histogram) const {
    const auto channels = shown_channels(histogram, options_.counting.channels);
    if (histogram.channels.empty()) return "";  // the total of failures alone
    if (channels.empty()) return "  none of the channels asked for\n";
    std::vector<ChannelStatistics> rows;
    for (const Channel channel : channels) rows.push_back(statistics_of(histogram[channel], options_));
    std::vector<Column> columns = make_columns(rows);
    // In a total of gray and colour images the channels have counts of their own.
    if (std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.count != histogram.pixels; }))
      columns.push_back(column("count", 7, rows, [](const auto& s) { return level(std::optional(s.count)); }));
    return lay_out(columns, channels);
  }

  /// Without its numbers, which the table has: the shape in a few lines.
  std::string sketch(const ImageHistogram& histogram) const {
    if (!options_.sketch || shown_channels(histogram, options_.counting.channels).empty()) return "";
    constexpr std::string_view kIndent = "  ";
    PlotOptions plot;
    plot.channels = options_.counting.channels;
    TerminalOptions terminal = *options_.sketch;
    terminal.columns = std::min(terminal.columns, static_cast<int>(kTextColumns)) - static_cast<int>(kIndent.size());
    std::string text;
    std::istringstream lines(render_terminal(histogram, plot, terminal));
    for (std::string line; std::getline(lines, line);) text.append(kIndent).append(line) += '\n';
    return text;
  }

  template <class Make>
  static Column column(std::string title, std::size_t width, const std::vector<ChannelStatistics>& rows,
                       const Make& make) {
    Column column{std::move(title), width, {}};
    for (const ChannelStatistics& row : rows) column.cells.push_back(make(row));
    for (const Cell& cell : column.cells) column.width = std::max(column.width, cell.text.size() + 1);
    column.width = std::max(column.width, column.title.size() + 1);
    return column;
  }

  /// Levels in ascending order, percentiles on their side of the median; then the moments; then the ends.
  std::vector<Column> make_columns(const std::vector<ChannelStatistics>& rows) const {
    std::vector<std::size_t> order(options_.percentiles.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto percent = [&](std::size_t i) {
      return static_cast<double>(options_.percentiles[i].numerator) /
             static_cast<double>(options_.percentiles[i].denominator);
    };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return percent(a) < percent(b); });
    std::vector<Column> columns = {column("min", 4, rows, [](const auto& s) { return level(s.min); })};
    const auto median = column("median", 8, rows, [](const auto& s) { return level(s.median); });
    bool median_placed = false;
    for (const std::size_t i : order) {
      if (!median_placed && percent(i) >= 50) columns.push_back(median), median_placed = true;
      columns.push_back(
          column("p" + options_.percentiles[i].text, 4, rows, [i](const auto& s) { return level(s.percentiles[i]); }));
    }
    if (!median_placed) columns.push_back(median);
    columns.push_back(column("max", 4, rows, [](const auto& s) { return level(s.max); }));
    columns.push_back(column("mean", 8, rows, [](const auto& s) { return decimal(s.mean); }));
    columns.push_back(column("std", 8, rows, [](const auto& s) { return decimal(s.std); }));
    columns.push_back(column("mode", 6, rows, [](const auto& s) { return level(s.mode); }));
    columns.push_back(column("entropy", 9, rows, [](const auto& s) { return decimal(s.entropy); }));
    columns.push_back(column("skew", 7, rows, [](const auto& s) { return decimal(s.skewness); }));
    columns.push_back(column("kurt", 8, rows, [](const auto& s) { return decimal(s.kurtosis); }));
    columns.push_back(column("at0", 7, rows, [](const auto& s) { return share(s.at0); }));
    columns.push_back(column("at255", 7, rows, [](const auto& s) { return share(s.at255); }));
    return columns;
  }

  /// As many columns side by side as fit, the rest below.
  std::string lay_out(const std::vector<Column>& columns, const std::vector<Channel>& channels) const {
    constexpr std::size_t kLabel = 7;
    std::string text;
    for (std::size_t first = 0, last = 0; first < columns.size(); first = last) {
      std::size_t width = kLabel;
      while (last < columns.size() && (last == first || width + columns[last].width <= kTextColumns))
        width += columns[last++].width;
      std::string titles(kLabel, ' ');
      for (std::size_t i = first; i < last; ++i) titles += pad_left(columns[i].title, columns[i].width);
      text += paint_(titles, Style::kDim) + '\n';
      for (std::size_t row = 0; row < channels.size(); ++row) {
        text += "  " + paint_(pad_right(channel_name(channels[row]), kLabel - 2), channel_style(channels[row]));
        for (std::size_t i = first; i < last; ++i) text += cell_text(columns[i], row, channels[row]);
        text += '\n';
      }
    }
    return text;
  }

  /// Alpha at 255 is opacity, not clipping: no colour there.
  std::string cell_text(const Column& column, std::size_t row, Channel channel) const {
    const Cell& cell = column.cells[row];
    return paint_(pad_left(cell.text, column.width), channel == Channel::kAlpha ? Style::kPlain : cell.style);
  }

  /// Mean and std as torchvision's Normalize takes them: of the colours, or of the luma where there are none.
  std::string scaled(const ImageHistogram& histogram) const {
    std::vector<Channel> channels;
    for (const Channel channel : shown_channels(histogram, options_.counting.channels))
      if (channel != Channel::kLuma && channel != Channel::kAlpha) channels.push_back(channel);
    if (channels.empty() && (histogram.channels & options_.counting.channels).has(Channel::kLuma))
      channels = {Channel::kLuma};
    std::string means, stds, names;
    for (const Channel channel : channels) {
      const auto s = statistics_of(histogram[channel], options_);
      if (!s.mean01) return "";
      const std::string separator = means.empty() ? "" : ", ";
      means += separator + fixed(*s.mean01, 4);
      stds += separator + fixed(*s.std01, 4);
      (names += separator) += channel_name(channel);
    }
    return means.empty() ? "" : "  scaled to 0..1 (" + names + "): mean=[" + means + "], std=[" + stds + "]\n";
  }

  ReportOptions options_;
  Painter paint_;
  std::ostream& out_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<Reporter> make_stats_text(const ReportOptions& options, std::ostream& out) {
  return std::make_unique<StatsText>(options, out);
}

}  // namespace gpuhisto
