// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gpuhisto/bench.hpp"

namespace gpuhisto::app {

/// Values of bench's options. Each throws Error(kUsage) that names the value and what is allowed.

/// "1000000", "1M" (millions), "16Mi" (2^20s), "2^20"; K, M, G and T as letters. 0 is a number too.
std::uint64_t parse_number(const std::string& text, const std::string& what);
/// A number of rounds, from 1 to 2^20.
unsigned parse_rounds(const std::string& text);
/// A list of numbers.
std::vector<std::uint64_t> parse_numbers(const std::string& text, const std::string& what);
/// "a,b" as words; none of them empty.
std::vector<std::string> parse_words(const std::string& text, const std::string& what);
/// One of `names`, else an error with the nearest.
void require_name(const std::string& word, const std::vector<std::string>& names, const std::string& what);
/// "all" or a list of patterns; of 32-bit keys those that have any.
std::vector<bench::Input> parse_patterns(const std::string& text, bench::Keys keys);
/// "gray", "rgb", "rgb+luma".
void parse_pixel(const std::string& text, bench::Shape& shape);
/// "WxHxN": N images of W x H pixels.
void parse_batch(const std::string& text, bench::Shape& shape);

}  // namespace gpuhisto::app
