// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <zlib.h>

#include <cstdint>
#include <span>

#include "gpuhisto/time_limit.hpp"
#include "tiff_layout.hpp"

namespace gpuhisto {

/// Deflated strips and tiles, read to the end of their streams. libtiff stops at the last pixel, in front of the
/// checksum where damage made the stream longer.
class TiffInflater {
 public:
  /// False where libtiff is to read the page: it is not deflated, or in a way that is rare.
  static bool reads(const TiffFile& file, const TiffLayout& layout);

  TiffInflater(const TiffFile& file, const TiffLayout& layout);
  ~TiffInflater();
  TiffInflater(const TiffInflater&) = delete;
  TiffInflater& operator=(const TiffInflater&) = delete;

  // All throw Error(kInput) where the stream is damaged.
  /// Begins with a strip or tile.
  void open(std::uint32_t part);
  /// The next rows, as libtiff would give them.
  void read(std::span<std::uint8_t> to, std::size_t row_bytes);
  /// After the last row: the stream has to end, and its checksum to be right. It may hold some rows more.
  void close(const TimeLimit& limit);

 private:
  /// One of zlib's answers.
  int inflate_some();
  void undo_predictor(std::span<std::uint8_t> row) const;

  const TiffFile& file_;
  const unsigned bits_, step_;  ///< from a sample to the one it was subtracted from
  bool differences_, swapped_;
  std::span<const std::uint8_t> rest_;  ///< of the part, not yet given to zlib
  std::uint64_t surplus_left_;
  z_stream stream_{};
};

}  // namespace gpuhisto
