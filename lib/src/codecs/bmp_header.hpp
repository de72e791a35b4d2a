// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpuhisto/metadata.hpp"

namespace gpuhisto {

enum class BmpCompression { kNone, kRle8, kRle4, kMasks };

/// The headers of all the kinds: OS/2 1 (12 bytes), OS/2 2 (16, 64), Windows 3 (40) and its V2 to V5 (52, 56, 108,
/// 124).
struct BmpHeader {
  std::uint64_t width = 0, height = 0;
  bool top_down = false;
  unsigned bits = 0;  ///< a pixel
  BmpCompression compression = BmpCompression::kNone;
  std::array<std::uint32_t, 4> masks{};  ///< red, green, blue, alpha of 16 and 32 bits
  int sample_bits = 0;                   ///< of the widest mask; masks themselves keep the highest 8
  std::vector<std::uint8_t> palette;     ///< 4 bytes a color: blue, green, red, 0
  std::uint64_t pixels_at = 0;           ///< offset of the first row
  std::vector<std::string> complaints;   ///< broken rules that do no harm
  bool has_profile = false;
  std::optional<Resolution> resolution;
};

/// Throws Error(kInput | kUnsupported).
BmpHeader read_bmp_header(std::span<const std::uint8_t> file);

/// Rows of indices, one byte each and padded to four, in the order of the file.
struct BmpIndices {
  std::vector<std::uint8_t> bytes;  ///< of run lengths, those behind the last pixel may be missing: 0
  std::uint64_t rows = 0;           ///< whole rows
  std::string damage;               ///< why rows < height
  std::uint64_t unset = 0;          ///< pixels that the runs jump over; they hold 0
  bool overlong_runs = false;       ///< runs that went past the end of their row
};
/// Undoes the run lengths of kRle8 and kRle4.
BmpIndices expand_bmp_runs(std::span<const std::uint8_t> file, const BmpHeader& header);

}  // namespace gpuhisto
