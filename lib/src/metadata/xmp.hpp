// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metadata/exif.hpp"

namespace gpuhisto {

/// Whether it is UTF-8 text, as the formats that carry XMP ask.
bool is_sound_xmp(std::span<const std::uint8_t> packet);

/// Fits what a packet says of orientation, resolutions and sizes to changed pixels, and of a video behind them to its
/// being left out.
void fit_xmp(std::vector<std::uint8_t>& packet, const PixelChange& change);

}  // namespace gpuhisto
