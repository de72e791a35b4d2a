// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "pipeline/file_counter.hpp"

#include "gpuhisto/backend.hpp"

namespace gpuhisto {

bool device_is_lost(const CountOptions& options) { return options.device_lost && *options.device_lost; }

void lose_device(const CountOptions& options, const std::string& note, FileResult& result) {
  if (!options.device_lost)
    result.notes.push_back(note);
  else if (!options.device_lost->exchange(true) && options.on_device_lost)
    options.on_device_lost(note);
}

FileCounter::FileCounter(const CountOptions& options, int channels, const CountSpec& spec, int threads)
    : options_(options), on_device_(options.device != "cpu" && !device_is_lost(options)) {
  if (!on_device_) {
    histogrammer_ = make_cpu_histogrammer(channels, spec, threads);
    return;
  }
  lost_ = std::make_shared<std::optional<std::string>>();
  DeviceCounting counting;
  counting.device = open_device(options.device);
  counting.method = options.method;
  counting.policy = options.policy;
  counting.on_failure = options.on_device_failure;
  counting.on_lost = [lost = lost_](const std::string& why) { *lost = why; };
  histogrammer_ = make_device_histogrammer(channels, spec, counting);
}

void FileCounter::finish(FileResult& result) {
  if (const auto rest = finish_later(result)) rest(result);
}

std::function<void(FileResult&)> FileCounter::finish_later(FileResult& result) {
  if (!on_device_) {
    result.device = result.method = "cpu";
    result.histogram = histogrammer_->finish();
    return nullptr;
  }
  return [counts = histogrammer_->finish_later(), lost = lost_, options = options_](FileResult& finished) {
    finished.histogram = counts();
    if (!*lost) return;
    finished.device = finished.method = "cpu";
    lose_device(options, "the CPU counted the rest: " + **lost, finished);
  };
}

}  // namespace gpuhisto
