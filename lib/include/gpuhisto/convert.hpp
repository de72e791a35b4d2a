// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Whole images made into others: gray, upright, opaque.
#pragma once

#include <array>
#include <cstdint>

#include "gpuhisto/histogram.hpp"
#include "gpuhisto/image.hpp"

namespace gpuhisto {

/// RGB(A) -> gray(+alpha) by a luma rule.
Image to_gray(const ImageView& image, LumaRule rule, int threads);
/// The same into rows that the caller owns: as many, as wide, one channel, or two with alpha.
void to_gray(const ImageView& image, const MutableImageView& gray, LumaRule rule, int threads);

/// Puts the pixels upright: EXIF orientation 1..8 (2 mirrors left-right, 3 turns by 180 degrees, 4 mirrors top-bottom,
/// 5 transposes, 6 turns clockwise, 7 transposes across the other diagonal, 8 turns counter-clockwise). 1 to 4 need no
/// further memory. Throws Error(kUsage) for another number.
Image orient(Image image, int orientation, int threads = 1);

/// Puts the image on an opaque background: result = (a * c + (255 - a) * background + 127) / 255; alpha is dropped.
/// Gray lies on the first of `background`.
Image flatten(const ImageView& image, const std::array<std::uint8_t, 3>& background, int threads);
bool is_opaque(const ImageView& image);  ///< every alpha is 255, or there is none

}  // namespace gpuhisto
