// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <charconv>
#include <cmath>
#include <limits>

#include "report/compare_reporters.hpp"
#include "report/fields.hpp"
#include "report/text_style.hpp"

namespace gpuhisto {
namespace {

struct Column {
  Metric metric;
  std::size_t width;
  int decimals;
  double most = std::numeric_limits<double>::infinity();
};
constexpr Column kColumns[] = {{Metric::kL1, 9, 4, 2},
                               {Metric::kChiSquare, 12, 4},
                               {Metric::kIntersection, 14, 4, 1},
                               {Metric::kBhattacharyya, 15, 4, 1},
                               {Metric::kEmd, 9, 2, 255}};
constexpr std::size_t kChannelWidth = 7;

/// What is neither equal nor all apart never reads as if it were.
std::string number_text(const Column& column, double value) {
  if (value >= 1e5) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, 2).ptr};
  }
  const std::string text = fixed(value, column.decimals);
  if (value > 0 && text == fixed(0, column.decimals)) return "<" + text.substr(0, text.size() - 1) + "1";
  if (value < column.most && text == fixed(column.most, column.decimals))
    return ">" + fixed(column.most - std::pow(10, -column.decimals), column.decimals);
  return text;
}

/// A row an image and channel, the name last: it may be of any length. The channel is told where there are several.
class CompareText final : public CompareReporter {
 public:
  CompareText(const CompareOptions& options, std::ostream& out)
      : wanted_(shown_channels(options.counts, options.counting.channels)), out_(out) {
    ReportOptions style;
    style.color = options.color;
    paint_ = Painter(style);  // cppcheck-suppress useInitializationList
    reference_ = shown(options.reference);
  }

  void begin() override {
    std::string titles;
    for (const Column& column : kColumns) {
      std::string title(metric_name(column.metric));
      if (const auto gap = title.find('_'); gap != title.npos) title[gap] = '-';
      titles += pad_left(title, column.width);
    }
    if (wanted_.size() > 1) titles += "  " + pad_right("channel", kChannelWidth);
    emit(out_, paint_(titles + "  compared with " + reference_, Style::kDim) + '\n');
  }

  void result(const Comparison& comparison) override {
    if (comparison.status == Status::kSkipped) return;
    std::string text;
    bool any = false;
    for (const Channel channel : wanted_) {
      const auto& distances = comparison.channels[static_cast<std::size_t>(channel)];
      if (!distances || comparison.status != Status::kOk) continue;
      any = true;
      for (const Column& column : kColumns)
        text += pad_left(number_text(column, distance(*distances, column.metric)), column.width);
      if (wanted_.size() > 1)
        text += "  " + paint_(pad_right(channel_name(channel), kChannelWidth), channel_style(channel));
      text += "  " + shown(comparison.input) + '\n';
    }
    if (!any) text = failed(comparison);
    emit(out_, text);
  }

  void finish(const ComparisonTotal& total) override {
    if (total.incomplete)
      emit(out_, paint_("incomplete: the run ended before all inputs were done", Style::kRed) + '\n');
  }

 private:
  static std::string shown(const std::string& name) { return name == "-" ? "standard input" : printable_name(name); }

  std::string failed(const Comparison& comparison) const {
    std::string text;
    for (const Column& column : kColumns) text += pad_left("-", column.width);
    if (wanted_.size() > 1) text += "  " + pad_right("-", kChannelWidth);
    return text + "  " + shown(comparison.input) + ": " + paint_("error:", Style::kRed) + ' ' +
           printable_text(comparison.error) + '\n';
  }

  std::vector<Channel> wanted_;
  std::ostream& out_;
  Painter paint_{ReportOptions{}};
  std::string reference_;
};

}  // namespace

std::unique_ptr<CompareReporter> make_compare_text(const CompareOptions& options, std::ostream& out) {
  return std::make_unique<CompareText>(options, out);
}

}  // namespace gpuhisto
