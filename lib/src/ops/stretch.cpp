// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/stretch.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gpuhisto/error.hpp"
#include "ops/tone_parts.hpp"

namespace gpuhisto {
namespace {

// Of 64-bit sums and a percentage with nine decimals.
__extension__ using Wide = unsigned __int128;

struct Ends {
  int low = 0, high = 0;  ///< levels
};

/// The first level, from `first` in steps of `step`, by which more than `percent` of all pixels are seen; else the
/// last.
int end_of(const Histogram& histogram, std::uint64_t pixels, const Percentile& percent, int first, int step) {
  const Wide allowed = Wide{percent.numerator} * pixels;
  Wide seen = 0;
  for (int v = first;; v += step) {
    seen += histogram[static_cast<std::size_t>(v)];
    if (seen * percent.denominator * 100 > allowed || v == 255 - first) return v;
  }
}

/// Twice the median: the sum of the two middle values.
int twice_median(const Histogram& histogram, std::uint64_t pixels) {
  const auto value_at = [&](std::uint64_t rank) {  // from 0
    std::size_t v = 0;
    for (std::uint64_t seen = histogram[0]; seen <= rank; seen += histogram[++v]) continue;
    return static_cast<int>(v);
  };
  return value_at((pixels - 1) / 2) + value_at(pixels / 2);
}

/// The power that moves the median to the middle; 1 where none can.
double gamma_of(const Histogram& histogram, std::uint64_t pixels, const Ends& ends) {
  const double median = (twice_median(histogram, pixels) / 2.0 - ends.low) / (ends.high - ends.low);
  return median > 0 && median < 1 ? std::log(0.5) / std::log(median) : 1;
}

std::uint8_t scaled_power(double x, double gamma) {
  constexpr double kError = 1e-9;  // more than pow() is wrong by: the median's 127.5 goes up on every machine
  return static_cast<std::uint8_t>(std::lround(255 * std::pow(x, gamma) + kError));
}

}  // namespace

Lut make_stretch_lut(const Histogram& histogram, const StretchOptions& options) {
  const std::uint64_t pixels = std::accumulate(histogram.begin(), histogram.end(), std::uint64_t{0});
  if (pixels == 0) return identity_lut();
  const Ends ends = {end_of(histogram, pixels, options.low, 0, 1), end_of(histogram, pixels, options.high, 255, -1)};
  if (ends.low >= ends.high) return identity_lut();
  const int range = ends.high - ends.low;
  const double gamma = options.auto_gamma ? gamma_of(histogram, pixels, ends) : 1;
  Lut lut;
  for (int v = 0; v < static_cast<int>(kBins); ++v) {
    const int above = std::clamp(v, ends.low, ends.high) - ends.low;
    lut[static_cast<std::size_t>(v)] = options.auto_gamma ? scaled_power(static_cast<double>(above) / range, gamma)
                                                          : static_cast<std::uint8_t>(255 * above / range);
  }
  return lut;
}

Stretch::Stretch(const StretchOptions& options) : options_(options) {
  const auto share = [](const Percentile& p) {
    return static_cast<double>(p.numerator) / static_cast<double>(p.denominator);
  };
  if (share(options.low) + share(options.high) >= 100)
    throw Error(ErrorKind::kUsage, "the cut-offs cross: " + options.low.text + " % of the pixels below and " +
                                       options.high.text + " % above leave nothing to stretch");
}

CountSpec Stretch::spec(int channels) const {
  if (options_.mode != ToneMode::kJoint) return spec_of(options_.mode, channels);
  CountSpec spec = spec_of(ToneMode::kLuma, channels);
  spec.luma = options_.luma;
  return spec;
}

ToneMap Stretch::map(const ImageHistogram& counts, int channels) const {
  const auto lut_of = [this](const Histogram& histogram, Channel) { return make_stretch_lut(histogram, options_); };
  ToneMap map = map_of(options_.mode == ToneMode::kEach ? ToneMode::kEach : ToneMode::kLuma, channels, counts, lut_of);
  if (options_.mode == ToneMode::kJoint) map.kind = ToneMap::Kind::kOne;
  if (map.kind == ToneMap::Kind::kLuma && ops::changes_nothing(counts[Channel::kLuma], map.luts[0])) return {};
  return map;
}

}  // namespace gpuhisto
