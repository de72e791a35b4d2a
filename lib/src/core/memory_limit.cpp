// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "core/memory_limit.hpp"

#include <algorithm>

#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
constexpr std::uint64_t kFewMebibytes = 10 * kMebibyte;

std::string thousandths_text(std::uint64_t thousandths) {
  std::string decimals = std::to_string(1000 + thousandths % 1000).substr(1);
  while (!decimals.empty() && decimals.back() == '0') decimals.pop_back();
  return std::to_string(thousandths / 1000) + (decimals.empty() ? "" : "." + decimals) + " MiB";
}

}  // namespace

std::string need_in_mebibytes(std::uint64_t bytes) {
  if (bytes < kFewMebibytes) return thousandths_text((bytes * 1000 + kMebibyte - 1) / kMebibyte);
  return std::to_string(bytes / kMebibyte + (bytes % kMebibyte > 0 ? 1 : 0)) + " MiB";
}

std::string limit_in_mebibytes(std::uint64_t bytes) {
  if (bytes <= kMebibyte / 1000) return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  if (bytes < kFewMebibytes) return thousandths_text(bytes * 1000 / kMebibyte);
  return std::to_string(bytes / kMebibyte) + " MiB";
}

void check_max_memory(std::string_view who, std::uint64_t bytes, std::uint64_t max_memory) {
  if (bytes > max_memory)
    throw Error(ErrorKind::kLimit, std::string(who) + " needs " + need_in_mebibytes(bytes) +
                                       " of memory, more than the " + limit_in_mebibytes(max_memory) +
                                       " of --max-memory");
}

}  // namespace gpuhisto
