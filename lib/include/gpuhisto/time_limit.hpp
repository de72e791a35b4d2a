// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <chrono>

namespace gpuhisto {

/// How long the work on one image may take: --max-seconds. Whoever reads or decodes asks between two pieces of work.
class TimeLimit {
 public:
  TimeLimit() = default;  ///< none
  /// From now on; 0 is none.
  explicit TimeLimit(double seconds);
  /// Throws Error(kTimeLimit) once the time is over, naming --max-seconds.
  void check() const;

 private:
  double seconds_ = 0;
  std::chrono::steady_clock::time_point end_;
};

}  // namespace gpuhisto
