// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "plot/number.hpp"

namespace gpuhisto::plot {
namespace {

/// The smallest 1, 2, 2.5, 5 times a power of ten, a whole number, that is at least `least`.
double nice_step(double least) {
  double power = 1;
  while (power * 10 <= least) power *= 10;
  for (const double factor : {1.0, 2.0, 2.5, 5.0, 10.0})
    if (factor * power >= least && (power > 1 || factor != 2.5)) return factor * power;
  return 10 * power;
}

/// Percent between ticks: all shares, or those up to a lower top.
double share_step(double highest, int most) {
  if (highest > 99.9) return most >= 10 ? 10 : most >= 4 ? 25 : 50;
  const double least = highest / most, power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

/// Powers of ten up to the top, every n-th labelled by `name`; eight fine lines between neighbours where there is room.
template <typename Name>
std::vector<Tick> log_ticks(const CountScale& scale, int most, const Name& name) {
  const int decades = static_cast<int>(std::floor(std::log10(scale.top()) + 1e-9)) + 1;
  const int every = (decades + most - 1) / most;
  std::vector<Tick> ticks;
  double value = 1;
  for (int decade = 0; decade < decades; ++decade, value *= 10) {
    ticks.push_back({value, decade % every == 0 ? name(value) : ""});
    if (every > 1 || decades * 2 > most + 2) continue;
    for (int digit = 2; digit < 10 && digit * value <= scale.top(); ++digit) ticks.push_back({digit * value, ""});
  }
  return ticks;
}

}  // namespace

CountScale CountScale::linear(double top) { return {std::max(top, 1.0), 0, false}; }

CountScale CountScale::logarithmic(double top, double floor) {
  return {std::max(top, 10.0), std::clamp(floor, 0.0, 0.5), true};
}

double CountScale::height(double count) const {
  if (!(count > 0)) return 0;
  if (!log_) return std::min(count / top_, 1.0);
  return std::clamp(floor_ + (1 - floor_) * std::log(count) / std::log(top_), 0.0, 1.0);
}

std::vector<Tick> count_ticks(const CountScale& scale, int most) {
  if (scale.is_log()) return log_ticks(scale, most, human_count);
  std::vector<Tick> ticks;
  const double step = nice_step(scale.top() / most);
  for (int i = 0; i * step <= scale.top(); ++i) ticks.push_back({i * step, human_count(i * step)});
  return ticks;
}

std::vector<Tick> share_ticks(const CountScale& scale, double total, int most) {
  std::vector<Tick> ticks;
  if (!scale.is_log()) {
    const double highest = 100 * scale.top() / total, step = share_step(highest, most);
    for (int i = 0; i * step <= highest * (1 + 1e-9); ++i)
      ticks.push_back({total * i * step / 100, decimal(i * step, 9) + " %"});
    return ticks;
  }
  // Shares of whole powers of ten, down to a single pixel.
  constexpr std::array<const char*, 12> kNames = {"100 %", "10 %",    "1 %",    "0.1 %", "0.01 %",  "10 ppm",
                                                  "1 ppm", "100 ppb", "10 ppb", "1 ppb", "100 ppt", "10 ppt"};
  const auto decades = static_cast<int>(std::log10(std::max(total, 1.0)) + 1e-9) + 1;
  const int every = (decades + most - 1) / most;
  for (int decade = std::min(decades, static_cast<int>(kNames.size())) - 1; decade >= 0; --decade) {
    const double value = total * std::pow(10, -decade);
    if (value > scale.top() * (1 + 1e-9)) break;
    ticks.push_back({value, decade % every == 0 ? kNames[static_cast<std::size_t>(decade)] : ""});
  }
  return ticks;
}

std::vector<int> level_ticks(int most) {
  constexpr std::array<int, 4> kSteps = {16, 32, 64, 128};
  for (const int step : kSteps) {
    if (256 / step + 1 > most) continue;
    std::vector<int> levels;
    for (int level = 0; level < 256; level += step) levels.push_back(level);
    levels.push_back(255);
    return levels;
  }
  return {0, 255};
}

}  // namespace gpuhisto::plot
