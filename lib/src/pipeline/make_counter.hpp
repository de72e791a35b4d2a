// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <memory>

#include "gpuhisto/histogram.hpp"
#include "gpuhisto/pipeline.hpp"

namespace gpuhisto {

/// Whether the run has lost its device.
bool device_is_lost(const CountOptions& options);
/// Remembers that it has, and tells it: once a run, or in the result where inputs share nothing.
void lose_device(const CountOptions& options, const std::string& note, FileResult& result);

/// The Histogrammer that the options name, the CPU's or a device's; once the device is lost and the CPU may take over,
/// the CPU's. The result says who counted. `options` must outlive it.
std::unique_ptr<Histogrammer> make_counter(const CountOptions& options, int channels, const CountSpec& spec,
                                           int threads, FileResult& result);

}  // namespace gpuhisto
