// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gpuhisto {

/// One image of a GIF file, its run of codes not yet decoded.
struct GifFrame {
  std::uint32_t left = 0, top = 0, width = 0, height = 0;
  bool interlaced = false;
  std::span<const std::uint8_t> palette;    ///< 3 bytes a color, its own or the file's; empty if there is none
  std::optional<std::uint8_t> transparent;  ///< index
  std::uint64_t data_at = 0;                ///< of the code size in front of the blocks
};

struct GifFile {
  std::uint32_t width = 0, height = 0;
  std::optional<GifFrame> first;
  std::uint64_t frames = 0;
  std::string complaint;  ///< what is wrong behind the first frame, which does not concern it
  bool has_profile = false, has_xmp = false;
};

/// Walks over all blocks. Throws Error(kInput) where the first frame cannot be found.
GifFile read_gif_blocks(std::span<const std::uint8_t> file);

struct GifIndices {
  std::vector<std::uint8_t> bytes;  ///< in the order of the file, at most width * height
  bool surplus = false;             ///< codes for more pixels than the frame has
  std::string damage;               ///< why there are fewer
};
/// Undoes the LZW compression as GIF89a describes it: first clear code optional, a full table stays as it is until the
/// next clear code.
GifIndices decode_gif_codes(std::span<const std::uint8_t> file, std::uint64_t data_at, std::uint64_t pixels);

}  // namespace gpuhisto
