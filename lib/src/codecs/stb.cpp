// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <cstring>

#include "codecs/codec.hpp"
#include "codecs/row_decoder.hpp"
#include "codecs/stb_image.hpp"
#include "codecs/stb_input.hpp"

namespace gpuhisto {
namespace {

/// Gives the rows of an image that stb_image decoded at once.
class StbDecoder : public RowDecoder {
 public:
  StbDecoder(StbInput input, const DecodeOptions& options)
      : RowDecoder(options),
        alpha_(std::move(input.alpha)),
        rows_(input.rows),
        damage_(std::move(input.damage)),
        mirrored_(input.mirrored) {
    info_ = input.info;
    metadata_ = std::move(input.metadata);
    if (!damage_.empty() && !options.tolerate_damage) throw Error(ErrorKind::kInput, damage_);
    for (auto& [flag, text] : input.notes) note(flag, std::move(text));
    if (rows_ > 0) pixels_ = load_with_stb(input.file, info_.width, rows_, stb_channels());
    info_.memory = info_.width * rows_ * static_cast<std::uint64_t>(info_.channels) + metadata_.bytes();
  }

 protected:
  std::size_t next_rows(std::uint8_t* rows, std::size_t, std::size_t) override {
    if (row() >= rows_) throw Error(ErrorKind::kInput, damage_);
    const auto width = static_cast<std::size_t>(info_.width);
    const auto from_channels = static_cast<std::size_t>(stb_channels());
    const auto to_channels = static_cast<std::size_t>(info_.channels);
    const std::uint8_t* from = pixels_.get() + row() * width * from_channels;
    if (!mirrored_ && alpha_.empty()) {
      std::memcpy(rows, from, width * from_channels);
      return 1;
    }
    for (std::size_t x = 0; x < width; ++x) {
      std::uint8_t* to = rows + (mirrored_ ? width - 1 - x : x) * to_channels;
      std::memcpy(to, from + x * from_channels, from_channels);
      if (!alpha_.empty()) to[from_channels] = alpha_[static_cast<std::size_t>(row()) * width + x];
    }
    return 1;
  }

 private:
  int stb_channels() const { return alpha_.empty() ? info_.channels : info_.channels - 1; }

  std::vector<std::uint8_t> alpha_;
  std::uint64_t rows_;
  std::string damage_;
  bool mirrored_;
  StbPixels pixels_;
};

std::unique_ptr<Decoder> open_checked(ByteSource& source, const DecodeOptions& options, decltype(check_bmp)* check) {
  return std::make_unique<StbDecoder>(check(source.read_all(options.max_memory), options), options);
}

}  // namespace

void check_stb_size(std::span<const std::uint8_t> file, const ImageInfo& info, std::uint64_t plain_bytes,
                    const DecodeOptions& options) {
  check_pixels(info.width, info.height, options);
  // GIF needs most: 4 channels, a background of 4, a byte of history and up to 4 converted channels for each pixel.
  const std::uint64_t pixel_bytes = info.format == Format::kGif ? 13 : 4;
  check_memory(file.size() + plain_bytes + info.width * info.height * pixel_bytes, options);
}

std::unique_ptr<Decoder> open_bmp(ByteSource& source, const DecodeOptions& options) {
  return open_checked(source, options, check_bmp);
}
std::unique_ptr<Decoder> open_gif(ByteSource& source, const DecodeOptions& options) {
  return open_checked(source, options, check_gif);
}
std::unique_ptr<Decoder> open_psd(ByteSource& source, const DecodeOptions& options) {
  return open_checked(source, options, check_psd);
}
std::unique_ptr<Decoder> open_tga(ByteSource& source, const DecodeOptions& options) {
  return open_checked(source, options, check_tga);
}

}  // namespace gpuhisto
