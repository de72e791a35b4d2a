// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/number.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace gpuhisto::plot {

namespace {

std::string fixed(double value, int decimals) {
  std::array<char, 400> text{};  // the largest double has 309 digits
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals).ptr;
  return {text.data(), end};
}

}  // namespace

std::string tenths(double value) { return fixed(value, 1); }

std::string decimal(double value, int decimals) {
  std::string result = fixed(value, decimals);
  if (decimals > 0) {
    while (result.back() == '0') result.pop_back();
    if (result.back() == '.') result.pop_back();
  }
  return result == "-0" ? "0" : result;
}

std::string human_count(double count) {
  constexpr std::array<const char*, 7> kUnits = {"", "k", "M", "G", "T", "P", "E"};
  std::size_t unit = 0;
  // 999.5 would be written as 1000: it belongs to the next unit.
  while (count >= 999.5 && unit + 1 < kUnits.size()) {
    count /= 1000;
    ++unit;
  }
  const int decimals = unit == 0 || count >= 99.95 ? 0 : count >= 9.995 ? 1 : 2;
  return decimal(count, decimals) + kUnits[unit];
}

std::string grouped(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return text;
}

std::string percent(double share) {
  const double value = share * 100;
  if (value > 0 && value < 0.05) return "<0.1 %";
  if (value > 99.95 && value < 100) return ">99.9 %";
  return decimal(value, value < 10 || value > 99 ? 1 : 0) + " %";
}

}  // namespace gpuhisto::plot
