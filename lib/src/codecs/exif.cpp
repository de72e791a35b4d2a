// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <cstring>

#include "codecs/codec.hpp"

namespace gpuhisto {
namespace {

/// Reads numbers of a TIFF block in its byte order; anything outside of the block reads as 0.
class TiffBlock {
 public:
  explicit TiffBlock(std::span<const std::uint8_t> bytes) : bytes_(bytes), big_(!bytes.empty() && bytes[0] == 'M') {}

  unsigned u16(std::size_t at) const {
    if (bytes_.size() < 2 || at > bytes_.size() - 2) return 0;
    const unsigned first = bytes_[at], second = bytes_[at + 1];
    return big_ ? first << 8 | second : second << 8 | first;
  }
  std::size_t u32(std::size_t at) const {
    const std::size_t first = u16(at), second = u16(at + 2);
    return big_ ? first << 16 | second : second << 16 | first;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  bool big_;
};

}  // namespace

int exif_orientation(std::span<const std::uint8_t> tiff) {
  constexpr unsigned kOrientationTag = 0x0112, kShort = 3;
  constexpr std::size_t kEntryBytes = 12;
  if (tiff.size() < 8 || (std::memcmp(tiff.data(), "II*\0", 4) != 0 && std::memcmp(tiff.data(), "MM\0*", 4) != 0))
    return 1;
  const TiffBlock block(tiff);
  const std::size_t directory = block.u32(4);
  const unsigned entries = block.u16(directory);
  for (unsigned i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + i * kEntryBytes;
    if (entry + kEntryBytes > tiff.size()) break;
    if (block.u16(entry) != kOrientationTag) continue;
    const unsigned value = block.u16(entry + 8);
    const bool valid = block.u16(entry + 2) == kShort && block.u32(entry + 4) == 1 && value >= 1 && value <= 8;
    return valid ? static_cast<int>(value) : 1;
  }
  return 1;
}

}  // namespace gpuhisto
