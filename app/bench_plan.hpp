// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "console.hpp"
#include "gpuhisto/bench.hpp"

namespace gpuhisto::app {

/// bench's options as the user wrote them; "" where the default depends on the device.
struct BenchFlags {
  std::string method = "all", pattern, pixels, channels, keys, bins, map, key_range, policy;
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
  std::uint64_t seed = 1;
  int threads = 1;
};
/// Tells what is other than one would expect. Throws Error(kUsage) for what makes no sense, Error(kLimit) for what is
/// too large on any machine, Error(kDevice) when the device cannot be had.
BenchPlan make_bench_plan(const BenchFlags& flags, Console& console);

}  // namespace gpuhisto::app
