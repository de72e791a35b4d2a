// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/png_chunks.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <utility>

#include "codecs/byte_fields.hpp"
#include "metadata/exif.hpp"
#include "metadata/limits.hpp"

namespace gpuhisto {
namespace {

/// How much of a chunk's payload is looked at.
std::size_t wanted_bytes(std::uint32_t type) {
  switch (type) {
    case png_chunk_type("eXIf"):
      return 64 * 1024;  // the first directory of any real EXIF block lies there
    case png_chunk_type("acTL"):
      return 8;
    default:
      return 0;
  }
}

/// Those that tell what colors the values are.
bool goes_before_palette(std::uint32_t type) {
  return type == png_chunk_type("gAMA") || type == png_chunk_type("cHRM") || type == png_chunk_type("sRGB") ||
         type == png_chunk_type("iCCP") || type == png_chunk_type("cICP");
}

bool goes_before_pixels(std::uint32_t type) { return goes_before_palette(type) || type == png_chunk_type("pHYs"); }

}  // namespace

void PngChunks::feed(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    switch (phase_) {
      case Phase::kSignature:
        if (collect(bytes, 8)) phase_ = Phase::kHeader;
        break;
      case Phase::kHeader:
        if (collect(bytes, 8)) begin_chunk();
        break;
      case Phase::kPayload: {
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), left_));
        const std::size_t keep = std::min(n, wanted_ - payload_.size());
        payload_.insert(payload_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(keep));
        if (wanted_ > 0) sum_ = libdeflate_crc32(sum_, bytes.data(), n);
        bytes = bytes.subspan(n);
        left_ -= n;
        if (left_ == 0) phase_ = Phase::kChecksum;
        break;
      }
      case Phase::kChecksum:
        if (collect(bytes, 4)) end_chunk();
        break;
    }
  }
}

/// Moves bytes into small_ until there are `want`; then true, and small_ starts anew.
bool PngChunks::collect(std::span<const std::uint8_t>& bytes, std::size_t want) {
  const std::size_t n = std::min(bytes.size(), want - have_);
  std::copy_n(bytes.begin(), n, small_.begin() + static_cast<std::ptrdiff_t>(have_));
  bytes = bytes.subspan(n);
  have_ += n;
  if (have_ < want) return false;
  have_ = 0;
  return true;
}

void PngChunks::begin_chunk() {
  left_ = length_ = u32be(small_, 0);
  type_ = u32be(small_, 4);
  sum_ = libdeflate_crc32(0, small_.data() + 4, 4);
  phase_ = left_ > 0 ? Phase::kPayload : Phase::kChecksum;
  payload_.clear();
  wanted_ = wanted_bytes(type_);
  if (kept_.wants(type_)) wanted_ = std::max(wanted_, kept_.room());
}

/// The checksum is in small_.
bool PngChunks::is_damaged() const { return wanted_ > 0 && sum_ != u32be(small_, 0); }

void PngChunks::end_chunk() {
  phase_ = Phase::kHeader;
  if (!is_damaged()) look_at_chunk();
  if (kept_.wants(type_)) keep_chunk();
}

/// Readers ignore such a chunk; in an output, before the pixels, it would come into force.
bool PngChunks::is_out_of_place() const {
  return (pixels_begun_ && goes_before_pixels(type_)) || (palette_begun_ && goes_before_palette(type_));
}

void PngChunks::keep_chunk() {
  if (is_out_of_place()) return kept_.lose_damaged(type_, payload_);
  if (length_ + kBlockCost > kept_.room()) return kept_.lose_beyond(type_, payload_);
  if (is_damaged()) return kept_.lose_damaged(type_, payload_);
  kept_.add(type_, std::exchange(payload_, {}));
}

void PngChunks::look_at_chunk() {
  const std::span<const std::uint8_t> data(payload_);
  switch (type_) {
    case png_chunk_type("PLTE"):
      palette_begun_ = true;
      break;
    case png_chunk_type("IDAT"):
      pixels_begun_ = true;
      break;
    case png_chunk_type("fcTL"):
      first_frame_shown |= !pixels_begun_;
      break;
    case png_chunk_type("acTL"):
      if (data.size() == 8 && !pixels_begun_) frames = u32be(data, 0);
      break;
    case png_chunk_type("eXIf"):
      if (!exif) orientation = exif_orientation(data.subspan(exif_head_bytes(data)));
      exif = true;
      break;
    default:
      break;
  }
}

}  // namespace gpuhisto
