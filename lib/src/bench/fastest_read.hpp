// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <algorithm>

namespace gpuhisto::bench {

/// Seconds of a read by all threads, or by one where that is faster: on a busy machine threads wait for each other.
/// `pass(threads)` reads; `evict()` makes caches forget what the pass before brought in, so that none has it easier.
template <typename Pass, typename Evict>
double fastest_read(int threads, const Pass& pass, const Evict& evict) {
  const double all = pass(threads);
  if (threads == 1) return all;
  evict();
  return std::min(all, pass(1));
}

}  // namespace gpuhisto::bench
