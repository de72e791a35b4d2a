// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/spikes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace gpuhisto::plot {
namespace {

constexpr std::size_t kMostSpikes = 8;
constexpr double kLeastGain = 4.0;  // below, the rest still takes a quarter of the height
constexpr double kGainPerSpike = 1.5;
constexpr std::ptrdiff_t kLeastSpread = 8;
constexpr double kLeastShare = 0.002;
constexpr double kHeadroom = 1.3;        // room for the labels of the bins cut off
constexpr double kLeastTotalGain = 2.5;  // all channels together

/// The highest count that is no spike; 0 where there is nothing but a few levels.
double height_of_rest(const Values& histogram) {
  Values sorted = histogram;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double total = 0;
  for (const double count : sorted) total += count;
  const double highest = sorted[0];
  double best_score = 0, best = highest, rest = total;
  for (std::size_t k = 1; k <= kMostSpikes && sorted[k] > 0; ++k) {
    rest -= sorted[k - 1];
    const double height = sorted[k];
    const double gain = highest / height;
    const auto spread = std::count_if(sorted.begin() + static_cast<std::ptrdiff_t>(k), sorted.end(),
                                      [&](double count) { return count >= height / 8; });
    const double score = gain / std::pow(kGainPerSpike, static_cast<double>(k));
    if (gain < kLeastGain || spread < kLeastSpread || rest < kLeastShare * total || score <= std::max(1.0, best_score))
      continue;
    best_score = score;
    best = height;
  }
  const bool few_levels = sorted[kMostSpikes] == 0;
  return best_score > 0 ? best : few_levels ? 0 : highest;
}

}  // namespace

std::optional<double> clipping_level(const std::vector<const Values*>& histograms) {
  double rest = 0, highest = 0;
  for (const auto* histogram : histograms) {
    rest = std::max(rest, height_of_rest(*histogram));
    highest = std::max(highest, *std::max_element(histogram->begin(), histogram->end()));
  }
  const double level = rest * kHeadroom;
  if (level <= 0 || highest < kLeastTotalGain * level) return std::nullopt;
  return level;
}

}  // namespace gpuhisto::plot
