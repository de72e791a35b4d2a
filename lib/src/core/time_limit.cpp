// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/time_limit.hpp"

#include <algorithm>
#include <cstdio>

#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kLongest = 1e9;  // the clock counts nanoseconds in 64 bits

}  // namespace

TimeLimit::TimeLimit(double seconds)
    : seconds_(seconds > 0 ? seconds : 0),
      end_(Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(seconds_, kLongest)))) {}

void TimeLimit::check() const {
  if (seconds_ <= 0 || Clock::now() < end_) return;
  char text[64];
  std::snprintf(text, sizeof text, "not done within the %g s of --max-seconds", seconds_);
  throw Error(ErrorKind::kTimeLimit, text);
}

}  // namespace gpuhisto
