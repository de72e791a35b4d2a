// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>

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

/// Maps piece by piece through a copy, so that a device that fails spoils no row; `rows_done` are mapped.
void map_copies(Device& device, const Device::MapRequest& whole, std::size_t& rows_done) {
  constexpr std::size_t kPieceBytes = std::size_t{16} << 20;
  const MutableImageView& image = whole.image;
  const std::size_t row = image.width * static_cast<std::size_t>(image.channels);
  const std::size_t most = std::clamp<std::size_t>(kPieceBytes / std::max<std::size_t>(row, 1), 1, image.height + 1);
  Device::MapRequest piece = whole;
  while (rows_done < image.height) {
    const std::size_t rows = std::min(most, image.height - rows_done);
    Image copy(image.width, rows, image.channels);
    piece.image = copy.view();
    for (std::size_t y = 0; y < rows; ++y) std::copy_n(image.row(rows_done + y), row, piece.image.row(y));
    device.map(piece);
    for (std::size_t y = 0; y < rows; ++y) std::copy_n(piece.image.row(y), row, image.row(rows_done + y));
    rows_done += rows;
  }
}

}  // namespace

void apply_equalization_on_device(Device& device, const MutableImageView& image, const ImageHistogram& counts,
                                  const EqualizeOptions& options,
                                  const std::function<void(const std::string& why)>& on_lost) {
  if (options.predicate.rectangle || options.predicate.mask) return apply_equalization(image, counts, options);
  // The way to YCrCb and back alters colours: an image of one Y must not take it.
  const bool luma_of_color = has_color(image.channels) && options.mode == EqualizeMode::kLuma;
  if (luma_of_color && is_flat(counts[Channel::kLuma])) return;
  Device::MapRequest request = map_request(image, counts, options);
  if (!on_lost) return device.map(request);
  std::size_t rows_done = 0;
  try {
    map_copies(device, request, rows_done);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kDevice) throw;
    on_lost(error.what());
    apply_equalization(image.rows(rows_done, image.height - rows_done), counts, options);
  }
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
