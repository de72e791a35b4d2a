// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "pipeline/make_counter.hpp"

#include "gpuhisto/backend.hpp"

namespace gpuhisto {

bool device_is_lost(const CountOptions& options) { return options.device_lost && *options.device_lost; }

void lose_device(const CountOptions& options, const std::string& note, FileResult& result) {
  if (!options.device_lost)
    result.notes.push_back(note);
  else if (!options.device_lost->exchange(true) && options.on_device_lost)
    options.on_device_lost(note);
}

std::unique_ptr<Histogrammer> make_counter(const CountOptions& options, int channels, const CountSpec& spec,
                                           int threads, FileResult& result) {
  if (device_is_lost(options)) result.device = result.method = "cpu";
  if (result.device == "cpu") return make_cpu_histogrammer(channels, spec, threads);
  DeviceCounting counting;
  counting.device = open_device(options.device);
  counting.method = options.method;
  counting.policy = options.policy;
  counting.on_failure = options.on_device_failure;
  counting.on_lost = [&options, &result](const std::string& why) {
    result.device = result.method = "cpu";
    lose_device(options, "the CPU counted the rest: " + why, result);
  };
  return make_device_histogrammer(channels, spec, counting);
}

}  // namespace gpuhisto
