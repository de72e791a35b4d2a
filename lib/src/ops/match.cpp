// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/match.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <utility>
#include <vector>

#include "gpuhisto/error.hpp"
#include "ops/rounding.hpp"
#include "ops/tone_parts.hpp"

namespace gpuhisto {
namespace {

constexpr char kNoPixels[] = "the reference has no pixels";

// Products of three sums, each of 768 numbers of 64 bits at most, and of a level.
using Wide = boost::multiprecision::uint256_t;

/// A level that occurs, and how many pixels are not above it.
struct Step {
  std::size_t level = 0;
  Wide cumulated;
};

std::vector<Step> steps_of(const Histogram& histogram) {
  std::vector<Step> steps;
  Wide sum = 0;
  for (std::size_t v = 0; v < kBins; ++v)
    if (histogram[v] != 0) steps.push_back({v, sum += histogram[v]});
  return steps;
}

/// The level at which `share` / `pixels` of the reference is reached; `steps` are the reference's.
std::uint8_t level_at(const Wide& share, const Wide& pixels, const std::vector<Step>& steps) {
  const Wide& all = steps.back().cumulated;
  const Wide rank = share * all;  // of the reference, times `pixels`
  const auto next =
      std::find_if(steps.begin(), steps.end(), [&](const Step& step) { return step.cumulated * pixels > rank; });
  if (next == steps.begin()) return static_cast<std::uint8_t>(steps.front().level);
  if (next == steps.end()) return static_cast<std::uint8_t>(steps.back().level);
  const Step& last = *(next - 1);
  const Wide range = (next->cumulated - last.cumulated) * pixels;
  const Wide above = rank - last.cumulated * pixels;
  return ops::round_half_even<Wide>(last.level * range + (next->level - last.level) * above, range);
}

}  // namespace

Lut make_matching_lut(const Histogram& histogram, const Histogram& reference) {
  const std::vector<Step> own = steps_of(histogram), theirs = steps_of(reference);
  if (theirs.empty()) throw Error(ErrorKind::kInput, kNoPixels);
  if (own.empty()) return identity_lut();
  Lut lut{};
  Wide share = 0;
  for (std::size_t v = 0; v < kBins; ++v) lut[v] = level_at(share += histogram[v], own.back().cumulated, theirs);
  return lut;
}

Matching::Matching(ToneMode mode, ImageHistogram reference) : mode_(mode), reference_(std::move(reference)) {
  const bool by_colors = mode != ToneMode::kLuma && reference_.channels.has(Channel::kRed);
  const auto wanted =
      by_colors ? std::vector{Channel::kRed, Channel::kGreen, Channel::kBlue} : std::vector{Channel::kLuma};
  for (const Channel channel : wanted) {
    if (!steps_of(reference_[channel]).empty()) continue;
    if (reference_.pixels == 0) throw Error(ErrorKind::kInput, kNoPixels);
    throw Error(ErrorKind::kUsage, "the reference has no counts of " + std::string(channel_name(channel)));
  }
}

CountSpec Matching::counts_wanted() {
  CountSpec spec;
  spec.luma = LumaRule::kYcrcb14;
  return spec;
}

ToneMap Matching::map(const ImageHistogram& counts, int channels) const {
  if (counts.pixels == 0) return {};
  ToneMap map = map_of(mode_, channels, counts, [this, channels](const Histogram& histogram, Channel channel) {
    return make_matching_lut(histogram, reference_for(channel, channels));
  });
  if (map.kind == ToneMap::Kind::kLuma && ops::changes_nothing(counts[Channel::kLuma], map.luts[0])) return {};
  return map;
}

Histogram Matching::reference_for(Channel channel, int channels) const {
  const bool colors = reference_.channels.has(Channel::kRed);
  if (channel == Channel::kLuma && has_color(channels) && mode_ == ToneMode::kJoint && colors)
    return ops::joint_histogram(reference_);
  if (channel == Channel::kLuma && !reference_.channels.has(Channel::kLuma))
    throw Error(ErrorKind::kInput, "an image without colors needs luma, which the reference has no counts of");
  return reference_[colors ? channel : Channel::kLuma];
}

}  // namespace gpuhisto
