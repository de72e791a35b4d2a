// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpuhisto/image.hpp"

namespace gpuhisto {

/// PNG's filter types; the values are those of the file.
enum class PngFilter : std::uint8_t { kNone, kSub, kUp, kAverage, kPaeth };

/// A row, the row above it, and what is to be written: all of `bytes` bytes. `pixel` is the bytes of one pixel.
struct FilterRow {
  const std::uint8_t* row;
  const std::uint8_t* above;  ///< zeros for the first row
  std::size_t bytes;
  std::size_t pixel;
};

/// Writes bytes filtered values (without the byte that names the filter).
void apply_filter(PngFilter filter, const FilterRow& from, std::uint8_t* to);

/// The filter whose output has the least entropy over some samples of these rows. `zeros` is a row of zeros.
PngFilter choose_filter(const ImageView& image, std::size_t first, std::size_t count, const std::uint8_t* zeros);

}  // namespace gpuhisto
