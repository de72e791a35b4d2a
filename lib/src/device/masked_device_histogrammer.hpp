// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <memory>

#include "gpuhisto/backend.hpp"

namespace gpuhisto {

/// make_device_histogrammer() for a predicate with a mask, which devices take beside the pixels.
std::unique_ptr<Histogrammer> make_masked_device_histogrammer(int channels, const CountSpec& spec,
                                                              const DeviceCounting& counting);

}  // namespace gpuhisto
