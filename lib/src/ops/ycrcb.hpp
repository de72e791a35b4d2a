// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <algorithm>
#include <cstdint>

namespace gpuhisto::ops {

// OpenCV's RGB2YCrCb and YCrCb2RGB of 8-bit pixels: weights of 14 bits, half added before each shift, every result
// clipped to 0..255. The two colour differences are kept with 128 taken off.
inline constexpr int kShift = 14;
inline constexpr int kYRed = 4899, kYGreen = 9617, kYBlue = 1868;
inline constexpr int kCrRed = 11682, kCbBlue = 9241;
inline constexpr int kRedCr = 22987, kGreenCr = -11698, kGreenCb = -5636, kBlueCb = 29049;

constexpr int descale(int x) { return (x + (1 << (kShift - 1))) >> kShift; }
constexpr std::uint8_t clip(int x) { return static_cast<std::uint8_t>(std::clamp(x, 0, 255)); }

/// Gives one RGB pixel, whose Y is `y`, the Y `new_y`.
constexpr void replace_luma_of(std::uint8_t* rgb, int y, int new_y) {
  const int cr = std::clamp(descale((rgb[0] - y) * kCrRed), -128, 127);
  const int cb = std::clamp(descale((rgb[2] - y) * kCbBlue), -128, 127);
  rgb[0] = clip(new_y + descale(kRedCr * cr));
  rgb[1] = clip(new_y + descale(kGreenCr * cr + kGreenCb * cb));
  rgb[2] = clip(new_y + descale(kBlueCb * cb));
}

}  // namespace gpuhisto::ops
