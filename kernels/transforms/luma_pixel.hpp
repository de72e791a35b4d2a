// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// A colour with another Y of YCrCb. The 14-bit formulas of lib's equalisation with all factors times four, so that 16
// fraction bits put each result into byte 2, whence it is taken without shifts; half is added once, and is part of the
// new Y. Cb cannot leave its range; Cr can by one, above.
#pragma once

#include "device/luma.hpp"

namespace gpuhisto::kernels {

inline constexpr std::int32_t kLumaHalf = 32768;

/// A pixel's channels, each in byte 2.
struct Rgb {
  std::uint32_t red, green, blue;
};

__device__ __forceinline__ WeightedLuma ycrcb_luma() { return WeightedLuma(LumaWeights{19596, 38468, 7472, 32768}); }

/// A new Y as replace_luma() takes it.
__device__ __forceinline__ std::int32_t fixed_luma(std::uint32_t y) {
  return static_cast<std::int32_t>(y << 16) + kLumaHalf;
}

/// The pixel whose red is byte kByte of `low`; bytes past its end are the first of `high`. Its Y is `y`.
template <int kByte>
__device__ __forceinline__ Rgb replace_luma(std::uint32_t low, std::uint32_t high, std::uint32_t y,
                                            std::int32_t fixed_new_y) {
  const std::uint32_t red = scaled_byte<kByte>(low, 46728, kLumaHalf);
  const std::uint32_t blue = kByte < 2 ? scaled_byte<(kByte + 2) % 4>(low, 36964, kLumaHalf)
                                       : scaled_byte<(kByte + 2) % 4>(high, 36964, kLumaHalf);
  const std::int32_t cr_wide = static_cast<std::int32_t>(red - y * 46728u) >> 16;
  const std::int32_t cr = cr_wide < 127 ? cr_wide : 127;
  const std::int32_t cb = static_cast<std::int32_t>(blue - y * 36964u) >> 16;
  return {clamp_fixed(fixed_new_y + cr * 91948), clamp_fixed(fixed_new_y - cr * 46792 - cb * 22544),
          clamp_fixed(fixed_new_y + cb * 116196)};
}

}  // namespace gpuhisto::kernels
