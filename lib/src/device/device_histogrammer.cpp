// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <cstring>
#include <utility>

#include "count/selection.hpp"
#include "device/device_queue.hpp"
#include "device/masked_device_histogrammer.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

/// Fills pieces for the device's queue. What may turn out to be a small image stays in ordinary memory, and shares a
/// piece with others if it does.
class DeviceHistogrammer final : public Histogrammer {
 public:
  DeviceHistogrammer(int channels, const CountSpec& spec, const DeviceCounting& counting)
      : format_{channels,        spec.channels & ChannelSet::of_image(channels),
                spec.luma,       spec.predicate.skip_transparent,
                counting.method, counting.policy},
        rectangle_(spec.predicate.rectangle),
        counting_(counting),
        queue_(counting.device->queue()),
        pixel_(static_cast<std::size_t>(channels)),
        piece_bytes_(DeviceQueue::kPieceBytes - DeviceQueue::kPieceBytes % pixel_) {}
  ~DeviceHistogrammer() override {
    if (piece_) queue_.give_back(*piece_);
  }
  DeviceHistogrammer(const DeviceHistogrammer&) = delete;
  DeviceHistogrammer& operator=(const DeviceHistogrammer&) = delete;

  void count(const ImageView& strip, std::uint64_t first_row) override;
  ImageHistogram finish() override { return finish_later()(); }
  std::function<ImageHistogram()> finish_later() override;
  std::uint8_t* strip_memory(std::size_t bytes) override;

 private:
  void append(const std::uint8_t* data, std::size_t bytes);
  void use_piece();
  void submit();
  DeviceQueue::ImagePointer& image();

  Device::CountFormat format_;
  std::optional<Rectangle> rectangle_;
  DeviceCounting counting_;
  DeviceQueue& queue_;
  std::size_t pixel_, piece_bytes_;
  DeviceQueue::ImagePointer image_;  ///< once something of it is on its way
  DeviceQueue::Piece* piece_ = nullptr;
  std::vector<std::uint8_t> small_;  ///< while there is no piece
  std::size_t small_used_ = 0;
  const std::uint8_t* offered_ = nullptr;  ///< the memory of the next strip, perhaps
};

void DeviceHistogrammer::count(const ImageView& strip, std::uint64_t first_row) {
  if (strip.channels != format_.image_channels)
    throw Error(ErrorKind::kUsage, "the strip has another number of channels");
  const std::size_t row_bytes = strip.width * pixel_;
  if (const auto* offered = std::exchange(offered_, nullptr); offered && strip.data == offered) {
    (piece_ ? piece_->used : small_used_) += strip.height * row_bytes;
    return;
  }
  count::Range columns{0, strip.width}, rows{0, strip.height};
  if (rectangle_) {
    columns = count::clip(0, strip.width, rectangle_->x, rectangle_->width);
    rows = count::clip(first_row, strip.height, rectangle_->y, rectangle_->height);
  }
  if (columns.size() == 0) return;
  if (columns.size() == strip.width && strip.row_bytes == row_bytes)
    return append(strip.row(rows.begin), rows.size() * row_bytes);
  for (std::size_t y = rows.begin; y < rows.end; ++y)
    append(strip.row(y) + columns.begin * pixel_, columns.size() * pixel_);
}

std::uint8_t* DeviceHistogrammer::strip_memory(std::size_t bytes) {
  if (rectangle_ || bytes == 0 || bytes > piece_bytes_) return nullptr;
  if (!piece_ && !image_ && small_used_ == 0 && bytes <= DeviceQueue::kSmallBytes) {
    small_.resize(bytes);
    offered_ = small_.data();
    return small_.data();
  }
  use_piece();
  if (piece_->used + bytes > piece_bytes_) {
    submit();
    use_piece();
  }
  offered_ = piece_->data + piece_->used;
  return piece_->data + piece_->used;
}

void DeviceHistogrammer::append(const std::uint8_t* data, std::size_t bytes) {
  if (!piece_ && !image_ && small_used_ + bytes <= DeviceQueue::kSmallBytes) {
    small_.resize(small_used_);
    small_.insert(small_.end(), data, data + bytes);
    small_used_ += bytes;
    return;
  }
  while (bytes > 0) {
    use_piece();
    const std::size_t now = std::min(bytes, piece_bytes_ - piece_->used);
    std::memcpy(piece_->data + piece_->used, data, now);
    piece_->used += now;
    data += now;
    bytes -= now;
    if (piece_->used == piece_bytes_) submit();
  }
}

/// From here on the image is no small one.
void DeviceHistogrammer::use_piece() {
  if (piece_) return;
  piece_ = &queue_.acquire();
  if (small_used_ > 0) std::memcpy(piece_->data, small_.data(), small_used_);
  piece_->used = std::exchange(small_used_, 0);
}

void DeviceHistogrammer::submit() {
  queue_.submit(*piece_, image());
  piece_ = nullptr;
}

DeviceQueue::ImagePointer& DeviceHistogrammer::image() {
  if (!image_) {
    image_ = std::make_shared<DeviceQueue::Image>();
    image_->format = format_;
    image_->on_failure = counting_.on_failure;
  }
  return image_;
}

std::function<ImageHistogram()> DeviceHistogrammer::finish_later() {
  if (piece_ && piece_->used == 0)
    queue_.give_back(*std::exchange(piece_, nullptr));
  else if (piece_)
    submit();
  else if (small_used_ > 0)
    queue_.gather(image(), small_.data(), std::exchange(small_used_, 0) / pixel_);
  return [image = std::exchange(image(), nullptr), device = counting_.device, on_lost = counting_.on_lost] {
    device->queue().wait(*image);
    if (image->lost && on_lost) on_lost(*image->lost);
    image->counts.channels = image->format.channels;
    return image->counts;
  };
}

}  // namespace

std::unique_ptr<Histogrammer> make_device_histogrammer(int channels, const CountSpec& spec,
                                                       const DeviceCounting& counting) {
  if (channels < 1 || channels > 4) throw Error(ErrorKind::kUsage, "an image has one to four channels");
  if (spec.predicate.mask) return make_masked_device_histogrammer(channels, spec, counting);
  return std::make_unique<DeviceHistogrammer>(channels, spec, counting);
}

}  // namespace gpuhisto
