// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "report/text_style.hpp"

#include <algorithm>
#include <charconv>

#include "core/plural.hpp"
#include "report/names.hpp"

namespace gpuhisto {
namespace {

std::string flag_text(const FileResult& result) {
  std::string text;
  for (const auto name : result.flags.names()) {
    if (!text.empty()) text += ", ";
    text += name;
    if (name == flag_name(Flag::kFirstFrame)) text += " of " + std::to_string(result.frames);
  }
  return text;
}

std::string size_text(const FileResult& result) {
  const std::uint64_t counted = result.histogram.pixels, pixels = result.width * result.height;
  const std::string size = std::to_string(result.width) + " x " + std::to_string(result.height);
  if (counted == pixels) return size + " = " + number_of(pixels, "pixel");
  return size + ", " + std::to_string(counted) + " of " + number_of(pixels, "pixel") + " counted";
}

/// ", shard 2 of 4" or ", 3 of 4 shards"; nothing for a whole list.
std::string shard_text(const Total& total) {
  if (!total.shard) return "";
  const auto& [indexes, count, inputs, digest, source] = *total.shard;
  if (indexes.size() == 1) return ", shard " + std::to_string(indexes.front()) + " of " + std::to_string(count);
  return ", " + std::to_string(indexes.size()) + " of " + number_of(count, "shard");
}

}  // namespace

Style channel_style(Channel channel) {
  switch (channel) {
    case Channel::kLuma:
      return Style::kBold;
    case Channel::kRed:
      return Style::kRed;
    case Channel::kGreen:
      return Style::kGreen;
    case Channel::kBlue:
      return Style::kBlue;
    case Channel::kAlpha:
      return Style::kDim;
  }
  return Style::kPlain;
}

std::string Painter::operator()(std::string_view text, Style style) const {
  constexpr std::string_view kCodes[] = {"", "1", "2", "31", "32", "34", "33"};
  const std::string_view code = kCodes[static_cast<std::size_t>(style)];
  if (!enabled_ || code.empty()) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

std::string pad_left(std::string_view text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + std::string(text);
}

std::string pad_right(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(width > text.size() ? width - text.size() : 0, ' ');
}

std::string fixed(double number, int decimals) {
  char text[400];  // the longest double has 309 digits before the point
  const auto end = std::to_chars(text, text + sizeof text, number, std::chars_format::fixed, decimals).ptr;
  const bool zero = std::all_of(text, end, [](char c) { return c == '-' || c == '0' || c == '.'; });
  return {zero && text[0] == '-' ? text + 1 : text, end};  // a sign of nothing would only puzzle
}

std::string text_head(const FileResult& result, const Painter& paint) {
  const std::string name = result.input == "-" ? "standard input" : printable_name(result.input);
  std::string text = paint(name, Style::kBold) + '\n';
  if (result.status == Status::kError)
    return text + "  " + paint("error:", Style::kRed) + ' ' + printable_text(result.error) + '\n';
  text += "  " + size_text(result) + '\n';
  if (result.flags.any()) text += "  " + paint("flags: " + flag_text(result), Style::kYellow) + '\n';
  return text;
}

std::string text_head(const Total& total, const Painter& paint) {
  const std::uint64_t files = total.ok + total.failed;
  std::string text = paint("total of " + number_of(files, "file"), Style::kBold) + shard_text(total) + "\n  ";
  if (total.incomplete) text += paint("incomplete: the run ended before all inputs were done", Style::kRed) + "\n  ";
  const auto add = [&](std::uint64_t count, const char* word, Style style) {
    if (count > 0) text += paint(std::to_string(count) + word, style) + ", ";
  };
  if (total.failed + total.skipped > 0) text += std::to_string(total.ok) + " ok, ";
  add(total.failed, " failed", Style::kRed);
  add(total.flagged, " flagged", Style::kYellow);
  add(total.skipped, " skipped", Style::kPlain);
  return text + number_of(total.histogram.pixels, "pixel") + " counted\n";
}

}  // namespace gpuhisto
