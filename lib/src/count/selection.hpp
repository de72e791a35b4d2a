// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpuhisto/histogram.hpp"

namespace gpuhisto::count {

/// A half-open range of columns or rows.
struct Range {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

/// The part of [first, first + size) inside [begin, begin + length), relative to `first`; of size 0 when they do not
/// meet.
Range clip(std::uint64_t first, std::size_t size, std::uint64_t begin, std::uint64_t length);

/// Copies the pixels that count out of `n` pixels of `channels` interleaved bytes, one after another, and returns how
/// many those are. `mask`: a byte a pixel, zero leaves out; or null. With `skip_transparent` the last channel is alpha.
/// `out` has room for n + 1 pixels.
struct Sieve {
  int channels = 1;
  bool skip_transparent = false;
  std::size_t compact(const std::uint8_t* pixels, const std::uint8_t* mask, std::size_t n, std::uint8_t* out) const;
};

}  // namespace gpuhisto::count
