// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// A pixel between the centres of four tiles: its entries in their tables, weighted. What it shall be is what the CPU's
// floats give, rounded: exact() computes those. Integers take less than half of the instructions and give the same byte
// unless the value lies within `doubt` of a tie between two bytes; they tell when it does, one pixel of some thousands.
//
// Of columns the weight is a fraction of twice the tile's width, n / 2w: upper and lower, the entries above and below
// with it, are integers. Of rows it is a 32-bit fraction of `whole`, which is 2^32 / 2w: so the high word of what comes
// out is the value, and the low word, after half was added, how far it is above a tie.
//
// How far the floats can be from that, in units of 2^-32, where entries are at most 255:
// - the float weight of the column differs from n / 2w by what column() measures, known to what `whole` is rounded by,
//   n times, and to 2^-24 by the float's last bits: 255 times that;
// - six roundings to 24 bits of what is at most 255, at most four of them in a row, and two of 1 - weight to 2^-25:
//   255 * 5 * 2^8;
// - the row's weight is rounded to a unit: half of 2w * 255, and to 2^-24;
// - `whole` is rounded: 255 * |whole * 2w - 2^32|, at most 255 * w.
#pragma once

#include "device/rounding.hpp"

namespace gpuhisto::kernels {

/// Of the tile before and of the one after, together 1.
struct Weights {
  float first, second;
};

/// Entries from the lowest byte on: above left, above right, below left, below right.
__device__ __forceinline__ std::uint32_t exact(std::uint32_t entries, const Weights& column, const Weights& row) {
  const float upper = float_of<0>(entries) * column.first + float_of<1>(entries) * column.second;
  const float lower = float_of<2>(entries) * column.first + float_of<3>(entries) * column.second;
  return rounded(upper * row.first + lower * row.second);
}

struct ColumnBlend {
  std::uint32_t pair;   ///< 2w - n, and n in the upper half
  std::uint32_t doubt;  ///< the largest distance; ~0: any
};
struct RowBlend {
  std::uint32_t above, below;  ///< together `whole`
};

/// What all pixels of an image have in common.
struct Blend {
  static constexpr std::uint32_t kMostWidth = 32767;  ///< of a tile: n has 16 bits; in wider ones all is doubtful
  std::uint32_t double_width = 2;
  std::uint32_t whole = 0;
  std::uint32_t doubt = 0;  ///< without that of the column

  /// n2: the weight of the second, times double_width, as far as integers know it.
  __host__ __device__ __forceinline__ ColumnBlend column(std::int32_t n, float second) const {
    const std::int32_t most = static_cast<std::int32_t>(double_width);
    const auto n2 = static_cast<std::uint32_t>(n < 0 ? 0 : n > most ? most : n);
    const std::uint32_t apart = (fraction(second) << 8) - n2 * whole;
    const std::uint32_t distance = apart < 1u << 31 ? apart : 0u - apart;
    return {(double_width - n2) | n2 << 16, distance < (1u << 20) && doubt != ~0u ? doubt + 255 * distance : ~0u};
  }
  __host__ __device__ __forceinline__ RowBlend row(float second) const {
    const auto below = static_cast<std::uint32_t>((std::uint64_t{fraction(second)} * whole + (1u << 23)) >> 24);
    return {whole - below, below};
  }

 private:
  /// Of 2^24; weights are 0 to 1.
  __host__ __device__ __forceinline__ static std::uint32_t fraction(float weight) {
    return static_cast<std::uint32_t>(weight * 16777216.0f);
  }
};

inline Blend blend_of(std::uint32_t tile_width) {
  Blend blend;
  blend.double_width = 2 * tile_width;
  blend.doubt = ~0u;
  if (tile_width > Blend::kMostWidth) return blend;
  const std::uint64_t one = std::uint64_t{1} << 32;
  blend.whole = static_cast<std::uint32_t>((one + tile_width) / blend.double_width);
  const std::uint64_t all = std::uint64_t{blend.whole} * blend.double_width;
  const std::uint64_t missing = all < one ? one - all : all - one;
  blend.doubt = static_cast<std::uint32_t>(255 * (missing + 256 + 5 * 256 + tile_width + 256 + missing));
  return blend;
}

/// The high word is the value; it may be another if the low word is at most twice the doubt. `half` is 2^31 + doubt.
__device__ __forceinline__ std::uint64_t blended(std::uint32_t entries, std::uint32_t pair, const RowBlend& row,
                                                 std::uint64_t half) {
  const std::uint32_t upper = dot2_low(pair, entries), lower = dot2_high(pair, entries);
  return std::uint64_t{upper} * row.above + (std::uint64_t{lower} * row.below + half);
}

}  // namespace gpuhisto::kernels
