// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/error.hpp"
#include "gpuhisto/report.hpp"

namespace gpuhisto {

void Total::add(const FileResult& result) {
  if (result.status == Status::kSkipped) {
    ++skipped;
    return;
  }
  if (result.status == Status::kError) {
    ++failed;
    return;
  }
  std::uint64_t sum = 0;
  if (__builtin_add_overflow(histogram.pixels, result.histogram.pixels, &sum))
    throw Error(ErrorKind::kLimit, "a total of more than 2^64 - 1 pixels");
  histogram.add(result.histogram);
  ++ok;
  if (result.flags.any()) ++flagged;
}

}  // namespace gpuhisto
