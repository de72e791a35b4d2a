// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/gif_blocks.hpp"

#include <algorithm>
#include <string_view>

#include "codecs/byte_fields.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

using Bytes = std::span<const std::uint8_t>;

class Walker {
 public:
  explicit Walker(Bytes file) : file_(file) {}

  GifFile walk() {
    gif_.width = u16le(file_, 6);
    gif_.height = u16le(file_, 8);
    at_ = 13;
    if (file_.size() < at_) throw Error(ErrorKind::kInput, "the header is truncated");
    palette_ = take_palette(byte_at(file_, 10));
    while (complaint_.empty() && !ended_) block();
    if (!gif_.first) throw Error(ErrorKind::kInput, complaint_.empty() ? "the file has no image" : complaint_);
    gif_.complaint = complaint_;
    return gif_;
  }

 private:
  Bytes take_palette(std::uint32_t flags) {
    if ((flags & 0x80) == 0) return {};
    const std::size_t size = std::size_t{3} << ((flags & 7) + 1);
    if (at_ + size > file_.size()) {
      complaint_ = "a color table is truncated";
      return {};
    }
    const Bytes palette = file_.subspan(static_cast<std::size_t>(at_), size);
    at_ += size;
    return palette;
  }

  void block() {
    if (at_ >= file_.size()) {
      complaint_ = "the file ends without a trailer";
      return;
    }
    switch (byte_at(file_, at_++)) {
      case 0x2C:
        return image();
      case 0x21:
        return extension();
      case 0x3B:
        ended_ = true;
        if (at_ < file_.size()) complaint_ = "there is data after the end";
        return;
      case 0:
        return;  // an empty sub-block too many: common and without consequence
      default:
        complaint_ = "an unknown block";
    }
  }

  void image() {
    if (at_ + 10 > file_.size()) {
      complaint_ = "an image descriptor is truncated";
      return;
    }
    GifFrame frame;
    frame.left = u16le(file_, at_);
    frame.top = u16le(file_, at_ + 2);
    frame.width = u16le(file_, at_ + 4);
    frame.height = u16le(file_, at_ + 6);
    const std::uint32_t flags = byte_at(file_, at_ + 8);
    frame.interlaced = (flags & 0x40) != 0;
    at_ += 9;
    frame.palette = take_palette(flags);
    if (frame.palette.empty()) frame.palette = palette_;
    frame.transparent = transparent_;
    transparent_.reset();
    frame.data_at = at_++;
    ++gif_.frames;
    if (!gif_.first) gif_.first = frame;
    if (complaint_.empty()) skip_blocks();
  }

  void extension() {
    const std::uint32_t label = byte_at(file_, at_++);
    if (label == 0xF9 && byte_at(file_, at_) >= 4) {
      transparent_.reset();
      if ((byte_at(file_, at_ + 1) & 1) != 0) transparent_ = static_cast<std::uint8_t>(byte_at(file_, at_ + 4));
    }
    if (label == 0xFF) {
      gif_.has_profile |= named("ICCRGBG1");
      gif_.has_xmp |= named("XMP Data");
    }
    skip_blocks();
  }

  bool named(std::string_view name) const {
    return byte_at(file_, at_) >= name.size() && at_ + 1 + name.size() <= file_.size() &&
           std::equal(name.begin(), name.end(), file_.begin() + static_cast<std::ptrdiff_t>(at_ + 1));
  }

  void skip_blocks() {
    for (;;) {
      if (at_ >= file_.size()) {
        complaint_ = "the file ends within a block";
        return;
      }
      const std::uint32_t size = byte_at(file_, at_++);
      if (size == 0) return;
      at_ += size;
    }
  }

  Bytes file_;
  std::uint64_t at_ = 0;
  Bytes palette_;
  std::optional<std::uint8_t> transparent_;
  std::string complaint_;
  bool ended_ = false;
  GifFile gif_;
};

}  // namespace

GifFile read_gif_blocks(Bytes file) {
  constexpr std::string_view kVersions[] = {"GIF87a", "GIF89a"};
  const bool known = std::any_of(std::begin(kVersions), std::end(kVersions), [&](std::string_view v) {
    return file.size() >= v.size() && std::equal(v.begin(), v.end(), file.begin());
  });
  if (!known) throw Error(ErrorKind::kInput, "bad GIF signature");
  return Walker(file).walk();
}

}  // namespace gpuhisto
