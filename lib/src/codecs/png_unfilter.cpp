// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/png_unfilter.hpp"

#include <bit>
#include <cstring>

namespace gpuhisto {
namespace {

// A pixel's bytes side by side. All but Up depend on the pixel to the left, so a pixel is as wide as vectors get; the
// lanes are 16 bits, since Paeth's and Average's sums need 9.
using Lanes = std::int16_t __attribute__((vector_size(16)));
using Bytes = std::uint8_t __attribute__((vector_size(8)));

template <std::size_t PixelBytes>
Lanes load(const std::uint8_t* from) {
  std::uint64_t word = 0;  // put together in a register: a few bytes by way of memory would stall the load that follows
  for (std::size_t i = 0; i < PixelBytes; ++i) word |= std::uint64_t{from[i]} << 8 * i;
  return __builtin_convertvector(std::bit_cast<Bytes>(word), Lanes);
}

template <std::size_t PixelBytes>
void store(std::uint8_t* to, Lanes pixel) {
  const auto word = std::bit_cast<std::uint64_t>(__builtin_convertvector(pixel, Bytes));
  for (std::size_t i = 0; i < PixelBytes; ++i) to[i] = static_cast<std::uint8_t>(word >> 8 * i);
}

Lanes absolute(Lanes x) { return x < 0 ? -x : x; }

/// Whichever of left, above and the corner is nearest to left + above - corner; the first of those on ties.
Lanes paeth(Lanes left, Lanes above, Lanes corner) {
  const Lanes to_left = above - corner, to_above = left - corner;
  const Lanes from_left = absolute(to_left), from_above = absolute(to_above),
              from_corner = absolute(to_left + to_above);
  const Lanes nearer = from_above <= from_corner ? above : corner;
  return (from_left <= from_above) & (from_left <= from_corner) ? left : nearer;
}

enum class Filter : std::uint8_t { kNone, kSub, kUp, kAverage, kPaeth };

template <std::size_t PixelBytes, Filter filter>
void unfilter_pixels(std::uint8_t* row, const std::uint8_t* above, std::size_t bytes) {
  Lanes left{}, corner{};
  for (std::size_t i = 0; i < bytes; i += PixelBytes) {
    const Lanes up = load<PixelBytes>(above + i);
    Lanes predicted = left;
    if constexpr (filter == Filter::kAverage) predicted = (left + up) >> 1;
    if constexpr (filter == Filter::kPaeth) predicted = paeth(left, up, corner);
    left = (load<PixelBytes>(row + i) + predicted) & 255;
    corner = up;
    store<PixelBytes>(row + i, left);
  }
}

template <std::size_t PixelBytes>
void unfilter(Filter filter, std::uint8_t* row, const std::uint8_t* above, std::size_t bytes) {
  switch (filter) {
    case Filter::kNone:
      return;
    case Filter::kSub:
      return unfilter_pixels<PixelBytes, Filter::kSub>(row, above, bytes);
    case Filter::kUp:
      for (std::size_t i = 0; i < bytes; ++i) row[i] = static_cast<std::uint8_t>(row[i] + above[i]);
      return;
    case Filter::kAverage:
      return unfilter_pixels<PixelBytes, Filter::kAverage>(row, above, bytes);
    case Filter::kPaeth:
      return unfilter_pixels<PixelBytes, Filter::kPaeth>(row, above, bytes);
  }
}

}  // namespace

void png_unfilter(std::uint8_t filter, std::uint8_t* row, const std::uint8_t* above, std::size_t bytes,
                  std::size_t pixel_bytes) {
  switch (pixel_bytes) {
    case 1:
      return unfilter<1>(static_cast<Filter>(filter), row, above, bytes);
    case 2:
      return unfilter<2>(static_cast<Filter>(filter), row, above, bytes);
    case 3:
      return unfilter<3>(static_cast<Filter>(filter), row, above, bytes);
    default:
      return unfilter<4>(static_cast<Filter>(filter), row, above, bytes);
  }
}

}  // namespace gpuhisto
