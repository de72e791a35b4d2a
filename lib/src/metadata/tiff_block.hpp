// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gpuhisto {

/// Tags of EXIF's directories, and of TIFF's.
enum TiffTag : unsigned {
  kTagImageWidth = 0x0100,
  kTagImageLength = 0x0101,
  kTagOrientation = 0x0112,
  kTagXResolution = 0x011A,
  kTagYResolution = 0x011B,
  kTagResolutionUnit = 0x0128,
  kTagThumbnailAt = 0x0201,
  kTagThumbnailBytes = 0x0202,
  kTagExif = 0x8769,  ///< offset of the directory of that name; so are the next two
  kTagGps = 0x8825,
  kTagInterop = 0xA005,
  kTagPixelXDimension = 0xA002,
  kTagPixelYDimension = 0xA003,
};

enum TiffType : unsigned { kTypeShort = 3, kTypeLong = 4, kTypeRational = 5 };

struct TiffEntry {
  unsigned tag = 0, type = 0;
  std::uint32_t count = 0;
  std::size_t value_at = 0;  ///< offset of the value, in the entry itself where four bytes are enough
  std::uint64_t bytes = 0;   ///< of the value; 0: of no known type
};

struct TiffDirectory {
  std::vector<TiffEntry> entries;
  std::size_t next_at = 0;  ///< offset of the link to the next directory
  bool whole = false;       ///< all entries and the link lie within the block
};

/// Reads a TIFF block, which is what EXIF is, in its byte order. What lies outside of the block reads as 0.
class TiffBlock {
 public:
  explicit TiffBlock(std::span<const std::uint8_t> bytes);

  bool has_header() const;  ///< of ordinary TIFF, not BigTIFF
  bool big_endian() const { return big_; }
  std::size_t size() const { return bytes_.size(); }
  unsigned u16(std::size_t at) const;
  std::uint32_t u32(std::size_t at) const;

  TiffDirectory first_directory() const { return directory(u32(4)); }
  TiffDirectory directory(std::size_t at) const;
  /// The directory that an entry of the tag points to; an empty one where there is none.
  TiffDirectory directory_of(const TiffDirectory& directory, unsigned tag) const;

  bool holds(const TiffEntry& entry) const {
    return entry.bytes > 0 && entry.value_at <= size() && entry.bytes <= size() - entry.value_at;
  }
  /// Null where there is none.
  static const TiffEntry* find(const TiffDirectory& directory, unsigned tag);
  /// Of an entry that is one whole number of type short or long; else 0.
  std::uint32_t number(const TiffEntry* entry) const;

 private:
  std::span<const std::uint8_t> bytes_;
  bool big_;
};

}  // namespace gpuhisto
