// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/compose.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace gpuhisto::plot {
namespace {

/// A mark, and the letters that take it, each with what becomes of it: Unicode's canonical compositions of Latin-1,
/// Latin Extended-A, the Latin letters of Vietnamese, Romanian and Pinyin, and modern Greek and Cyrillic.
struct Mark {
  char32_t mark;
  std::u32string_view pairs;
};
// clang-format off
constexpr std::array<Mark, 17> kMarks = {{
    {0x300, U"AÀEÈIÌOÒUÙaàeèiìoòuùÜǛüǜЕЀИЍеѐиѝÂẦâầĂẰăằÊỀêềÔỒôồƠỜơờƯỪưừYỲyỳ"},  // grave accent
    {0x301, U"AÁEÉIÍOÓUÚYÝaáeéiíoóuúyýCĆcćLĹlĺNŃnńRŔrŕSŚsśZŹzźÜǗüǘΑΆΕΈΗΉΙΊΟΌΥΎ"
            U"ΩΏϊΐαάεέηήιίϋΰοόυύωώГЃКЌгѓкќÂẤâấĂẮăắÊẾêếÔỐôốƠỚơớƯỨưứ"},  // acute accent
    {0x302, U"AÂEÊIÎOÔUÛaâeêiîoôuûCĈcĉGĜgĝHĤhĥJĴjĵSŜsŝWŴwŵYŶyŷẠẬạậẸỆẹệỌỘọộ"},  // circumflex accent
    {0x303, U"AÃNÑOÕaãnñoõIĨiĩUŨuũÂẪâẫĂẴăẵEẼeẽÊỄêễÔỖôỗƠỠơỡƯỮưữYỸyỹ"},  // tilde
    {0x304, U"AĀaāEĒeēIĪiīOŌoōUŪuūÜǕüǖ"},  // macron
    {0x306, U"AĂaăEĔeĕGĞgğIĬiĭOŎoŏUŬuŭУЎИЙийуўẠẶạặ"},  // breve
    {0x307, U"CĊcċEĖeėGĠgġIİZŻzż"},  // dot above
    {0x308, U"AÄEËIÏOÖUÜaäeëiïoöuüyÿYŸΙΪΥΫιϊυϋЕЁІЇеёії"},  // diaeresis
    {0x309, U"AẢaảÂẨâẩĂẲăẳEẺeẻÊỂêểIỈiỉOỎoỏÔỔôổƠỞơởUỦuủƯỬưửYỶyỷ"},  // hook above
    {0x30a, U"AÅaåUŮuů"},  // ring above
    {0x30b, U"OŐoőUŰuű"},  // double acute accent
    {0x30c, U"CČcčDĎdďEĚeěLĽlľNŇnňRŘrřSŠsšTŤtťZŽzžAǍaǎIǏiǐOǑoǒUǓuǔÜǙüǚ"},  // caron
    {0x31b, U"OƠoơUƯuư"},  // horn
    {0x323, U"AẠaạEẸeẹIỊiịOỌoọƠỢơợUỤuụƯỰưựYỴyỵ"},  // dot below
    {0x326, U"SȘsșTȚtț"},  // comma below
    {0x327, U"CÇcçGĢgģKĶkķLĻlļNŅnņRŖrŗSŞsşTŢtţ"},  // cedilla
    {0x328, U"AĄaąEĘeęIĮiįUŲuų"},  // ogonek
}};
// clang-format on

struct Range {
  char32_t first, last;
};
constexpr std::array<Range, 14> kShaped = {{
    {0x300, 0x36f},      // marks that no letter took
    {0x483, 0x489},      // marks of Cyrillic
    {0x590, 0xdff},      // from Hebrew, Arabic, Syriac, Thaana and N'Ko to the scripts of India
    {0xe80, 0xeff},      // Lao, whose marks lie above each other
    {0xf00, 0x109f},     // Tibetan, Burmese
    {0x1780, 0x18af},    // Khmer, Mongolian
    {0x1ab0, 0x1aff},    // marks
    {0x1dc0, 0x1dff},    // marks
    {0x20d0, 0x20ff},    // marks around symbols
    {0xfb1d, 0xfdff},    // forms of Hebrew and Arabic letters
    {0xfe20, 0xfe2f},    // halves of marks
    {0xfe70, 0xfefc},    // forms of Arabic letters
    {0x10800, 0x10fff},  // old scripts that run from right to left
    {0x1e800, 0x1efff},  // the same, and letters of Arabic formulas
}};

/// 0: the two are not one.
char32_t composed(char32_t letter, char32_t mark) {
  for (const auto& [of, pairs] : kMarks) {
    if (of != mark) continue;
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
      if (pairs[i] == letter) return pairs[i + 1];
  }
  return 0;
}

}  // namespace

std::vector<char32_t> compose(const std::vector<char32_t>& characters) {
  std::vector<char32_t> result;
  result.reserve(characters.size());
  for (const char32_t c : characters) {
    const bool is_mark = c >= 0x300 && c <= 0x36f;
    const char32_t one = is_mark && !result.empty() ? composed(result.back(), c) : 0;
    if (one != 0)
      result.back() = one;
    else
      result.push_back(c);
  }
  return result;
}

bool needs_shaping(char32_t character) {
  for (const auto& range : kShaped)
    if (character >= range.first && character <= range.last) return true;
  return false;
}

}  // namespace gpuhisto::plot
