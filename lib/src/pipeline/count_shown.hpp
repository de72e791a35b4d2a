// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "gpuhisto/pipeline.hpp"

namespace gpuhisto {

/// One side of a Change; what drives the map is only some of what a plot shows. Nothing where no change is asked for.
inline ImageHistogram count_shown(const Image& image, const MapFileOptions& options, int threads) {
  if (!options.on_change) return {};
  CountSpec spec = options.count.spec;
  spec.channels = ChannelSet::all();
  return count_image(image.view(), spec, threads);
}

}  // namespace gpuhisto
