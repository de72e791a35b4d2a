// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>
#include <string_view>
#include <vector>

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
  const auto characters = decode_utf8(text);
  for (std::size_t keep = characters.size(); keep-- > 0;) {
    std::string candidate;
    const std::size_t head = (keep + 1) / 2;
    for (std::size_t i = 0; i < head; ++i) append_utf8(candidate, characters[i]);
    candidate += ellipsis;
    for (std::size_t i = characters.size() - (keep - head); i < characters.size(); ++i)
      append_utf8(candidate, characters[i]);
    if (measure(candidate) <= room) return candidate;
  }
  return {};
}

}  // namespace gpuhisto::plot
