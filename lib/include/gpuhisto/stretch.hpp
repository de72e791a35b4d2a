// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>

#include "gpuhisto/statistics.hpp"
#include "gpuhisto/tone.hpp"

namespace gpuhisto {

struct StretchOptions {
  ToneMode mode = ToneMode::kLuma;
  Percentile low, high;     ///< shares of the pixels, in percent, that may become 0 and 255; below 100 together
  bool auto_gamma = false;  ///< then a power, which moves the median to the middle
  LumaRule luma = LumaRule::kBt601;  ///< of kJoint
};

/// The map of contrast stretching. With N counted pixels, lo the lowest level with cdf(lo) > low * N / 100 and hi the
/// highest of which more than high * N / 100 pixels are not below: lut[v] = round(255 * (v - lo) / (hi - lo)) within
/// 0..255, exact integers, half to even. These are the ends that Pillow's autocontrast and ImageMagick's
/// -contrast-stretch choose; Pillow then cuts fractions off. The identity where lo = hi or N = 0.
///
/// With auto_gamma x = (v - lo) / (hi - lo) becomes x^g before it is scaled, g = ln(1/2) / ln(x of the median); not
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
