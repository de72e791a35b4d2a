// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "gpuhisto/histogram.hpp"
#include "gpuhisto/pipeline.hpp"

namespace gpuhisto {

/// Whether the run has lost its device.
bool device_is_lost(const CountOptions& options);
/// Remembers that it has, and tells it: once a run, or in the result where inputs share nothing.
void lose_device(const CountOptions& options, const std::string& note, FileResult& result);

/// The Histogrammer that the options name, the CPU's or a device's; once the device is lost and the CPU may take over,
/// the CPU's. Results say who counted.
class FileCounter {
 public:
  FileCounter(const CountOptions& options, int channels, const CountSpec& spec, int threads);

  Histogrammer& histogrammer() { return *histogrammer_; }
  bool on_device() const { return on_device_; }
  void finish(FileResult& result);
  /// The same, but what it returns, if anything, has yet to be done: it waits for the device, and outlives this object.
  std::function<void(FileResult&)> finish_later(FileResult& result);

 private:
  CountOptions options_;
  bool on_device_;
  std::shared_ptr<std::optional<std::string>> lost_;  ///< why the CPU had to finish
  std::unique_ptr<Histogrammer> histogrammer_;
};

}  // namespace gpuhisto
