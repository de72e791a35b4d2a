// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/tone.hpp"

#include "gpuhisto/error.hpp"
#include "ops/map_pixels.hpp"
#include "ops/tone_parts.hpp"

namespace gpuhisto {
namespace {

constexpr std::array kColors = {Channel::kRed, Channel::kGreen, Channel::kBlue};

void check_mask(const ImageView& image, const PixelPredicate& predicate) {
  if (!predicate.mask) return;
  if (predicate.mask->channels != 1) throw Error(ErrorKind::kUsage, "the mask must have one channel");
  if (predicate.mask->width != image.width || predicate.mask->height != image.height)
    throw Error(ErrorKind::kUsage, "the mask and the image differ in size");
}

/// Alpha, if there is any, comes last and keeps the identity.
ops::PixelMap pixel_map(const ToneMap& map, int channels) {
  ops::PixelMap pixels;
  if (map.kind == ToneMap::Kind::kLuma) {
    pixels.kind = ops::PixelMap::Kind::kLuma;
    pixels.luma.luts[0] = map.luts[0];
    return pixels;
  }
  pixels.channels.channels = channels;
  pixels.channels.luts.fill(identity_lut());
  const std::size_t colors = has_color(channels) ? 3 : 1;
  for (std::size_t c = 0; c < colors; ++c) pixels.channels.luts[c] = map.luts[map.kind == ToneMap::Kind::kEach ? c : 0];
  return pixels;
}

}  // namespace

namespace ops {

Histogram joint_histogram(const ImageHistogram& counts) {
  Histogram all{};
  for (const Channel color : kColors)
    for (std::size_t v = 0; v < kBins; ++v)
      if (__builtin_add_overflow(all[v], counts[color][v], &all[v]))
        throw Error(ErrorKind::kLimit, "the counts of the colors add up to more than 2^64 - 1");
  return all;
}

bool changes_nothing(const Histogram& histogram, const Lut& lut) {
  for (std::size_t v = 0; v < kBins; ++v)
    if (histogram[v] != 0 && lut[v] != v) return false;
  return true;
}

}  // namespace ops

Lut identity_lut() {
  Lut lut;
  for (std::size_t v = 0; v < kBins; ++v) lut[v] = static_cast<std::uint8_t>(v);
  return lut;
}

CountSpec spec_of(ToneMode mode, int channels) {
  CountSpec spec;
  spec.channels = ChannelSet();
  if (!has_color(channels) || mode == ToneMode::kLuma) {
    spec.channels.set(Channel::kLuma);
  } else {
    for (const Channel color : kColors) spec.channels.set(color);
  }
  spec.luma = LumaRule::kYcrcb14;
  return spec;
}

ToneMap map_of(ToneMode mode, int channels, const ImageHistogram& counts,
               const std::function<Lut(const Histogram& histogram, Channel channel)>& lut_of) {
  ToneMap map;
  if (!has_color(channels) || mode == ToneMode::kLuma) {
    map.kind = has_color(channels) ? ToneMap::Kind::kLuma : ToneMap::Kind::kOne;
    map.luts[0] = lut_of(counts[Channel::kLuma], Channel::kLuma);
  } else if (mode == ToneMode::kJoint) {
    map.kind = ToneMap::Kind::kOne;
    map.luts[0] = lut_of(ops::joint_histogram(counts), Channel::kLuma);
  } else {
    map.kind = ToneMap::Kind::kEach;
    for (std::size_t c = 0; c < kColors.size(); ++c) map.luts[c] = lut_of(counts[kColors[c]], kColors[c]);
  }
  return map;
}

void apply_tone_map(const MutableImageView& image, const ToneMap& map, const PixelPredicate& predicate, int threads) {
  check_mask(image, predicate);
  if (map.kind == ToneMap::Kind::kNone) return;
  ops::map_pixels(image, pixel_map(map, image.channels), predicate, ops::kernels().back(), threads);
}

ImageHistogram apply_operation(const MutableImageView& image, const ToneOperation& operation,
                               const PixelPredicate& predicate, int threads) {
  check_mask(image, predicate);
  CountSpec spec = operation.spec(image.channels);
  spec.predicate = predicate;
  ImageHistogram counts = count_image(image, spec, threads);
  apply_tone_map(image, operation.map(counts, image.channels), predicate, threads);
  return counts;
}

}  // namespace gpuhisto
