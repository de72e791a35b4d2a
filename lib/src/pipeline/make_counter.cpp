// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "pipeline/make_counter.hpp"

#include "gpuhisto/backend.hpp"

namespace gpuhisto {

std::unique_ptr<Histogrammer> make_counter(const CountOptions& options, int channels, const CountSpec& spec,
                                           int threads, FileResult& result) {
  if (options.device == "cpu") return make_cpu_histogrammer(channels, spec, threads);
  DeviceCounting counting;
  counting.device = open_device(options.device);
  counting.method = options.method;
  counting.policy = options.policy;
  counting.on_failure = options.on_device_failure;
  counting.on_lost = [&result](const std::string& why) {
    result.device = result.method = "cpu";
    result.notes.push_back("the CPU counted the rest: " + why);
  };
  return make_device_histogrammer(channels, spec, counting);
}

}  // namespace gpuhisto
