// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <cmath>

#include "gpuhisto/bins.hpp"
#include "report/fields.hpp"
#include "report/reporters.hpp"
#include "report/text_style.hpp"

namespace gpuhisto {
namespace {

constexpr std::size_t kLongestBar = 40, kValueWidth = 7, kGap = 2;

struct Series {
  Channel channel;
  std::vector<std::uint64_t> bins;
  std::size_t width;  ///< of the column, with the gap before it
};

/// A row a bin and input, a column a channel, and a bar of the first channel.
class HistText : public Reporter {
 public:
  HistText(const ReportOptions& options, std::ostream& out) : options_(options), paint_(options), out_(out) {}

  void begin() override {}
  void result(const FileResult& result) override {
    if (options_.total_only || result.status == Status::kSkipped) return;
    std::string text = text_head(result, paint_);
    if (result.status == Status::kOk) text += table(result.histogram);
    write(text);
  }
  void finish(const Total& total, bool with_total) override {
    if (options_.total_only || with_total) write(text_head(total, paint_) + table(total.histogram));
  }

 private:
  void write(const std::string& block) {
    emit(out_, (first_ ? "" : "\n") + block);
    first_ = false;
  }

  std::vector<Series> make_series(const ImageHistogram& histogram) const {
    std::vector<Series> list;
    for (const Channel channel : shown_channels(histogram, options_.counting.channels)) {
      auto bins = bin_counts(histogram[channel], options_.counting.bins);
      if (options_.cumulative)
        for (std::size_t b = 1; b < bins.size(); ++b) bins[b] += bins[b - 1];
      const std::string widest = std::to_string(*std::max_element(bins.begin(), bins.end()));
      list.push_back({channel, bins, std::max(widest.size(), channel_name(channel).size()) + kGap});
    }
    return list;
  }

  std::string table(const ImageHistogram& histogram) const {
    const auto series = make_series(histogram);
    if (histogram.channels.empty()) return "";  // the total of failures alone
    if (series.empty()) return "  none of the channels asked for\n";
    std::size_t width = kValueWidth;
    std::string titles = pad_left("value", kValueWidth);
    for (const Series& s : series) {
      titles += pad_left(channel_name(s.channel), s.width);
      width += s.width;
    }
    const std::size_t room = width + kGap < kTextColumns ? std::min(kLongestBar, kTextColumns - kGap - width) : 0;
    const auto& drawn = series.front().bins;
    const std::uint64_t most = *std::max_element(drawn.begin(), drawn.end());
    std::string text = paint_(titles, Style::kDim) + '\n';
    for (std::size_t bin = 0; bin < drawn.size(); ++bin) {
      text += pad_left(std::to_string(first_level(bin, drawn.size())), kValueWidth);
      for (const Series& s : series) text += pad_left(std::to_string(s.bins[bin]), s.width);
      if (const std::string marks = bar(drawn[bin], most, room); !marks.empty())
        text += std::string(kGap, ' ') + paint_(marks, channel_style(series.front().channel));
      text += '\n';
    }
    return text;
  }

  /// A count that is not zero never looks like one: it has at least a dot.
  static std::string bar(std::uint64_t count, std::uint64_t most, std::size_t room) {
    if (count == 0 || room == 0) return "";
    const double length = static_cast<double>(count) / static_cast<double>(most) * static_cast<double>(room);
    const auto marks = static_cast<std::size_t>(std::lround(length));
    return marks == 0 ? "." : std::string(marks, '#');
  }

  ReportOptions options_;
  Painter paint_;
  std::ostream& out_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<Reporter> make_hist_text(const ReportOptions& options, std::ostream& out) {
  return std::make_unique<HistText>(options, out);
}

}  // namespace gpuhisto
