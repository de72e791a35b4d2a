// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuhisto {

/// Pixels per unit of length.
struct Resolution {
  /// kNone: x and y tell the shape of a pixel, no more.
  enum class Unit { kNone, kInch, kMetre };
  double x = 0, y = 0;
  Unit unit = Unit::kInch;
};

/// A piece of metadata that only files of its own format have.
struct MetadataBlock {
  std::uint32_t type = 0;  ///< JPEG: the marker; PNG: the chunk's type
  std::string name;        ///< as told where it is lost; empty: nobody misses it in another format
  std::vector<std::uint8_t> bytes;
};

/// What a file carries beside its pixels. Blocks are as the file has them, without what its format wraps around them.
struct Metadata {
  std::vector<std::uint8_t> icc;             ///< a color profile
  std::vector<std::uint8_t> exif;            ///< a TIFF block: "II*\0" or "MM\0*" comes first
  std::vector<std::uint8_t> xmp;             ///< a packet
  std::optional<Resolution> resolution;      ///< of the file itself; EXIF may have another
  std::vector<MetadataBlock> jpeg_segments;  ///< comments, IPTC, extended XMP
  std::vector<MetadataBlock> png_chunks;     ///< text, gamma, primaries
  std::vector<std::string> lost;             ///< what is not kept, and why: "ICC profile (damaged)"

  /// Adds to `lost`, each name once.
  void lose(const std::string& name, const std::string& reason = {});
  std::size_t bytes() const;  ///< of all blocks
};

}  // namespace gpuhisto
