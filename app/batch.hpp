// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <functional>

#include "console.hpp"
#include "inputs.hpp"
#include "shared_options.hpp"

namespace gpuhisto::app {

/// Runs `work` over all inputs through the ordered queue, tells each result's errors and notes, and hands it to
/// `report` (may be empty). Returns the exit code: that of the most serious failure.
struct Batch {
  std::function<PendingResult(const Input& input, int threads)> work;
  std::function<void(const FileResult& result)> report;
};
int run_batch(const Inputs& inputs, const Plan& plan, Console& console, const Batch& batch);

/// The same with the counting of stats and hist as the work.
int count_batch(const Inputs& inputs, const Plan& plan, Console& console,
                const std::function<void(const FileResult& result)>& report);

}  // namespace gpuhisto::app
