// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#include "plot/compose.hpp"

namespace gpuhisto::plot {
namespace {

constexpr char32_t kReplacement = 0xfffd;
constexpr char32_t kEllipsis = 0x2026;

// Thousandths of an em for ' '..'~', measured from DejaVu Sans 2.37.
constexpr std::array<std::int16_t, 95> kAdvance = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};
constexpr double kOtherAdvance = 0.84;    // most letters beyond ASCII are narrower
constexpr double kEllipsisAdvance = 1.0;  // and that of wide characters
constexpr double kBoldFactor = 1.13;      // DejaVu Sans Bold against the regular face

struct Range {
  char32_t first, last;
};
// Unicode's blocks of wide characters, joined where neighbours.
constexpr std::array<Range, 8> kWide = {{{0x1100, 0x115f},
                                         {0x2e80, 0xa4cf},
                                         {0xac00, 0xd7a3},
                                         {0xf900, 0xfaff},
                                         {0xfe30, 0xfe6f},
                                         {0xff00, 0xff60},
                                         {0x1f300, 0x1f9ff},
                                         {0x20000, 0x3fffd}}};
constexpr std::array<Range, 5> kCombining = {
    {{0x300, 0x36f}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}}};

template <std::size_t N>
bool within(const std::array<Range, N>& ranges, char32_t c) {
  for (const auto& range : ranges)
    if (c >= range.first && c <= range.last) return true;
  return false;
}

/// Length of the sequence that `lead` starts, 0 when it cannot start one.
std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  if (lead >= 0xf0 && lead < 0xf5) return 4;
  return 0;
}

/// The character at the start of `text`, or U+FFFD with length 1.
char32_t decode_one(std::string_view text, std::size_t& length) {
  const auto lead = static_cast<unsigned char>(text[0]);
  length = sequence_length(lead);
  constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  char32_t character = length == 1 ? lead : lead & (0x7fu >> length);
  bool good = length != 0 && length <= text.size();
  for (std::size_t i = 1; good && i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    good = (byte & 0xc0) == 0x80;
    character = (character << 6) | (byte & 0x3fu);
  }
  const bool surrogate = character >= 0xd800 && character < 0xe000;
  if (good && character >= kLeast[length] && character <= 0x10ffff && !surrogate) return character;
  length = 1;
  return kReplacement;
}

}  // namespace

std::vector<char32_t> decode_utf8(std::string_view text) {
  std::vector<char32_t> characters;
  while (!text.empty()) {
    std::size_t length = 0;
    characters.push_back(decode_one(text, length));
    text.remove_prefix(length);
  }
  return characters;
}

void append_utf8(std::string& text, char32_t c) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80u | ((c >> shift) & 0x3fu)); };
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xc0u | (c >> 6));
    tail(0);
  } else if (c < 0x10000) {
    text += static_cast<char>(0xe0u | (c >> 12));
    tail(6), tail(0);
  } else {
    text += static_cast<char>(0xf0u | (c >> 18));
    tail(12), tail(6), tail(0);
  }
}

int cell_width(char32_t character) {
  if (within(kCombining, character)) return 0;
  return within(kWide, character) ? 2 : 1;
}

int cell_width(std::string_view text) {
  int cells = 0;
  for (const char32_t c : decode_utf8(text)) cells += cell_width(c);
  return cells;
}

double text_width(std::string_view text, double size, Weight weight) {
  double em = 0;
  for (const char32_t c : compose(decode_utf8(text))) {
    const int cells = cell_width(c);
    if (c >= ' ' && c <= '~')
      em += kAdvance[c - ' '] / 1000.0;
    else if (cells == 2 || c == kEllipsis || (cells == 0 && needs_shaping(c)))  // as such a mark is "…" in a PNG
      em += kEllipsisAdvance;
    else if (cells > 0)
      em += kOtherAdvance;
  }
  return em * size * (weight == Weight::kBold ? kBoldFactor : 1.0);
}

}  // namespace gpuhisto::plot
