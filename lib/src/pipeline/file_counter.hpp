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

/// The device that the options name, or one that is ready by now; null: the CPU.
std::shared_ptr<Device> device_of(const CountOptions& options);

/// Counts by what the options name, the CPU or a device; once the device is lost and the CPU may take over, by the CPU;
/// by the CPU until a device is ready that is being started. Results say who counted.
class FileCounter {
 public:
  FileCounter(const CountOptions& options, int channels, const CountSpec& spec, int threads);
  FileCounter(const FileCounter&) = delete;
  FileCounter& operator=(const FileCounter&) = delete;

  Histogrammer& histogrammer() { return *histogrammer_; }
  /// Waits for the counts.
  void finish(FileResult& result);
  /// The same, but what it returns, if anything, has yet to be done: it waits for the device, and outlives this object.
  std::function<void(FileResult&)> finish_later(FileResult& result);

 private:
  std::unique_ptr<Histogrammer> on_device(std::shared_ptr<Device> device, int channels, const CountSpec& spec);

  CountOptions options_;
  /// Who counted, as it turns out.
  struct Outcome {
    std::string device = "cpu", method = "cpu";
    std::optional<std::string> lost;  ///< why the CPU had to finish
  };
  std::shared_ptr<Outcome> outcome_ = std::make_shared<Outcome>();
  bool may_wait_ = true;  ///< for a device
  std::unique_ptr<Histogrammer> histogrammer_;
};

}  // namespace gpuhisto
