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

using Histograms = std::vector<const Values*>;

/// Bins of the histogram that has most of them within an eighth of `height` and all of it: flanks of several narrow
/// hills together are no distribution.
std::ptrdiff_t spread_below(double height, const Histograms& histograms) {
  std::ptrdiff_t most = 0;
  for (const auto* histogram : histograms)
    most = std::max(most, std::count_if(histogram->begin(), histogram->end(),
                                        [&](double count) { return count >= height / 8 && count <= height; }));
  return most;
}

Values highest_of(const Histograms& histograms) {
  Values highest{};
  for (const auto* histogram : histograms)
    for (std::size_t v = 0; v < kBins; ++v) highest[v] = std::max(highest[v], (*histogram)[v]);
  return highest;
}

/// The highest count of `sorted`, which is made of `histograms`, that is no spike; 0 where there is nothing but a few
/// levels.
double height_of_rest(Values sorted, const Histograms& histograms) {
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double total = 0;
  for (const double count : sorted) total += count;
  const double highest = sorted[0];
  double best_score = 0, best = highest, rest = total;
  for (std::size_t k = 1; k <= kMostSpikes && sorted[k] > 0; ++k) {
    rest -= sorted[k - 1];
    const double height = sorted[k];
    const double gain = highest / height;
    const double score = gain / std::pow(kGainPerSpike, static_cast<double>(k));
    if (gain < kLeastGain || rest < kLeastShare * total || score <= std::max(1.0, best_score)) continue;
    if (spread_below(height, histograms) < kLeastSpread) continue;
    best_score = score;
    best = height;
  }
  const bool few_levels = sorted[kMostSpikes] == 0;
  return best_score > 0 ? best : few_levels ? 0 : highest;
}

}  // namespace

std::optional<double> clipping_level(const std::vector<const Values*>& histograms) {
  double rest = 0;
  for (const auto* histogram : histograms) rest = std::max(rest, height_of_rest(*histogram, {histogram}));
  const Values all = highest_of(histograms);
  rest = std::min(rest, height_of_rest(all, histograms));
  const double level = rest * kHeadroom, highest = *std::max_element(all.begin(), all.end());
  if (level <= 0 || highest < kLeastTotalGain * level) return std::nullopt;
  return level;
}

}  // namespace gpuhisto::plot
