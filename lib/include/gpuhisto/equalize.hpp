// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>
#include <cstdint>

#include "gpuhisto/histogram.hpp"
#include "gpuhisto/image.hpp"

namespace gpuhisto {

using Lut = std::array<std::uint8_t, kBins>;

/// The map of histogram equalisation. With N counted pixels and m the lowest occupied bin:
/// lut[v] = 0 for v < m, else round(255 * (cdf(v) - h[m]) / (N - h[m])), exact integers, half to even.
/// The identity when the histogram is flat.
Lut make_equalization_lut(const Histogram& histogram);
bool is_flat(const Histogram& histogram);  ///< N = 0, or all pixels lie in one bin: nothing to equalise

enum class EqualizeMode {
  kLuma,   ///< RGB -> YCrCb, map Y, back; bit-exact with OpenCV's 14-bit conversions. Gray: the gray value
  kEach,   ///< every colour channel by its own map
  kJoint,  ///< one map from all colour channels' counts
};

struct EqualizeOptions {
  EqualizeMode mode = EqualizeMode::kLuma;
  PixelPredicate predicate;  ///< pixels that count, and that change
  int threads = 1;
};

/// Equalises in place. Alpha never changes, nor do pixels that the predicate leaves out.
/// Returns the histogram that drove it (kLuma of colour: channel kLuma holds YCrCb's Y).
ImageHistogram equalize(const MutableImageView& image, const EqualizeOptions& options);

/// equalize's two halves, for counts made elsewhere (while decoding, on a device): what to count of an image of `channels`
/// interleaved channels, and the mapping by those counts.
CountSpec equalization_spec(int channels, const EqualizeOptions& options);
void apply_equalization(const MutableImageView& image, const ImageHistogram& counts, const EqualizeOptions& options);

/// RGB(A) -> gray(+alpha) by a luma rule.
Image to_gray(const ImageView& image, LumaRule rule, int threads);
/// The same into rows that the caller owns: as many, as wide, one channel, or two with alpha.
void to_gray(const ImageView& image, const MutableImageView& gray, LumaRule rule, int threads);

/// Puts the pixels upright: EXIF orientation 1..8 (2 mirrors left-right, 3 turns by 180 degrees, 4 mirrors top-bottom,
/// 5 transposes, 6 turns clockwise, 7 transposes across the other diagonal, 8 turns counter-clockwise). 1 to 4 need no
/// further memory. Throws Error(kUsage) for another number.
Image orient(Image image, int orientation, int threads = 1);

/// Puts the image on an opaque background: result = (a * c + (255 - a) * background + 127) / 255; alpha is dropped.
Image flatten(const ImageView& image, const std::array<std::uint8_t, 3>& background, int threads);
bool is_opaque(const ImageView& image);  ///< every alpha is 255, or there is none

}  // namespace gpuhisto
