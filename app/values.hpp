// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gpuhisto/histogram.hpp"
#include "gpuhisto/plot.hpp"
#include "gpuhisto/statistics.hpp"

namespace gpuhisto::app {

/// Values of options. Each throws Error(kUsage) that names the value and what is allowed.

/// "512M", "1.5G": a number with K, M, G or T, each `unit` times the one before: 1000 for pixels, 1024 for bytes, which
/// may be spelt "512MiB" or "512MB" too.
std::uint64_t parse_size(const std::string& text, std::uint64_t unit);
/// "all" or a list of luma, red, green, blue, alpha.
ChannelSet parse_channels(const std::string& text);
LumaRule parse_luma(const std::string& text);
/// "X,Y,WIDTH,HEIGHT", sides at least 1.
Rectangle parse_roi(const std::string& text);
/// "1" to "256".
std::size_t parse_bins(const std::string& text);
/// "#rrggbb", "#rgb", "white", "black", "gray".
std::array<std::uint8_t, 3> parse_color(const std::string& text);
struct Size {
  int width = 0, height = 0;
};
/// "960x540".
Size parse_plot_size(const std::string& text);
/// "1" to "4".
int parse_plot_scale(const std::string& text);
PlotTheme parse_plot_theme(const std::string& text);
PlotLayout parse_plot_layout(const std::string& text);
struct Tiles {
  int across = 0, down = 0;
};
/// "8x8".
Tiles parse_tiles(const std::string& text);
/// A number from 0 on, with a decimal point if you like.
double parse_clip_limit(const std::string& text);
/// JPEG quality, "1" to "100".
int parse_quality(const std::string& text);
/// "0" (all cores) or a number of threads up to 1024.
int parse_threads(const std::string& text);
/// "0.5%" or "0.5": a share of the pixels, in percent.
Percentile parse_share(const std::string& text);
/// Non-negative, with a decimal point if you like.
double parse_seconds(const std::string& text);

/// Words with commas between them, in lines that fit beside an option's name in its help.
std::string in_lines(const std::vector<std::string>& words);

}  // namespace gpuhisto::app
