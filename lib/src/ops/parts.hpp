// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <algorithm>
#include <cstddef>

namespace gpuhisto::ops {

/// How many threads share the work on `pixels`: below 64 Ki pixels each, waking another costs more than it brings.
inline int parts_for(std::size_t pixels, int threads) {
  const std::size_t worth = pixels >> 16;
  return static_cast<int>(std::clamp<std::size_t>(worth, 1, static_cast<std::size_t>(std::max(1, threads))));
}

}  // namespace gpuhisto::ops
