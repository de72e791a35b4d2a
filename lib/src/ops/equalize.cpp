// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/equalize.hpp"

#include <algorithm>

#include "gpuhisto/error.hpp"
#include "ops/map_pixels.hpp"

namespace gpuhisto {
namespace {

using ops::PixelMap;

constexpr std::array kColors = {Channel::kRed, Channel::kGreen, Channel::kBlue};

Lut identity() { return make_equalization_lut({}); }

/// Gray: the gray value's map in every mode. Alpha, if there is any, comes last and keeps the identity.
PixelMap gray_map(const ImageHistogram& counts, int channels) {
  PixelMap map;
  map.channels.channels = channels;
  map.channels.luts.fill(identity());
  map.channels.luts[0] = make_equalization_lut(counts[Channel::kLuma]);
  return map;
}

PixelMap color_map(const ImageHistogram& counts, int channels, EqualizeMode mode) {
  PixelMap map;
  map.channels.channels = channels;
  map.channels.luts.fill(identity());
  Histogram all{};
  for (std::size_t c = 0; c < kColors.size(); ++c) {
    map.channels.luts[c] = make_equalization_lut(counts[kColors[c]]);
    for (std::size_t v = 0; v < kBins; ++v) all[v] += counts[kColors[c]][v];
  }
  if (mode == EqualizeMode::kJoint) std::fill_n(map.channels.luts.begin(), kColors.size(), make_equalization_lut(all));
  return map;
}

PixelMap luma_map(const ImageHistogram& counts) {
  PixelMap map;
  map.kind = PixelMap::Kind::kLuma;
  map.luma.luts[0] = make_equalization_lut(counts[Channel::kLuma]);
  return map;
}

void check_mask(const ImageView& image, const PixelPredicate& predicate) {
  if (!predicate.mask) return;
  if (predicate.mask->channels != 1) throw Error(ErrorKind::kUsage, "the mask must have one channel");
  if (predicate.mask->width != image.width || predicate.mask->height != image.height)
    throw Error(ErrorKind::kUsage, "the mask and the image differ in size");
}

}  // namespace

CountSpec equalization_spec(int channels, const EqualizeOptions& options) {
  CountSpec spec;
  spec.channels = ChannelSet();
  if (!has_color(channels) || options.mode == EqualizeMode::kLuma) {
    spec.channels.set(Channel::kLuma);
  } else {
    for (const Channel color : kColors) spec.channels.set(color);
  }
  spec.luma = LumaRule::kYcrcb14;
  spec.predicate = options.predicate;
  return spec;
}

void apply_equalization(const MutableImageView& image, const ImageHistogram& counts, const EqualizeOptions& options) {
  check_mask(image, options.predicate);
  const bool luma_of_color = has_color(image.channels) && options.mode == EqualizeMode::kLuma;
  // The way to YCrCb and back alters colours: an image of one Y must not take it.
  if (luma_of_color && is_flat(counts[Channel::kLuma])) return;
  const PixelMap map = luma_of_color               ? luma_map(counts)
                       : has_color(image.channels) ? color_map(counts, image.channels, options.mode)
                                                   : gray_map(counts, image.channels);
  ops::map_pixels(image, map, options.predicate, ops::kernels().back(), options.threads);
}

ImageHistogram equalize(const MutableImageView& image, const EqualizeOptions& options) {
  ImageHistogram counts = count_image(image, equalization_spec(image.channels, options), options.threads);
  apply_equalization(image, counts, options);
  return counts;
}

}  // namespace gpuhisto
