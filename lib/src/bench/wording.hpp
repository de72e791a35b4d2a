// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>

#include "gpuhisto/bench_report.hpp"

namespace gpuhisto::bench {

/// "256 MiB", "1.5 GiB"
std::string bytes_text(std::uint64_t bytes);
/// The method with what distinguishes it from itself: its policy, the CPU's threads.
std::string name_of(const Line& line);

}  // namespace gpuhisto::bench
