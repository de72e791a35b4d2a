// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gpuhisto/byte_source.hpp"

namespace gpuhisto {

/// Single characters out of a byte source, at the price of an index into its buffer.
class TextReader {
 public:
  explicit TextReader(ByteSource& source) : source_(source) {}
  /// The next byte, or -1 at the end.
  int next() { return at_ < bytes_.size() || refill() ? bytes_[at_++] : -1; }
  /// The next byte, left in place.
  int ahead() { return at_ < bytes_.size() || refill() ? bytes_[at_] : -1; }
  /// Hands the source back, positioned behind the last byte taken.
  void release();

 private:
  bool refill();
  ByteSource& source_;
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

/// How the samples of a PNM or PAM file are stored.
enum class PnmRaster {
  kPlainBits,     ///< P1: digits 0 and 1, 1 is black
  kPlainNumbers,  ///< P2, P3: decimal numbers
  kBits,          ///< P4: eight pixels a byte, the highest bit first, 1 is black
  kBytes,         ///< maxval <= 255
  kWords,         ///< maxval >= 256: two bytes, the high one first
};

struct PnmHeader {
  PnmRaster raster = PnmRaster::kBytes;
  bool pam = false;
  std::uint64_t width = 0, height = 0;
  int channels = 1;
  std::uint32_t maxval = 1;
};

/// Reads the header of P1 to P7, as pnm(5) and pam(5) define them; afterwards `text` stands at the first sample.
/// Throws Error(kInput | kUnsupported).
PnmHeader read_pnm_header(TextReader& text);

/// The next decimal number behind white space and comments; with it goes the one white-space byte that ends it.
/// Nothing at the end of the stream. Throws Error(kInput) for anything else.
std::optional<std::uint64_t> next_number(TextReader& text);
/// Moves to the next byte that is neither white space nor in a comment.
void skip_blank(TextReader& text);

}  // namespace gpuhisto
