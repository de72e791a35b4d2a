// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <memory>
#include <span>
#include <string>

#include "gpuhisto/decoder.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {

/// Each opener reads the header and returns a decoder with info() filled in; one file per decoder library.
std::unique_ptr<Decoder> open_jpeg(ByteSource& source, const DecodeOptions& options);
std::unique_ptr<Decoder> open_png(ByteSource& source, const DecodeOptions& options);
std::unique_ptr<Decoder> open_pnm(ByteSource& source, const DecodeOptions& options);  // P1-P6 and PAM (P7)
std::unique_ptr<Decoder> open_bmp(ByteSource& source, const DecodeOptions& options);
std::unique_ptr<Decoder> open_gif(ByteSource& source, const DecodeOptions& options);
std::unique_ptr<Decoder> open_psd(ByteSource& source, const DecodeOptions& options);
std::unique_ptr<Decoder> open_tga(ByteSource& source, const DecodeOptions& options);
std::unique_ptr<Decoder> open_module_tiff(ByteSource& source, const DecodeOptions& options);
std::unique_ptr<Decoder> open_module_webp(ByteSource& source, const DecodeOptions& options);

/// TGA has no signature: true when the first 18 bytes make a plausible header (asked last).
bool looks_like_tga(std::span<const std::uint8_t> head);

/// Throws Error(kTooLarge) when the size exceeds --max-pixels, Error(kInput) for an empty image.
void check_pixels(std::uint64_t width, std::uint64_t height, const DecodeOptions& options);
/// Throws Error(kLimit) when this decoder would hold more than --max-memory.
void check_memory(std::uint64_t bytes, const DecodeOptions& options);

}  // namespace gpuhisto
