// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpuhisto {

/// PNG's filter types are 0..4 (PNG specification, section 9).
constexpr std::uint8_t kPngFilters = 5;

/// So many bytes behind each row, and behind the one above it, are read too, whatever they are.
constexpr std::size_t kPngSlack = 3;

/// Undoes a filter in place: `row` has `bytes` bytes, `above` is the row before as it came out (zeros above the first).
/// 1..4 bytes a pixel, whole pixels. `filter` < kPngFilters.
void png_unfilter(std::uint8_t filter, std::uint8_t* row, const std::uint8_t* above, std::size_t bytes,
                  std::size_t pixel_bytes);

constexpr std::uint8_t kPngPaeth = 4;
/// png_unfilter(kPngPaeth) of `row` and then of `second`, the row below it, in little over half the time.
void png_unfilter_paeth_pair(std::uint8_t* row, std::uint8_t* second, const std::uint8_t* above, std::size_t bytes,
                             std::size_t pixel_bytes);

}  // namespace gpuhisto
