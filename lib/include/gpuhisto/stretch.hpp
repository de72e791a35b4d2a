// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>

#include "gpuhisto/statistics.hpp"
#include "gpuhisto/tone.hpp"

namespace gpuhisto {

/// How Stretch chooses its ends.
struct StretchOptions {
  ToneMode mode = ToneMode::kLuma;  ///< what is stretched
  Percentile low, high;             ///< shares of the pixels, in percent, that may become 0 and 255; below 100 together
  bool auto_gamma = false;          ///< then a power, which moves the median to the middle
  LumaRule luma = LumaRule::kBt601;  ///< of kJoint
};

/// The map of contrast stretching. With N counted pixels, lo the lowest level with cdf(lo) > low * N / 100 and hi the
/// highest of which more than high * N / 100 pixels are not below: lut[v] = floor(255 * (v - lo) / (hi - lo)) within
/// 0..255, in exact integers. So do ImageMagick's -contrast-stretch and, in floating point, whose errors take one level
/// from some exact values, Pillow's autocontrast. The identity where lo = hi or N = 0.
///
/// With auto_gamma lut[v] = round(255 * x^g), x = (v - lo) / (hi - lo) and g = ln(1/2) / ln(x of the median); g = 1
/// where the median lies at an end.
Lut make_stretch_lut(const Histogram& histogram, const StretchOptions& options);

/// Contrast stretching. With kJoint the ends are those of the luma, and one map serves all colour channels, so that
/// hues change little and gray stays gray.
class Stretch : public ToneOperation {
 public:
  /// Throws Error(kUsage) when the cut-offs leave nothing.
  explicit Stretch(const StretchOptions& options);
  CountSpec spec(int channels) const override;
  ToneMap map(const ImageHistogram& counts, int channels) const override;

 private:
  StretchOptions options_;
};

}  // namespace gpuhisto
