// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <string_view>

#include "gpuhisto/error.hpp"
#include "gpuhisto/statistics.hpp"

namespace gpuhisto {
namespace {

constexpr std::size_t kMostDecimals = 9;  // 100 * 10^9 * 2^64 still fits 128 bits

[[noreturn]] void refuse(std::string_view part, const char* why) {
  throw Error(ErrorKind::kUsage, "percentile '" + std::string(part) + "' " + why);
}

bool all_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Percentile parse_percentile(std::string_view part) {
  const std::size_t point = part.find('.');
  const std::string_view whole = part.substr(0, point);
  const std::string_view decimals = point == part.npos ? std::string_view() : part.substr(point + 1);
  if (whole.empty() || (point != part.npos && decimals.empty()) || !all_digits(whole) || !all_digits(decimals))
    refuse(part, "is not a number such as 5 or 97.5");
  if (decimals.size() > kMostDecimals) refuse(part, "has more than 9 decimals");
  Percentile result;
  for (const char digit : whole) {
    result.numerator = result.numerator * 10 + static_cast<std::uint64_t>(digit - '0');
    if (result.numerator > 100) refuse(part, "is not in 0..100");
  }
  for (const char digit : decimals) {
    result.numerator = result.numerator * 10 + static_cast<std::uint64_t>(digit - '0');
    result.denominator *= 10;
  }
  if (result.numerator > 100 * result.denominator) refuse(part, "is not in 0..100");
  result.text = std::string(part);
  return result;
}

bool same_value(const Percentile& a, const Percentile& b) {
  const std::uint64_t common = std::max(a.denominator, b.denominator);
  return a.numerator * (common / a.denominator) == b.numerator * (common / b.denominator);
}

}  // namespace

std::vector<Percentile> parse_percentiles(const std::string& text) {
  std::vector<Percentile> list;
  std::string_view rest = text;
  for (;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    Percentile percentile = parse_percentile(part);
    for (const Percentile& earlier : list)
      if (same_value(earlier, percentile)) refuse(part, "is given twice");
    list.push_back(std::move(percentile));
    if (comma == rest.npos) return list;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace gpuhisto
