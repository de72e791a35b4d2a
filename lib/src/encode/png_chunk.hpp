// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <vector>

#include "codecs/png_chunks.hpp"
#include "gpuhisto/metadata.hpp"

namespace gpuhisto {

/// A chunk is built in place: begin, append the data, end.
void begin_png_chunk(std::vector<std::uint8_t>& chunk, std::uint32_t type);
/// Throws Error(kUnsupported) for more data than a chunk holds.
void end_png_chunk(std::vector<std::uint8_t>& chunk);

/// Chunks one behind the other, as they may stand before the pixels.
std::vector<std::uint8_t> png_metadata_chunks(const Metadata& metadata);

}  // namespace gpuhisto
