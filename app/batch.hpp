// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <functional>

#include "console.hpp"
#include "inputs.hpp"
#include "shared_options.hpp"

namespace gpuhisto::app {

/// What run_batch() is given to do.
struct Batch {
  std::function<PendingResult(const Input& input, int threads)> work;
  std::function<void(const FileResult& result)> report;  ///< may be empty
  /// A signal lets even a single input be finished, because something must be tidied up after it.
  bool tidies_up = false;
  /// Sees each result before it is told, and may find fault with it; may be empty.
  std::function<void(FileResult& result)> judge = {};
};

struct BatchEnd {
  int exit = 0;
  bool incomplete = false;   ///< not all inputs were done
  bool interrupted = false;  ///< a signal asked for the end: end_process() will obey it
};

/// Runs `work` over all inputs through the ordered queue, tells each result's errors and notes, and hands it to
/// `report`. The exit code is that of the most serious failure. Two things end it early, with one line that says so:
/// the first failure where the plan says fail_fast (then the exit code is that failure's), and a signal, of more than
/// one input. What is in work is finished and reported, no further name is waited for; after a signal an input whose
/// bytes do not come is given up and not reported.
BatchEnd run_batch(const Inputs& inputs, const Plan& plan, Console& console, const Batch& batch);

/// The same with the counting of stats and hist as the work.
BatchEnd count_batch(const Inputs& inputs, const Plan& plan, Console& console,
                     const std::function<void(const FileResult& result)>& report);

}  // namespace gpuhisto::app
