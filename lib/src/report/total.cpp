// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/error.hpp"
#include "gpuhisto/report.hpp"
#include "report/table_input.hpp"

namespace gpuhisto {

void add_to(ImageHistogram& sum, const ImageHistogram& part) {
  std::uint64_t pixels = 0;  // no bin is more
  if (__builtin_add_overflow(sum.pixels, part.pixels, &pixels))
    throw Error(ErrorKind::kLimit, "a total of more than 2^64 - 1 pixels");
  sum.add(part);
}

void Total::add(const FileResult& result) {
  if (result.status == Status::kSkipped) {
    ++skipped;
    return;
  }
  if (result.status == Status::kError) {
    ++failed;
    return;
  }
  add_to(histogram, result.histogram);
  ++ok;
  if (result.flags.any()) ++flagged;
}

}  // namespace gpuhisto
