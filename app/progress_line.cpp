// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "progress_line.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace gpuhisto::app {
namespace {

constexpr std::size_t kShortestBar = 8, kLongestBar = 40;

std::string number(double value) {
  char text[400];
  std::snprintf(text, sizeof text, value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value);
  return text;
}

std::string duration(double seconds) {
  const auto s = static_cast<long long>(seconds + 0.5);
  char text[64];
  if (s >= 3600)
    std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
  else
    std::snprintf(text, sizeof text, "%lld:%02lld", s / 60, s % 60);
  return text;
}

double rate(double amount, const Progress& progress) { return amount / std::max(1e-3, progress.seconds); }
std::string files_per_second(const Progress& progress) {
  return number(rate(static_cast<double>(progress.done()), progress)) + " files/s";
}
std::string pixels_per_second(const Progress& progress) {
  return number(rate(static_cast<double>(progress.pixels) / 1e6, progress)) + " Mpix/s";
}

std::string files(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " file" : " files"); }

std::string time_left(const Progress& progress) {
  if (!progress.count || progress.done() == 0 || progress.done() >= *progress.count) return "";
  const auto left = static_cast<double>(*progress.count - progress.done());
  return duration(progress.seconds / static_cast<double>(progress.done()) * left) + " left";
}

std::string bar(const Progress& progress, std::size_t cells) {
  const double share = std::min(
      1.0, static_cast<double>(progress.done()) / static_cast<double>(std::max<std::uint64_t>(1, *progress.count)));
  const auto full = static_cast<std::size_t>(share * static_cast<double>(cells));
  char percent[16];
  std::snprintf(percent, sizeof percent, "] %3d%% ", static_cast<int>(share * 100));
  return "[" + std::string(full, '#') + std::string(cells - full, '.') + percent;
}

}  // namespace

std::string progress_line(const Progress& progress, std::size_t columns) {
  struct Piece {
    std::string text;
    int rank;  ///< 0 is wanted most
  };
  const std::array<Piece, 5> pieces = {{
      {progress.count ? std::to_string(progress.done()) + '/' + std::to_string(*progress.count)
                      : files(progress.done()),
       0},
      {files_per_second(progress), 3},
      {pixels_per_second(progress), 4},
      {progress.failed > 0 ? std::to_string(progress.failed) + " failed" : "", 1},
      {time_left(progress), 2},
  }};
  std::array<bool, 5> fits{};
  std::size_t width = 0;
  for (int rank = 0; rank < 5; ++rank)
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const std::size_t more = pieces[i].text.size() + (width > 0 ? 2 : 0);
      if (pieces[i].rank != rank || pieces[i].text.empty() || width + more > columns) continue;
      fits[i] = true;
      width += more;
    }
  std::string line;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    if (fits[i]) line += (line.empty() ? "" : "  ") + pieces[i].text;
  constexpr std::size_t kAroundBar = 8;  // "[", "] 100% "
  if (progress.count && columns >= width + kAroundBar + kShortestBar)
    line = bar(progress, std::min(kLongestBar, columns - width - kAroundBar)) + line;
  return line;
}

std::string summary_line(const Progress& progress) {
  std::string text = files(progress.done()) + ": " + std::to_string(progress.ok) + " ok";
  if (progress.flagged > 0) text += " (" + std::to_string(progress.flagged) + " flagged)";
  if (progress.failed > 0) text += ", " + std::to_string(progress.failed) + " failed";
  if (progress.skipped > 0) text += ", " + std::to_string(progress.skipped) + " skipped";
  return text + "; " + number(static_cast<double>(progress.pixels) / 1e6) + " Mpix in " + number(progress.seconds) +
         " s: " + files_per_second(progress) + ", " + pixels_per_second(progress);
}

}  // namespace gpuhisto::app
