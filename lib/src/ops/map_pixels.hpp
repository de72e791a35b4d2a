// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "gpuhisto/histogram.hpp"
#include "gpuhisto/image.hpp"
#include "ops/kernels.hpp"

namespace gpuhisto::ops {

/// What becomes of each pixel: every channel through its own table, or YCrCb's Y through one.
struct PixelMap {
  enum class Kind { kChannels, kLuma } kind = Kind::kChannels;
  ChannelLuts channels;  ///< of kChannels
  ChannelLuts luma;      ///< of kLuma: one table
};

/// Maps, in place, the pixels that the predicate lets through. The same bytes for any kernels and any number of
/// threads.
void map_pixels(const MutableImageView& image, const PixelMap& map, const PixelPredicate& predicate,
                const Kernels& kernels, int threads);

}  // namespace gpuhisto::ops
