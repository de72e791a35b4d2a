// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "gpuhisto/tone.hpp"

namespace gpuhisto {

/// The map of histogram specification, as scikit-image's match_histograms defines it: with S(v) the share of the
/// image's pixels up to level v, and T the same of the reference at each level that occurs in it, lut[v] is T's inverse
/// at S(v), linear between these levels and constant beyond the first and last. In exact rationals, rounded to nearest,
/// half to even. The identity when the image has no pixels; Error(kInput) when the reference has none.
Lut make_matching_lut(const Histogram& histogram, const Histogram& reference);

/// Gives images the histogram of a reference, as nearly as a map of levels can.
class Matching : public ToneOperation {
 public:
  /// `reference` has the counts that counts_wanted() names, of an image or of several; of a gray one the luma serves
  /// for every channel. Throws Error(kInput) when it has no pixels, Error(kUsage) when it has
  /// only some of the channels that `mode` needs.
  Matching(ToneMode mode, ImageHistogram reference);
  /// What to count of a reference; for images that were made gray, with the luma that made them so instead of Y.
  static CountSpec counts_wanted();
  CountSpec spec(int channels) const override { return spec_of(mode_, channels); }
  /// Throws Error(kInput) for an image without colors when the reference has colors alone.
  ToneMap map(const ImageHistogram& counts, int channels) const override;

 private:
  Histogram reference_for(Channel channel, int channels) const;
  ToneMode mode_;
  ImageHistogram reference_;
};

}  // namespace gpuhisto
