// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Where arithmetic-coded pixels end too early. Unlike Huffman codes, they may: behind the last byte a decoder reads
// zeros, as many as it likes, because an encoder leaves out the zeros at the end. So what is cut off decodes to
// something. But an encoder can only have left them out where each decision was the first of its interval: where the
// blocks repeat, alone or in a short pattern. Invented pixels go on for ever as lively as those before. Of one scan of
// several that proves nothing: its blocks may repeat when the picture's do not, as those of a ramp do but for DC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>

// Last, because it needs FILE and size_t without including them.
#include <jpeglib.h>

namespace gpuhisto {

/// How many of the bytes come before the marker that ends a scan, be it a wrong one. A run of 0xFF at the end, with
/// which one may begin, is none of them.
std::size_t bytes_before_marker(std::span<const std::uint8_t> bytes);

/// Counts the zeros that a scan is given behind its end.
class ArithmeticEnd {
 public:
  void begin_scan(jpeg_decompress_struct& codec);
  int scan() const { return scan_; }
  /// Whether one more is to be given. Else the marker is, and the decoder has zeros of its own.
  bool gives_zero() const { return zeros_ <= most_; }
  void count_zero(const jpeg_decompress_struct& codec);

  /// Whether the last scan may have been cut off, if others are missing behind it.
  bool cut_off() const { return zeros_ > most_of_flat_; }
  /// Whether it may have been, though the rows repeat: as rows do that were invented of nothing but black, and
  /// patterns.
  bool doubtful() const { return zeros_ > most_ && !refines_dc_; }
  /// Whether what `invented` tells is sure.
  bool certain() const { return !of_several_; }
  /// Whether row `y`, as it was decoded, seems invented.
  bool invented(const jpeg_decompress_struct& codec, std::uint64_t y, std::span<const std::uint8_t> row) const;
  /// The row of blocks in which too many zeros were read.
  std::uint64_t row() const { return row_.value_or(0); }

 private:
  int scan_ = 0;
  std::uint64_t zeros_ = 0, suspicious_ = 0, most_of_flat_ = 0, most_ = 0;
  bool refines_dc_ = false, of_several_ = false;
  std::optional<std::uint64_t> row_;
};

}  // namespace gpuhisto
