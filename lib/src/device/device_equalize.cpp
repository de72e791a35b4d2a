// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/backend.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

constexpr std::array kColors = {Channel::kRed, Channel::kGreen, Channel::kBlue};

/// The tables by these counts, as apply_equalization() makes them.
Device::MapRequest map_request(const MutableImageView& image, const ImageHistogram& counts,
                               const EqualizeOptions& options) {
  Device::MapRequest request;
  request.image = image;
  request.keep_transparent = options.predicate.skip_transparent && has_alpha(image.channels);
  if (!has_color(image.channels) || options.mode == EqualizeMode::kLuma) {
    request.map = has_color(image.channels) ? Device::Map::kYcrcbLuma : Device::Map::kOne;
    request.tables[0] = make_equalization_lut(counts[Channel::kLuma]);
    return request;
  }
  Histogram joint{};
  for (std::size_t c = 0; c < kColors.size(); ++c) {
    request.tables[c] = make_equalization_lut(counts[kColors[c]]);
    for (std::size_t v = 0; v < kBins; ++v) joint[v] += counts[kColors[c]][v];
  }
  request.map = options.mode == EqualizeMode::kJoint ? Device::Map::kOne : Device::Map::kEach;
  if (options.mode == EqualizeMode::kJoint) request.tables[0] = make_equalization_lut(joint);
  return request;
}

}  // namespace

void apply_equalization_on_device(Device& device, const MutableImageView& image, const ImageHistogram& counts,
                                  const EqualizeOptions& options) {
  if (options.predicate.rectangle || options.predicate.mask) return apply_equalization(image, counts, options);
  // The way to YCrCb and back alters colours: an image of one Y must not take it.
  const bool luma_of_color = has_color(image.channels) && options.mode == EqualizeMode::kLuma;
  if (luma_of_color && is_flat(counts[Channel::kLuma])) return;
  device.map(map_request(image, counts, options));
}

ImageHistogram equalize_on_device(Device& device, const MutableImageView& image, const EqualizeOptions& options) {
  const CountSpec spec = equalization_spec(image.channels, options);
  const std::shared_ptr<Device> kept_by_caller(std::shared_ptr<Device>(), &device);
  const auto counter = make_device_histogrammer(image.channels, spec, {kept_by_caller, "auto", "", {}, {}});
  counter->count(image, 0);
  ImageHistogram counts = counter->finish();
  apply_equalization_on_device(device, image, counts, options);
  return counts;
}

}  // namespace gpuhisto
