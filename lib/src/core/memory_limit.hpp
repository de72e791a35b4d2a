// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpuhisto {

/// "64 MiB", and below 10 MiB up to three decimals. A need is rounded up and a limit down, so that a need beyond a
/// limit reads as larger than it.
std::string need_in_mebibytes(std::uint64_t bytes);
std::string limit_in_mebibytes(std::uint64_t bytes);

/// Throws Error(kLimit) naming both sizes and --max-memory when the bytes that `who` needs are more than `max_memory`.
void check_max_memory(std::string_view who, std::uint64_t bytes, std::uint64_t max_memory);

}  // namespace gpuhisto
