// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "device/masked_device_histogrammer.hpp"

#include <algorithm>

#include "count/selection.hpp"
#include "device/device_queue.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

constexpr std::size_t kPieceBytes = DeviceQueue::kPieceBytes;  // of pixels and mask together

/// Gathers the chosen columns of the rows that come, and of the mask, and counts them piece by piece, at once. Rows of
/// more than a piece are counted from where they lie.
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
  std::size_t pixel_bytes() const { return static_cast<std::size_t>(channels_); }
  void gather(const std::uint8_t* row, const std::uint8_t* mask);
  void count_long_row(const std::uint8_t* row, const std::uint8_t* mask);
  void flush();
  void count_piece(const ImageView& piece, const std::uint8_t* mask);
  void count_piece_on_cpu(const ImageView& piece, const std::uint8_t* mask);

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
    const std::uint8_t* row = strip.row(y) + columns.begin * pixel_bytes();
    const std::uint8_t* mask = spec_.predicate.mask->row(static_cast<std::size_t>(first_row) + y) + columns.begin;
    if (width_ * (pixel_bytes() + 1) > kPieceBytes)
      count_long_row(row, mask);
    else
      gather(row, mask);
  }
}

void MaskedDeviceHistogrammer::gather(const std::uint8_t* row, const std::uint8_t* mask) {
  const std::size_t most_rows = kPieceBytes / (width_ * (pixel_bytes() + 1));
  if (mask_.size() == most_rows * width_) flush();
  if (mask_.empty()) {  // left to grow by themselves, they would take twice as much
    const std::size_t rows = std::min(most_rows, spec_.predicate.mask->height);
    pixels_.reserve(rows * width_ * pixel_bytes());
    mask_.reserve(rows * width_);
  }
  pixels_.insert(pixels_.end(), row, row + width_ * pixel_bytes());
  mask_.insert(mask_.end(), mask, mask + width_);
}

void MaskedDeviceHistogrammer::count_long_row(const std::uint8_t* row, const std::uint8_t* mask) {
  const std::size_t most = kPieceBytes / (pixel_bytes() + 1);
  for (std::size_t x = 0; x < width_; x += most) {
    const std::size_t now = std::min(most, width_ - x);
    count_piece({row + x * pixel_bytes(), now, 1, channels_, now * pixel_bytes()}, mask + x);
  }
}

void MaskedDeviceHistogrammer::flush() {
  if (mask_.empty()) return;
  count_piece({pixels_.data(), width_, mask_.size() / width_, channels_, width_ * pixel_bytes()}, mask_.data());
  pixels_.clear();
  mask_.clear();
}

void MaskedDeviceHistogrammer::count_piece(const ImageView& piece, const std::uint8_t* mask) {
  if (device_failed_) return count_piece_on_cpu(piece, mask);
  Device::CountRequest request;
  request.image = piece;
  request.mask = mask;
  request.skip_transparent = spec_.predicate.skip_transparent;
  request.method = counting_.method;
  request.policy = counting_.policy;
  try {
    counting_.device->count(request, wanted_, spec_.luma, sum_);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kDevice || counting_.on_failure == OnDeviceFailure::kThrow) throw;
    device_failed_ = true;
    if (counting_.on_lost) counting_.on_lost(error.what());
    count_piece_on_cpu(piece, mask);
  }
}

void MaskedDeviceHistogrammer::count_piece_on_cpu(const ImageView& piece, const std::uint8_t* mask) {
  CountSpec spec = spec_;
  spec.predicate.rectangle.reset();  // what is gathered lies inside
  spec.predicate.mask = ImageView{mask, piece.width, piece.height, 1, piece.width};
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
