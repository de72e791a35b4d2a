// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "gpuhisto/bench.hpp"

namespace gpuhisto::bench {

/// Values 0, 1, … of the pattern, equal to a device's.
void fill_on_host(void* to, std::uint64_t bytes, const Input& input, Keys keys, std::uint64_t seed, int threads);

}  // namespace gpuhisto::bench
