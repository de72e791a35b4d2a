// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpuhisto/bench.hpp"

namespace gpuhisto::app {

/// bench's options as the user wrote them; "" where the default depends on the device.
struct BenchFlags {
  std::string method = "all", pattern, pixels, channels, keys, bins, map = "mod", key_range, policy;
  std::string rounds = "5", min_time = "0", seed = "1", input, batch, format, output = "-", plot, preset;
  std::string device, threads;
  bool hot = false, quiet = false;
};

/// A machine and what it is to measure there: the candidates are the same for every input.
struct BenchPart {
  std::shared_ptr<bench::Target> target;
  std::vector<bench::Request> requests;
};
struct BenchPlan {
  std::vector<BenchPart> parts;
  std::vector<std::string> notes;  ///< for standard error
  std::uint64_t seed = 1;
  int threads = 1;
};
/// Throws Error(kUsage) for what makes no sense, Error(kDevice) when the device cannot be had.
BenchPlan make_bench_plan(const BenchFlags& flags);

}  // namespace gpuhisto::app
