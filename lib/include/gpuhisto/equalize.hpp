// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "gpuhisto/tone.hpp"

namespace gpuhisto {

/// The map of histogram equalisation. With N counted pixels and m the lowest occupied bin:
/// lut[v] = 0 for v < m, else round(255 * (cdf(v) - h[m]) / (N - h[m])), exact integers, half to even.
/// The identity when the histogram is flat.
Lut make_equalization_lut(const Histogram& histogram);
bool is_flat(const Histogram& histogram);  ///< N = 0, or all pixels lie in one bin: nothing to equalise

/// Histogram equalisation; with kJoint by the counts of all colour channels together. An image of one Y stays as it is.
class Equalization : public ToneOperation {
 public:
  /// `mode`: what is equalised.
  explicit Equalization(ToneMode mode = ToneMode::kLuma) : mode_(mode) {}
  CountSpec spec(int channels) const override { return spec_of(mode_, channels); }
  ToneMap map(const ImageHistogram& counts, int channels) const override;

 private:
  ToneMode mode_;
};

}  // namespace gpuhisto
