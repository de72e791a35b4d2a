// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "device/masked_device_histogrammer.hpp"

#include <algorithm>

#include "count/selection.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{16} << 20;

/// Gathers the chosen columns of the rows that come, and of the mask, and counts them piece by piece, at once.
class MaskedDeviceHistogrammer final : public Histogrammer {
 public:
  MaskedDeviceHistogrammer(int channels, const CountSpec& spec, const DeviceCounting& counting)
      : channels_(channels),
        spec_(spec),
        wanted_(spec.channels & ChannelSet::of_image(channels)),
        counting_(counting) {}

  void count(const ImageView& strip, std::uint64_t first_row) override;
  ImageHistogram finish() override;

 private:
  void check(const ImageView& strip, std::uint64_t first_row) const;
  void gather(const ImageView& strip, std::uint64_t first_row, std::size_t y, count::Range columns);
  void flush();
  void count_piece(const ImageView& piece);
  void count_piece_on_cpu(const ImageView& piece);

  int channels_;
  CountSpec spec_;
  ChannelSet wanted_;
  DeviceCounting counting_;
  bool device_failed_ = false;
  std::size_t width_ = 0;  ///< of the gathered rows, in pixels
  std::vector<std::uint8_t> pixels_, mask_;
  ImageHistogram sum_;
};

void MaskedDeviceHistogrammer::check(const ImageView& strip, std::uint64_t first_row) const {
  if (strip.channels != channels_) throw Error(ErrorKind::kUsage, "the strip has another number of channels");
  const auto& mask = spec_.predicate.mask;
  if (mask->channels != 1) throw Error(ErrorKind::kUsage, "the mask must have one channel");
  if (mask->width != strip.width || first_row > mask->height || strip.height > mask->height - first_row)
    throw Error(ErrorKind::kUsage, "the mask and the image differ in size");
}

void MaskedDeviceHistogrammer::count(const ImageView& strip, std::uint64_t first_row) {
  check(strip, first_row);
  count::Range columns{0, strip.width}, rows{0, strip.height};
  if (const auto& rectangle = spec_.predicate.rectangle) {
    columns = count::clip(0, strip.width, rectangle->x, rectangle->width);
    rows = count::clip(first_row, strip.height, rectangle->y, rectangle->height);
  }
  if (columns.size() == 0) return;
  if (columns.size() != width_) flush();
  width_ = columns.size();
  for (std::size_t y = rows.begin; y < rows.end; ++y) {
    if (pixels_.size() >= kPieceBytes) flush();
    gather(strip, first_row, y, columns);
  }
}

void MaskedDeviceHistogrammer::gather(const ImageView& strip, std::uint64_t first_row, std::size_t y,
                                      count::Range columns) {
  const auto channels = static_cast<std::size_t>(channels_);
  const std::uint8_t* row = strip.row(y) + columns.begin * channels;
  pixels_.insert(pixels_.end(), row, row + columns.size() * channels);
  const std::uint8_t* mask = spec_.predicate.mask->row(static_cast<std::size_t>(first_row) + y) + columns.begin;
  mask_.insert(mask_.end(), mask, mask + columns.size());
}

void MaskedDeviceHistogrammer::flush() {
  if (pixels_.empty()) return;
  const std::size_t row_bytes = width_ * static_cast<std::size_t>(channels_);
  count_piece({pixels_.data(), width_, pixels_.size() / row_bytes, channels_, row_bytes});
  pixels_.clear();
  mask_.clear();
}

void MaskedDeviceHistogrammer::count_piece(const ImageView& piece) {
  if (device_failed_) return count_piece_on_cpu(piece);
  Device::CountRequest request;
  request.image = piece;
  request.mask = mask_.data();
  request.skip_transparent = spec_.predicate.skip_transparent;
  request.method = counting_.method;
  request.policy = counting_.policy;
  try {
    counting_.device->count(request, wanted_, spec_.luma, sum_);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kDevice || counting_.on_failure == OnDeviceFailure::kThrow) throw;
    device_failed_ = true;
    if (counting_.on_lost) counting_.on_lost(error.what());
    count_piece_on_cpu(piece);
  }
}

void MaskedDeviceHistogrammer::count_piece_on_cpu(const ImageView& piece) {
  CountSpec spec = spec_;
  spec.predicate.rectangle.reset();  // what is gathered lies inside
  spec.predicate.mask = ImageView{mask_.data(), piece.width, piece.height, 1, piece.width};
  sum_.add(count_image(piece, spec, 1));
}

ImageHistogram MaskedDeviceHistogrammer::finish() {
  flush();
  ImageHistogram result;
  std::swap(result, sum_);
  result.channels = wanted_;
  return result;
}

}  // namespace

std::unique_ptr<Histogrammer> make_masked_device_histogrammer(int channels, const CountSpec& spec,
                                                              const DeviceCounting& counting) {
  return std::make_unique<MaskedDeviceHistogrammer>(channels, spec, counting);
}

}  // namespace gpuhisto
