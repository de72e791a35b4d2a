// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpuhisto/metadata.hpp"

namespace gpuhisto {

/// Sorts a PNG's chunks into Metadata, up to a limit of bytes in all.
class PngMetadata {
 public:
  explicit PngMetadata(std::size_t limit) : limit_(limit) {}

  /// Whether chunks of this type are metadata, and wanted: of most kinds the first one only.
  bool wants(std::uint32_t type) const;
  /// Bytes that may still be kept.
  std::size_t room() const { return limit_ - bytes_; }

  void add(std::uint32_t type, std::vector<std::uint8_t> payload);
  /// Of a chunk that is not kept: the start of its payload.
  void lose_damaged(std::uint32_t type, std::span<const std::uint8_t> payload);
  void lose_beyond(std::uint32_t type, std::span<const std::uint8_t> payload);

  std::size_t bytes() const { return bytes_; }
  /// All of it; none is left here.
  Metadata take();

 private:
  void note_had(std::uint32_t type);
  void add_profile(std::span<const std::uint8_t> payload);
  void add_xmp(std::span<const std::uint8_t> payload);
  void add_resolution(std::span<const std::uint8_t> payload);
  void inflate(std::span<const std::uint8_t> stream, std::vector<std::uint8_t>& to, const char* name);

  std::size_t limit_, bytes_ = 0;
  std::vector<std::uint32_t> had_;  // kinds other than texts
  bool has_xmp_ = false;            // be it kept or not
  Metadata metadata_;
};

/// An iTXt chunk whose text is XMP.
bool is_png_xmp(std::uint32_t type, std::span<const std::uint8_t> payload);

/// A text by which some programs pass on EXIF, XMP, or the orientation alone.
bool is_png_text_of_orientation(std::uint32_t type, std::span<const std::uint8_t> payload);

}  // namespace gpuhisto
