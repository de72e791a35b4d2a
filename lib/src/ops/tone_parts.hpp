// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "gpuhisto/tone.hpp"

namespace gpuhisto::ops {

/// The counts of all colour channels together.
Histogram joint_histogram(const ImageHistogram& counts);

/// Whether every pixel keeps its level. Of luma such a map must not be applied: the way to YCrCb and back alters
/// colours.
bool changes_nothing(const Histogram& histogram, const Lut& lut);

}  // namespace gpuhisto::ops
