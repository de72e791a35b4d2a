// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/png_unfilter.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

namespace gpuhisto {
namespace {

// A pixel's bytes side by side. All but Up depend on the pixel to the left, so a pixel is as wide as vectors get; the
// lanes are 16 bits, since Paeth's and Average's sums need 9.
using Lanes = std::int16_t __attribute__((vector_size(16)));
using Bytes = std::uint8_t __attribute__((vector_size(8)));

/// Always four bytes, whatever stands in the last ones: one load.
Lanes load(const std::uint8_t* from) {
  std::array<std::uint8_t, 8> bytes{};
  std::memcpy(bytes.data(), from, kPngSlack + 1);
  return __builtin_convertvector(std::bit_cast<Bytes>(bytes), Lanes);
}

template <std::size_t PixelBytes>
void store(std::uint8_t* to, Lanes pixel) {
  const auto bytes = std::bit_cast<std::array<std::uint8_t, 8>>(__builtin_convertvector(pixel, Bytes));
  std::memcpy(to, bytes.data(), PixelBytes);
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
    const Lanes up = load(above + i);
    Lanes predicted = left;
    if constexpr (filter == Filter::kAverage) predicted = (left + up) >> 1;
    if constexpr (filter == Filter::kPaeth) predicted = paeth(left, up, corner);
    left = (load(row + i) + predicted) & 255;
    corner = up;
    store<PixelBytes>(row + i, left);
  }
}

/// Of the four low lanes of each.
Lanes side_by_side(Lanes low, Lanes high) { return __builtin_shufflevector(low, high, 0, 1, 2, 3, 8, 9, 10, 11); }
Lanes high_half(Lanes pair) { return __builtin_shufflevector(pair, pair, 4, 5, 6, 7, 4, 5, 6, 7); }

/// Both rows side by side in one vector, the second a pixel behind, since it needs the first's.
template <std::size_t PixelBytes>
void unfilter_paeth_pair(std::uint8_t* row, std::uint8_t* second, const std::uint8_t* above, std::size_t bytes) {
  Lanes corner{}, left{};
  const auto step = [&](Lanes filtered, Lanes up_low) {
    const Lanes up = side_by_side(up_low, left);
    left = (filtered + paeth(left, up, corner)) & 255;
    corner = up;
  };
  step(side_by_side(load(row), Lanes{}), load(above));
  left = side_by_side(left, Lanes{});  // the second has not begun
  corner = side_by_side(corner, Lanes{});
  store<PixelBytes>(row, left);
  for (std::size_t i = PixelBytes; i < bytes; i += PixelBytes) {
    std::uint8_t* const behind = second + i - PixelBytes;
    step(side_by_side(load(row + i), load(behind)), load(above + i));
    store<PixelBytes>(row + i, left);
    store<PixelBytes>(behind, high_half(left));
  }
  step(side_by_side(Lanes{}, load(second + bytes - PixelBytes)), Lanes{});
  store<PixelBytes>(second + bytes - PixelBytes, high_half(left));
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

template <typename Action>
void with_pixel_bytes(std::size_t pixel_bytes, const Action& action) {
  switch (pixel_bytes) {
    case 1:
      return action(std::integral_constant<std::size_t, 1>());
    case 2:
      return action(std::integral_constant<std::size_t, 2>());
    case 3:
      return action(std::integral_constant<std::size_t, 3>());
    default:
      return action(std::integral_constant<std::size_t, 4>());
  }
}

}  // namespace

void png_unfilter(std::uint8_t filter, std::uint8_t* row, const std::uint8_t* above, std::size_t bytes,
                  std::size_t pixel_bytes) {
  with_pixel_bytes(pixel_bytes, [&](auto n) { unfilter<n>(static_cast<Filter>(filter), row, above, bytes); });
}

void png_unfilter_paeth_pair(std::uint8_t* row, std::uint8_t* second, const std::uint8_t* above, std::size_t bytes,
                             std::size_t pixel_bytes) {
  with_pixel_bytes(pixel_bytes, [&](auto n) { unfilter_paeth_pair<n>(row, second, above, bytes); });
}

}  // namespace gpuhisto
