// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "plot/compose.hpp"

namespace gpuhisto::plot {

/// The characters of a UTF-8 text; each byte that belongs to none becomes U+FFFD.
std::vector<char32_t> decode_utf8(std::string_view text);
void append_utf8(std::string& text, char32_t character);

/// Cells a character takes in a terminal: 2 for East Asian wide ones, 0 for combining marks, else 1.
int cell_width(char32_t character);
int cell_width(std::string_view text);

enum class Weight { kRegular, kBold };

/// Pixels the text takes at `size` pixels per em: advances of DejaVu Sans, which is wider than the usual sans-serif
/// fonts, so that what fits by this measure fits everywhere.
double text_width(std::string_view text, double size, Weight weight = Weight::kRegular);

/// Shortens a text in its middle, where names differ least, to at most `room` by `measure`.
template <typename Measure>
std::string shorten(std::string_view text, double room, std::string_view ellipsis, const Measure& measure) {
  if (measure(text) <= room) return std::string(text);
  const auto characters = compose(decode_utf8(text));  // no accent may lose its letter
  const auto shortened_to = [&](std::size_t keep) {
    std::string candidate;
    const std::size_t head = (keep + 1) / 2;
    for (std::size_t i = 0; i < head; ++i) append_utf8(candidate, characters[i]);
    candidate += ellipsis;
    for (std::size_t i = characters.size() - (keep - head); i < characters.size(); ++i)
      append_utf8(candidate, characters[i]);
    return candidate;
  };
  // From few characters on: names of any length come in.
  std::size_t fits = 0, too_many = 1;
  for (; too_many < characters.size() && measure(shortened_to(too_many)) <= room; too_many *= 2) fits = too_many;
  too_many = std::min(too_many, characters.size());
  while (fits + 1 < too_many) {
    const std::size_t keep = fits + (too_many - fits) / 2;
    (measure(shortened_to(keep)) <= room ? fits : too_many) = keep;
  }
  std::string candidate = shortened_to(fits);
  return measure(candidate) <= room ? candidate : std::string();
}

}  // namespace gpuhisto::plot
