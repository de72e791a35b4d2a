// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/text.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

#include "plot/compose.hpp"

namespace gpuhisto::plot {
namespace {

std::string round_trip(std::string_view text) {
  std::string result;
  for (const char32_t c : decode_utf8(text)) append_utf8(result, c);
  return result;
}

TEST(PlotText, EveryCharacterSurvives) {
  for (char32_t c = 1; c <= 0x10ffff; c += c < 0x3000 ? 1 : 97) {
    if (c >= 0xd800 && c < 0xe000) continue;
    std::string text;
    append_utf8(text, c);
    ASSERT_EQ(decode_utf8(text), std::vector<char32_t>{c});
  }
}

TEST(PlotText, BadBytesAreReplacedOneByOne) {
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(round_trip("a\xff"
                       "b"),
            "a" + bad + "b");
  EXPECT_EQ(round_trip("\xc3"), bad);                                // cut off
  EXPECT_EQ(round_trip("\xc0\xaf"), bad + bad);                      // overlong
  EXPECT_EQ(round_trip("\xe0\x80\xaf"), bad + bad + bad);            // overlong
  EXPECT_EQ(round_trip("\xed\xa0\x80"), bad + bad + bad);            // surrogate
  EXPECT_EQ(round_trip("\xf4\x90\x80\x80"), bad + bad + bad + bad);  // beyond Unicode
}

TEST(PlotText, CellsOfWideAndCombiningCharacters) {
  EXPECT_EQ(cell_width("abc"), 3);
  EXPECT_EQ(cell_width("日本"), 4);
  EXPECT_EQ(cell_width("e\xcc\x81"), 1);
}

TEST(PlotText, WidthGrowsWithSizeAndWeight) {
  EXPECT_NEAR(text_width("0000", 10), 4 * 6.36, 1e-9);
  EXPECT_NEAR(text_width("0000", 20), 8 * 6.36, 1e-9);
  EXPECT_GT(text_width("Title", 10, Weight::kBold), text_width("Title", 10));
}

TEST(PlotText, AccentsBehindTheirLettersBecomeOneCharacter) {
  const auto composed = [](std::string_view text) { return compose(decode_utf8(text)); };
  const std::pair<const char*, const char*> cases[] = {
      {"Cafe\u0301 A\u030angstro\u0308m c\u0327a", "Café Ångström ça"},
      {"z\u030c\u0141o\u0301dz\u0301 e\u0328 G\u0306 I\u0307 u\u030b a\u0304", "žŁódź ę Ğ İ ű ā"},
      {"Vie\u0323\u0302t o\u031b\u0323 u\u0308\u030c", "Việt ợ ǚ"},
      {"и\u0306 е\u0308 Ι\u0308 α\u0301", "й ё Ϊ ά"}};
  for (const auto& [apart, together] : cases) {
    EXPECT_EQ(composed(apart), decode_utf8(together)) << together;
    EXPECT_DOUBLE_EQ(text_width(apart, 10), text_width(together, 10)) << together;
  }
  EXPECT_TRUE(needs_shaping(composed("\u0301e").front())) << "nothing to stand on";
  for (const char* left : {"q\u0303", "1\u0301", "e\u0301\u0301"})
    EXPECT_TRUE(needs_shaping(composed(left).back())) << left;
}

// A renderer without shaping puts an ellipsis there.
TEST(PlotText, AMarkWithoutALetterForItHasTheWidthOfAnEllipsis) {
  EXPECT_DOUBLE_EQ(text_width("q\u0303", 10), text_width("q…", 10));
}

TEST(PlotText, LettersThatJoinTurnOrStackNeedShaping) {
  for (const char32_t c : std::u32string_view(U"אةܐހߊकກཀကកﬡﭐﻼ\U00010800\U0001ee00\u0300\u20d7\ufe20"))
    EXPECT_TRUE(needs_shaping(c)) << std::hex << static_cast<unsigned>(c);
  for (const char32_t c : std::u32string_view(U"aéßŁΩфԱაꓐ±…▲฿日\ufffd\u0375\ufe0f"))
    EXPECT_FALSE(needs_shaping(c)) << std::hex << static_cast<unsigned>(c);
}

TEST(PlotText, ShorteningLeavesAccentsOnTheirLetters) {
  std::string name;
  for (int i = 0; i < 20; ++i) name += "e\u0301";
  for (int room = 3; room < 20; ++room)
    for (const char32_t c :
         decode_utf8(shorten(name, room, "…", [](std::string_view text) { return cell_width(text); })))
      EXPECT_TRUE(c == U'é' || c == U'…') << room;
}

TEST(PlotText, ShortensInTheMiddle) {
  const auto cells = [](std::string_view text) { return cell_width(text); };
  EXPECT_EQ(shorten("photo.jpg", 9, "…", cells), "photo.jpg");
  EXPECT_EQ(shorten("photograph.jpg", 9, "…", cells), "phot….jpg");
  EXPECT_EQ(shorten("日本日本日本", 7, "…", cells), "日本…本");
  EXPECT_EQ(shorten("photo", 0, "…", cells), "");
  for (int length = 2; length < 40; ++length)
    for (int room = 1; room < length; ++room)
      EXPECT_EQ(cell_width(shorten(std::string(static_cast<std::size_t>(length), 'x'), room, "…", cells)), room);
}

TEST(PlotText, ShortensAMegabyteAtOnce) {
  int measured = 0;
  const auto cells = [&](std::string_view text) {
    ++measured;
    return cell_width(text);
  };
  EXPECT_EQ(shorten(std::string(1 << 20, 'x'), 21, "…", cells), "xxxxxxxxxx…xxxxxxxxxx");
  EXPECT_LT(measured, 20);
}

}  // namespace
}  // namespace gpuhisto::plot
