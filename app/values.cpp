// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "values.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "gpuhisto/clahe.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/parallel.hpp"
#include "gpuhisto/report.hpp"

namespace gpuhisto::app {
namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& allowed) {
  throw Error(ErrorKind::kUsage, "'" + text + "' is not " + allowed);
}

template <typename Number>
std::optional<Number> number(std::string_view text, int base = 10) {
  Number value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc{} || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "8x6", each from `least` to `most`.
std::optional<std::pair<int, int>> pair_within(const std::string& text, int least, int most) {
  const std::size_t x = text.find('x');
  if (x == std::string::npos) return std::nullopt;
  const auto first = number<int>(std::string_view(text).substr(0, x));
  const auto second = number<int>(std::string_view(text).substr(x + 1));
  const auto fits = [&](std::optional<int> v) { return v && *v >= least && *v <= most; };
  if (!fits(first) || !fits(second)) return std::nullopt;
  return std::pair(*first, *second);
}

/// Finite.
std::optional<double> non_negative(std::string_view text) {
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || rest != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(value) || value < 0) return std::nullopt;
  return value;
}

}  // namespace

std::uint64_t parse_size(const std::string& text, std::uint64_t unit) {
  constexpr std::string_view kLetters = "KMGT";
  const auto fail = [&] { refuse(text, "a size: a number above 0, with K, M, G or T if you like"); };
  std::string_view digits = text;
  for (const std::string_view rest : {"iB", "ib", "B", "b"})  // of GiB and GB: one unit here, so one meaning
    if (unit == 1024 && digits.ends_with(rest)) {
      digits.remove_suffix(rest.size());
      break;
    }
  double factor = 1;
  if (!digits.empty()) {
    const auto letter = static_cast<char>(std::toupper(static_cast<unsigned char>(digits.back())));
    if (const auto power = kLetters.find(letter); power != std::string_view::npos) {
      digits.remove_suffix(1);
      for (std::size_t i = 0; i <= power; ++i) factor *= static_cast<double>(unit);
    }
  }
  // A whole number of any length as it is; with a fraction as near as a double is.
  if (const auto whole = number<std::uint64_t>(digits)) {
    std::uint64_t size = 0;
    if (*whole == 0 || __builtin_mul_overflow(*whole, static_cast<std::uint64_t>(factor), &size)) fail();
    return size;
  }
  constexpr double kMost = 0x1p63;
  const auto value = non_negative(digits);
  if (!value || *value * factor < 1 || *value * factor >= kMost) fail();
  return static_cast<std::uint64_t>(*value * factor);
}

std::string in_lines(const std::vector<std::string>& words) {
  constexpr std::size_t kColumns = 64;
  std::string list;
  std::size_t line = 0;
  for (const auto& word : words) {
    if (line + word.size() > kColumns) {
      list += ",\n";
      line = 0;
    } else if (!list.empty()) {
      list += ", ";
    }
    list += word;
    line += word.size() + 2;
  }
  return list;
}

ChannelSet parse_channels(const std::string& text) {
  if (text == "all") return ChannelSet::all();
  std::string unknown;
  const auto channels = channels_of_list(text, &unknown);
  if (!channels) refuse(unknown, "a channel: all, or a list of luma, red, green, blue, alpha");
  return *channels;
}

LumaRule parse_luma(const std::string& text) {
  for (const auto rule : {LumaRule::kBt601, LumaRule::kBt709, LumaRule::kAverage, LumaRule::kValue})
    if (luma_name(rule) == text) return rule;
  refuse(text, "a luma rule: bt601, bt709, average or value");
}

Rectangle parse_roi(const std::string& text) {
  const auto roi = roi_of_text(text);
  if (!roi) refuse(text, "a rectangle: X,Y,WIDTH,HEIGHT in pixels, the sides at least 1");
  return *roi;
}

std::size_t parse_bins(const std::string& text) {
  const auto bins = number<std::size_t>(text);
  if (!bins || *bins < 1 || *bins > kBins) refuse(text, "a number of bins: 1 to 256");
  return *bins;
}

std::array<std::uint8_t, 3> parse_color(const std::string& text) {
  if (text == "white") return {255, 255, 255};
  if (text == "black") return {0, 0, 0};
  if (text == "gray" || text == "grey") return {128, 128, 128};
  const bool is_short = text.size() == 4;
  std::array<std::uint8_t, 3> color{};
  if (text.starts_with('#') && (is_short || text.size() == 7)) {
    bool good = true;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto part = std::string_view(text).substr(is_short ? 1 + i : 1 + 2 * i, is_short ? 1 : 2);
      const auto value = number<unsigned>(part, 16);
      good = good && value.has_value();
      color[i] = static_cast<std::uint8_t>(value.value_or(0) * (is_short ? 17 : 1));
    }
    if (good) return color;
  }
  refuse(text, "a color: #rrggbb, #rgb, white, black or gray");
}

Size parse_plot_size(const std::string& text) {
  const auto size = pair_within(text, kMinPlotSize, kMaxPlotSize);
  if (!size) refuse(text, "a size of a plot: WIDTHxHEIGHT, each 160 to 16384 pixels");
  return {size->first, size->second};
}

Tiles parse_tiles(const std::string& text) {
  static_assert(ClaheOptions::kMostTiles == 256);
  const auto tiles = pair_within(text, 1, 256);
  if (!tiles) refuse(text, "a grid of tiles: ACROSSxDOWN, each 1 to 256");
  return {tiles->first, tiles->second};
}

double parse_clip_limit(const std::string& text) {
  const auto limit = non_negative(text);
  if (!limit) refuse(text, "a clip limit: a number from 0 (no limit) on, such as 2 or 3.5");
  return *limit;
}

int parse_plot_scale(const std::string& text) {
  const auto scale = number<int>(text);
  if (!scale || *scale < 1 || *scale > kMaxPlotScale) refuse(text, "a scale of plots: 1 to 4");
  return *scale;
}

PlotTheme parse_plot_theme(const std::string& text) {
  if (text == "light") return PlotTheme::kLight;
  if (text == "dark") return PlotTheme::kDark;
  refuse(text, "a theme of plots: light or dark");
}

PlotLayout parse_plot_layout(const std::string& text) {
  if (text == "overlaid") return PlotLayout::kOverlaid;
  if (text == "stacked") return PlotLayout::kStacked;
  refuse(text, "a layout of plots: overlaid or stacked");
}

int parse_quality(const std::string& text) {
  const auto quality = number<int>(text);
  if (!quality || *quality < 1 || *quality > 100) refuse(text, "a JPEG quality: 1 to 100");
  return *quality;
}

int parse_threads(const std::string& text) {
  constexpr int kMost = 1024;
  const auto count = number<int>(text);
  if (!count || *count < 0 || *count > kMost) refuse(text, "a number of threads: 0 (all cores) to 1024");
  return *count == 0 ? hardware_threads() : *count;
}

Percentile parse_share(const std::string& text) {
  const std::string number = text.ends_with('%') ? text.substr(0, text.size() - 1) : text;
  try {
    const auto list = parse_percentiles(number);
    if (list.size() == 1) return list.front();
  } catch (const Error&) {  // its words are about percentiles
  }
  refuse(text, "a share of the pixels: percent, such as 0.5% or 2");
}

double parse_seconds(const std::string& text) {
  const auto seconds = non_negative(text);
  if (!seconds) refuse(text, "a time: seconds, such as 2 or 0.5");
  return *seconds;
}

}  // namespace gpuhisto::app
