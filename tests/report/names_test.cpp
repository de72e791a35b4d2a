// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "report/names.hpp"

#include <gtest/gtest.h>

#include <set>

#include "gpuhisto/report.hpp"

namespace gpuhisto {
namespace {

const std::string kReplacement = "\xef\xbf\xbd";

TEST(Names, SoundUtf8IsLeftAlone) {
  for (const std::string name : {"", "plain.png", "caf\xc3\xa9.jpg", "\xe2\x82\xac", "\xf0\x9f\x93\xb7.png"}) {
    EXPECT_TRUE(is_utf8(name));
    EXPECT_EQ(utf8_name(name), name);
    EXPECT_EQ(printable_name(name), name);
  }
}

TEST(Names, BadBytesAreShownOneByOne) {
  const std::pair<std::string, int> cases[] = {{"\xff", 1},
                                               {"\xc0\xaf", 2},
                                               {"\xe0\x80\xaf", 3},
                                               {"\xed\xa0\x80", 3},  // overlong, a surrogate
                                               {"\xf4\x90\x80\x80", 4},
                                               {"\xf5\x80\x80\x80", 4},
                                               {"\xe2\x82", 2},
                                               {"\x80", 1}};
  for (const auto& [bytes, bad] : cases) {
    EXPECT_FALSE(is_utf8(bytes));
    std::string expected;
    for (int i = 0; i < bad; ++i) expected += kReplacement;
    EXPECT_EQ(utf8_name("a" + bytes + "b"), "a" + expected + "b");
  }
  EXPECT_EQ(printable_name("\xf1\xff\xfe"), "\\xf1\\xff\\xfe");
  EXPECT_EQ(utf8_name("\xc3(\xc3\xa9"), kReplacement + "(\xc3\xa9");
}

TEST(Names, NoTwoNamesLookAlike) {
  EXPECT_EQ(printable_name("caf\xe9"), "caf\\xe9");
  EXPECT_EQ(printable_name("caf\\xe9"), "caf\\\\xe9");
  EXPECT_EQ(utf8_name("a\\b"), "a\\b");
  std::set<std::string> seen;
  const std::string alphabet = "\\x09\xe9\n";
  for (std::size_t i = 0; i < 6 * 6 * 6 * 6 * 6; ++i) {
    std::string name;
    for (std::size_t rest = i, k = 0; k < 5; ++k, rest /= 6) name += alphabet[rest % 6];
    EXPECT_TRUE(seen.insert(printable_name(name)).second) << printable_name(name);
  }
  // A message holds names that are printable already.
  EXPECT_EQ(printable_text("cannot write caf\\xe9: \x1b[m"), "cannot write caf\\xe9: \\x1b[m");
}

TEST(Names, NothingReachesTheTerminalThatItObeys) {
  EXPECT_EQ(printable_name("a\nb\x1b[31m\x7f\t"), "a\\x0ab\\x1b[31m\\x7f\\x09");
  EXPECT_EQ(printable_name("\xc2\x9b"
                           "31m"),
            "\\xc2\\x9b31m");                                                  // the 8-bit CSI
  EXPECT_EQ(printable_name("\xe2\x80\xaegnp.exe"), "\\xe2\\x80\\xaegnp.exe");  // right-to-left override
  EXPECT_EQ(utf8_name("a\nb"), "a\nb");
}

TEST(Names, Base64RoundTrips) {
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_EQ(to_base64("fo"), "Zm8=");
  EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    bytes += static_cast<char>(i * 7);
    EXPECT_EQ(from_base64(to_base64(bytes)), bytes);
  }
  for (const char* bad : {"Z", "Zg", "Zg=", "Zg==Zg==", "Zh==", "Z g=", "Zm9v\n", "====", "Zm9*"})
    EXPECT_FALSE(from_base64(bad)) << bad;
}

}  // namespace
}  // namespace gpuhisto
