// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>

#include "gpuhisto/backend.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

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

void apply_tone_map_on_device(Device& device, const MutableImageView& image, const ToneMap& map,
                              const PixelPredicate& predicate, int threads,
                              const std::function<void(const std::string& why)>& on_lost) {
  if (map.kind == ToneMap::Kind::kNone || predicate.rectangle || predicate.mask)
    return apply_tone_map(image, map, predicate, threads);
  const Device::MapRequest request = {image, map, predicate.skip_transparent && has_alpha(image.channels)};
  if (!on_lost) return device.map(request);
  std::size_t rows_done = 0;
  try {
    map_copies(device, request, rows_done);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kDevice) throw;
    on_lost(error.what());
    apply_tone_map(image.rows(rows_done, image.height - rows_done), map, predicate, threads);
  }
}

}  // namespace gpuhisto
