// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

struct libdeflate_compressor;

namespace gpuhisto {

/// Where the only block of a complete deflate stream ends, in bits; nullopt when there are several blocks or the end
/// cannot be told. The bits behind it must be 0 up to the last byte's end, as libdeflate leaves them.
///
/// libdeflate always marks its last block as final, so its streams cannot be joined as they are. A stream of one block
/// can: its mark is the first bit, and its end follows from the code of the end-of-block symbol, whose last 1 is the
/// stream's.
std::optional<std::size_t> end_of_single_block(std::span<const std::uint8_t> stream);

/// Compresses bytes in pieces that can be joined to one deflate stream, each with its own window. Not thread-safe.
class PieceCompressor {
 public:
  /// libdeflate's level 1 ends a block after 8192 matches at the earliest, each of 4 bytes or more: one piece, one
  /// block.
  static constexpr std::size_t kPieceBytes = 32 * 1024;

  PieceCompressor();  ///< Throws Error(kLimit) without memory.
  /// Appends the bytes as blocks of which none is final; begins and ends at a byte boundary.
  void append(std::span<const std::uint8_t> bytes, std::vector<std::uint8_t>& out);

 private:
  bool matches_pay(std::span<const std::uint8_t> bytes);
  void append_matches(std::span<const std::uint8_t> piece, std::vector<std::uint8_t>& out);

  struct Free {
    void operator()(libdeflate_compressor* compressor) const;
  };
  std::unique_ptr<libdeflate_compressor, Free> compressor_;
  std::vector<std::uint8_t> scratch_;
};

/// A whole zlib stream for few bytes, smaller than pieces would be. Throws Error(kLimit) without memory.
std::vector<std::uint8_t> compress_small(std::span<const std::uint8_t> bytes);

}  // namespace gpuhisto
