// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <memory>

#include "gpuhisto/histogram.hpp"
#include "gpuhisto/pipeline.hpp"

namespace gpuhisto {

/// The Histogrammer that the options name, the CPU's or a device's. Should the device be lost and the CPU may take
/// over, the result gets a note and says who counted.
std::unique_ptr<Histogrammer> make_counter(const CountOptions& options, int channels, const CountSpec& spec,
                                           int threads, FileResult& result);

}  // namespace gpuhisto
