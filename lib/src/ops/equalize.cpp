// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/equalize.hpp"

namespace gpuhisto {

ToneMap Equalization::map(const ImageHistogram& counts, int channels) const {
  // The way to YCrCb and back alters colours: an image of one Y must not take it.
  if (has_color(channels) && mode_ == ToneMode::kLuma && is_flat(counts[Channel::kLuma])) return {};
  return map_of(mode_, channels, counts,
                [](const Histogram& histogram, Channel) { return make_equalization_lut(histogram); });
}

}  // namespace gpuhisto
