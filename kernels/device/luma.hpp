// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Luma of RGB pixels. Every linear rule has 16 fraction bits here, so that the luma is byte 2 of the sum and can be
// used where it stands: bt601 and bt709 double their 15-bit weights, ycrcb14 takes four times its 14-bit ones, and
// (R+G+B+1)/3 is 21846 (R+G+B+1) >> 16, exact up to sums of 32767.
#pragma once

#include "device/bytes.hpp"

namespace gpuhisto::kernels {

struct LumaWeights {
  std::uint32_t red = 0, green = 0, blue = 0;  ///< <= 65535
  std::uint32_t rounding = 0;
};

/// Counts no luma.
struct NoLuma {
  static constexpr bool kCounts = false;
  __device__ __forceinline__ explicit NoLuma(const LumaWeights&) {}
  template <int kByte>
  __device__ __forceinline__ std::uint32_t of(std::uint32_t, std::uint32_t) const {
    return 0;
  }
};

/// of<k>(low, high): the luma, in byte 2, of the pixel whose red is byte k of `low`.
class WeightedLuma {
 public:
  static constexpr bool kCounts = true;
#if defined(GPUHISTO_PLATFORM_CUDA)
  __device__ __forceinline__ explicit WeightedLuma(const LumaWeights& w)
      : red_green_(w.red | w.green << 16),
        blue_(w.blue),
        red_(w.red << 16),
        green_blue_(w.green | w.blue << 16),
        rounding_(w.rounding) {}

  template <int kByte>
  __device__ __forceinline__ std::uint32_t of(std::uint32_t low, std::uint32_t high) const {
    if (kByte == 0) return __dp2a_hi(blue_, low, __dp2a_lo(red_green_, low, rounding_));
    if (kByte == 1) return __dp2a_hi(green_blue_, low, __dp2a_lo(red_, low, rounding_));
    if (kByte == 2) return __dp2a_lo(blue_, high, __dp2a_hi(red_green_, low, rounding_));
    return __dp2a_lo(green_blue_, high, __dp2a_hi(red_, low, rounding_));
  }

 private:
  std::uint32_t red_green_, blue_, red_, green_blue_, rounding_;
#else
  // Weights of 16 bits by byte dot products: high bytes and low bytes apart.
  __device__ __forceinline__ explicit WeightedLuma(const LumaWeights& w)
      : high_(w.red >> 8 | (w.green >> 8) << 8 | (w.blue >> 8) << 16),
        low_((w.red & 255u) | (w.green & 255u) << 8 | (w.blue & 255u) << 16),
        rounding_(w.rounding) {}

  template <int kByte>
  __device__ __forceinline__ std::uint32_t of(std::uint32_t low, std::uint32_t high) const {
    const std::uint32_t pixel = align_bytes<kByte>(low, high);
    return (dot4(pixel, high_, 0) << 8) + dot4(pixel, low_, rounding_);
  }

 private:
  std::uint32_t high_, low_, rounding_;
#endif
};

/// The default rule with its weights known to the compiler.
struct Bt601Luma : WeightedLuma {
  __device__ __forceinline__ explicit Bt601Luma(const LumaWeights&)
      : WeightedLuma(LumaWeights{2 * 9798, 2 * 19235, 2 * 3735, 2 * 16384}) {}
};

/// The largest of red, green and blue.
struct LargestLuma {
  static constexpr bool kCounts = true;
  __device__ __forceinline__ explicit LargestLuma(const LumaWeights&) {}
  template <int kByte>
  __device__ __forceinline__ std::uint32_t of(std::uint32_t low, std::uint32_t high) const {
    const std::uint32_t pixel = align_bytes<kByte>(low, high);
    const std::uint32_t red = byte_of<0>(pixel), green = byte_of<1>(pixel), blue = byte_of<2>(pixel);
    const std::uint32_t most = red > green ? red : green;
    return (most > blue ? most : blue) << 16;
  }
};

}  // namespace gpuhisto::kernels
