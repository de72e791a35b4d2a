// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/memory_limit.hpp"
#include "gpuhisto/decoder.hpp"

namespace gpuhisto {

/// What a JPEG segment holds, and of that what is left behind the words that name its content.
inline constexpr std::size_t kMostJpegSegment = 65533;
inline constexpr std::size_t kMostJpegExif = kMostJpegSegment - 6;
inline constexpr std::size_t kMostJpegXmp = kMostJpegSegment - 29;
/// Segments are numbered by a byte.
inline constexpr std::size_t kMostJpegProfile = 255 * (kMostJpegSegment - 14);

/// Bytes of metadata that a decoder may keep.
inline std::size_t metadata_limit(const DecodeOptions& options) {
  constexpr std::uint64_t kMost = 64 << 20;
  return options.keep_metadata ? static_cast<std::size_t>(std::min(kMost, options.max_memory / 16)) : 0;
}

/// What keeping a block costs beside its bytes: a file may have millions of small ones.
inline constexpr std::size_t kBlockCost = 128;

inline std::string beyond_limit(std::size_t limit) {
  return "beyond the " + limit_in_mebibytes(limit) + " that are kept";
}

/// Takes the first block of each kind, up to a limit of bytes in all.
class KeptBlocks {
 public:
  KeptBlocks(Metadata& to, std::size_t limit) : to_(to), limit_(limit) {}
  void take(const char* name, std::span<const std::uint8_t> block, std::vector<std::uint8_t>& place) {
    if (!place.empty()) return;
    if (block.size() > limit_ - to_.bytes()) return to_.lose(name, beyond_limit(limit_));
    place.assign(block.begin(), block.end());
  }

 private:
  Metadata& to_;
  std::size_t limit_;
};

}  // namespace gpuhisto
