// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "bench_values.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "gpuhisto/error.hpp"
#include "gpuhisto/key_pattern.hpp"
#include "gpuhisto/method.hpp"

namespace gpuhisto::app {
namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& allowed) {
  throw Error(ErrorKind::kUsage, "'" + text + "' is not " + allowed);
}

std::optional<std::uint64_t> digits(std::string_view text) {
  std::uint64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The factor of a suffix "", "K", "Ki", …; nullopt for another.
std::optional<std::uint64_t> factor(std::string_view suffix) {
  constexpr std::string_view kLetters = "KMGT";
  if (suffix.empty()) return 1;
  const std::size_t power = kLetters.find(static_cast<char>(suffix[0] & ~0x20));
  const bool binary = suffix.size() == 2 && suffix[1] == 'i';
  if (power == std::string_view::npos || (suffix.size() > 1 && !binary)) return std::nullopt;
  std::uint64_t value = 1;
  for (std::size_t i = 0; i <= power; ++i) value *= binary ? 1024 : 1000;
  return value;
}

std::optional<std::uint64_t> power_of(std::string_view base, std::string_view exponent) {
  const auto b = digits(base), e = digits(exponent);
  if (!b || !e) return std::nullopt;
  std::uint64_t value = 1;
  for (std::uint64_t i = 0; i < *e; ++i) {
    if (i >= 64 || __builtin_mul_overflow(value, *b, &value)) return std::nullopt;
  }
  return value;
}

}  // namespace

std::uint64_t parse_number(const std::string& text, const std::string& what) {
  const std::string allowed = what + ": a number such as 1000000, 1M, 16Mi or 2^20";
  const std::string_view view = text;
  if (const auto caret = view.find('^'); caret != std::string_view::npos) {
    const auto value = power_of(view.substr(0, caret), view.substr(caret + 1));
    if (!value) refuse(text, allowed);
    return *value;
  }
  const std::size_t end = std::min(view.find_first_not_of("0123456789"), view.size());
  const auto value = digits(view.substr(0, end)), unit = factor(view.substr(end));
  std::uint64_t result = 0;
  if (!value || !unit || __builtin_mul_overflow(*value, *unit, &result)) refuse(text, allowed);
  return result;
}

unsigned parse_rounds(const std::string& text) {
  constexpr unsigned kMost = 1u << 20;
  const std::uint64_t rounds = parse_number(text, "a number of rounds");
  if (rounds == 0) throw Error(ErrorKind::kUsage, "at least one round must be measured");
  if (rounds > kMost) throw Error(ErrorKind::kUsage, "'" + text + "' rounds are too many: 2^20 are the most");
  return static_cast<unsigned>(rounds);
}

std::vector<std::uint64_t> parse_numbers(const std::string& text, const std::string& what) {
  std::vector<std::uint64_t> numbers;
  for (const auto& word : parse_words(text, what)) numbers.push_back(parse_number(word, what));
  return numbers;
}

std::vector<std::string> parse_words(const std::string& text, const std::string& what) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end == begin) refuse(text, what + ", or several with commas between them");
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

void require_name(const std::string& word, const std::vector<std::string>& names, const std::string& what) {
  std::string list;
  for (const auto& name : names) {
    if (name == word) return;
    list += (list.empty() ? "" : ", ") + name;
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto near = nearest(word, views);
  throw Error(ErrorKind::kUsage,
              "unknown " + what + " '" + word + "'; " +
                  (near.empty() ? "known are " + list : "did you mean '" + std::string(near) + "'?"));
}

std::vector<bench::Input> parse_patterns(const std::string& text, bench::Keys keys) {
  const bool u32 = keys == bench::Keys::kU32;
  std::vector<bench::Input> all, chosen;
  std::vector<std::string> names = {"all"};
  for (const auto& named : kPatterns) {
    if (u32 && !pattern_has_keys(named.spec.pattern)) continue;
    bench::Input input;
    input.name = named.name;
    input.pattern = named.spec;
    all.push_back(input);
    names.emplace_back(named.name);
  }
  const auto words = parse_words(text, "a pattern");
  for (const auto& word : words) require_name(word, names, u32 ? "pattern of 32-bit keys" : "pattern");
  if (std::find(words.begin(), words.end(), "all") != words.end()) return all;
  for (const auto& word : words)
    for (const auto& input : all)
      if (input.name == word) chosen.push_back(input);
  return chosen;
}

void parse_pixel(const std::string& text, bench::Shape& shape) {
  if (text != "gray" && text != "rgb" && text != "rgb+luma") refuse(text, "a kind of pixel: gray, rgb or rgb+luma");
  shape.channels = text == "gray" ? 1 : 3;
  shape.luma = text == "rgb+luma";
}

void parse_batch(const std::string& text, bench::Shape& shape) {
  const char* allowed = "a batch: WIDTHxHEIGHTxIMAGES, such as 256x256x4096";
  const std::size_t first = text.find('x'), second = text.find('x', first + 1);
  if (first == std::string::npos || second == std::string::npos) refuse(text, allowed);
  const auto width = digits(std::string_view(text).substr(0, first));
  const auto height = digits(std::string_view(text).substr(first + 1, second - first - 1));
  const auto images = digits(std::string_view(text).substr(second + 1));
  constexpr std::uint64_t kMostSide = 1 << 20, kMostImages = 1 << 20;
  if (!width || !height || !images || *images == 0 || *width > kMostSide || *height > kMostSide ||
      *images > kMostImages)
    refuse(text, allowed);
  shape.width = *width;
  shape.height = *height;
  shape.images = *images;
}

}  // namespace gpuhisto::app
