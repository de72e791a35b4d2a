// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "gpuhisto/decoder.hpp"
#include "gpuhisto/histogram.hpp"
#include "gpuhisto/report.hpp"

namespace gpuhisto {

/// Gives the next input's name; false at the end. Called by one thread at a time.
using InputList = std::function<bool(std::string& name)>;

struct OrderedOptions {
  int threads = 1;      ///< workers
  std::size_t window = 0;  ///< results in flight or waiting for their turn; 0: four a worker
};

/// The bounded ordered queue: workers take inputs in order and work in parallel; `report` gets the results in input order, on
/// the calling thread, each as soon as its turn comes. At most `window` inputs are taken but not reported, so memory is
/// bounded whatever the number of inputs. `work` must not throw. Stops early when `stop` returns true (asked before each
/// input): what is in flight is still reported.
void run_ordered(const InputList& inputs, const OrderedOptions& options,
                 const std::function<FileResult(const std::string& name, int threads)>& work,
                 const std::function<void(FileResult&&)>& report, const std::function<bool()>& stop);

struct CountOptions {
  CountSpec spec;
  DecodeOptions decode;
  int threads = 1;      ///< for this image: with 2 or more, one strip is counted while the next is decoded
  bool strict = false;  ///< every flag is an error
};

/// Decodes and counts one input: rows stream through, the image is never held (unless the decoder must).
/// Never throws for a bad input: the result carries the error.
FileResult count_file(const std::string& name, const CountOptions& options);

}  // namespace gpuhisto
