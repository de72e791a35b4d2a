// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gpuhisto/decoder.hpp"

namespace gpuhisto {

/// What a checker makes of a file for stb_image, which answers truncated or odd files with success and invented
/// pixels, or refuses variants that are in use. The checker looks at every byte the pixels depend on and writes a
/// plain file of the same format that stb_image reads right.
struct StbInput {
  std::vector<std::uint8_t> file;   ///< for stb_image; it holds `rows` rows
  ImageInfo info;                   ///< as of the original
  std::uint64_t rows = 0;           ///< whole rows there; info.height unless `damage` says why not
  std::string damage;               ///< empty for a sound file
  std::vector<std::uint8_t> alpha;  ///< width * rows values that stb_image would spoil; else empty
  bool mirrored = false;            ///< the rows run from right to left
  std::vector<std::pair<Flag, std::string>> notes;
  Metadata metadata;
};

/// Each throws Error(kInput | kUnsupported | kLimit) for what is no image that could be given even in part.
StbInput check_bmp(std::span<const std::uint8_t> file, const DecodeOptions& options);
StbInput check_gif(std::span<const std::uint8_t> file, const DecodeOptions& options);
StbInput check_psd(std::span<const std::uint8_t> file, const DecodeOptions& options);
StbInput check_tga(std::span<const std::uint8_t> file, const DecodeOptions& options);

/// check_pixels(), and check_memory() for the original file, the plain one and the pixels, all held at once.
void check_stb_size(std::span<const std::uint8_t> file, const ImageInfo& info, std::uint64_t plain_bytes,
                    const DecodeOptions& options);

}  // namespace gpuhisto
