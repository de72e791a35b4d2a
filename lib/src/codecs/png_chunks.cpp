// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/png_chunks.hpp"

#include <algorithm>
#include <string_view>

#include "codecs/byte_fields.hpp"
#include "codecs/codec.hpp"

namespace gpuhisto {
namespace {

constexpr std::string_view kXmpKeyword{"XML:com.adobe.xmp\0", 18};
constexpr std::string_view kExifHead{"Exif\0\0", 6};  // some writers copy it from JPEG

bool begins(std::span<const std::uint8_t> bytes, std::string_view text) {
  return bytes.size() >= text.size() && std::equal(text.begin(), text.end(), bytes.begin(), [](char c, std::uint8_t b) {
           return static_cast<std::uint8_t>(c) == b;
         });
}

/// How much of a chunk's payload is looked at.
std::size_t wanted_bytes(std::uint32_t type) {
  switch (type) {
    case png_chunk_type("eXIf"):
      return 64 * 1024;  // the first directory of any real EXIF block lies there
    case png_chunk_type("iTXt"):
      return kXmpKeyword.size();
    case png_chunk_type("acTL"):
    case png_chunk_type("pHYs"):
      return 9;
    default:
      return 0;
  }
}

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
  left_ = u32be(small_, 0);
  type_ = u32be(small_, 4);
  phase_ = left_ > 0 ? Phase::kPayload : Phase::kChecksum;
  payload_.clear();
  wanted_ = wanted_bytes(type_);
}

void PngChunks::end_chunk() {
  phase_ = Phase::kHeader;
  const std::span<const std::uint8_t> data(payload_);
  switch (type_) {
    case png_chunk_type("IDAT"):
      pixels_begun_ = true;
      break;
    case png_chunk_type("iCCP"):
      icc = true;
      break;
    case png_chunk_type("iTXt"):
      xmp |= begins(data, kXmpKeyword);
      break;
    case png_chunk_type("pHYs"):
      resolution |= data.size() == 9 && data[8] == 1;
      break;  // 1: per metre; 0: an aspect only
    case png_chunk_type("fcTL"):
      first_frame_shown |= !pixels_begun_;
      break;
    case png_chunk_type("acTL"):
      if (data.size() == 8 && !pixels_begun_) frames = u32be(data, 0);
      break;
    case png_chunk_type("eXIf"):
      if (!exif) orientation = exif_orientation(begins(data, kExifHead) ? data.subspan(kExifHead.size()) : data);
      exif = true;
      break;
    default:
      break;
  }
}

std::vector<std::string> PngChunks::metadata() const {
  std::vector<std::string> names;
  if (icc) names.emplace_back("ICC profile");
  if (exif) names.emplace_back("EXIF");
  if (xmp) names.emplace_back("XMP");
  if (resolution) names.emplace_back("resolution");
  return names;
}

}  // namespace gpuhisto
