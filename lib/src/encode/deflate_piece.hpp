// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gpuhisto {

/// Where the only block of a complete deflate stream ends, in bits; nullopt when there are several blocks or the end
/// cannot be told. The bits behind it must be 0 up to the last byte's end, as libdeflate leaves them.
///
/// libdeflate always marks its last block as final, so its streams cannot be joined as they are. A stream of one block
/// can: its mark is the first bit, and its end follows from the code of the end-of-block symbol, whose last 1 is the
/// stream's.
std::optional<std::size_t> end_of_single_block(std::span<const std::uint8_t> stream);

/// Compresses bytes into blocks that can be joined to one deflate stream. Not thread-safe.
///
/// The bytes are taken in pieces, each by one of three ways: Huffman codes alone (photographs, where matches save
/// little and their search is most of the work), libdeflate (where a sample says that matches pay), and zlib (runs and
/// flat areas, where a window over several pieces pays; and whatever libdeflate cannot give as a single block).
class PieceCompressor {
 public:
  /// libdeflate's level 1 ends a block after 8192 matches at the earliest, each of 4 bytes or more: one piece, one
  /// block.
  static constexpr std::size_t kPieceBytes = 32 * 1024;

  /// `most_at_once`: bytes that zlib is given in one call. Throws Error(kLimit) without memory.
  explicit PieceCompressor(std::size_t most_at_once = std::size_t{1} << 30);
  ~PieceCompressor();
  PieceCompressor(const PieceCompressor&) = delete;
  PieceCompressor& operator=(const PieceCompressor&) = delete;

  /// Appends the bytes as blocks of which none is final; begins and ends at a byte boundary.
  void append(std::span<const std::uint8_t> bytes, std::vector<std::uint8_t>& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A whole zlib stream for few bytes, smaller than pieces would be. Throws Error(kLimit) without memory.
std::vector<std::uint8_t> compress_small(std::span<const std::uint8_t> bytes);

}  // namespace gpuhisto
