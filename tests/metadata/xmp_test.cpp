// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "metadata/xmp.hpp"

#include <chrono>

#include "metadata/blocks.hpp"

namespace gpuhisto::testing {
namespace {

std::string fitted(const std::string& text, const PixelChange& change = {30, 4000, true, true}) {
  Bytes packet = bytes_of(text);
  fit_xmp(packet, change);
  return {packet.begin(), packet.end()};
}

TEST(Xmp, FitsAttributesAndElements) {
  EXPECT_EQ(fitted("<a tiff:Orientation=\"6\" tiff:ImageWidth='4000' x=\"6\"/>"),
            "<a tiff:Orientation=\"1\" tiff:ImageWidth='30' x=\"6\"/>");
  EXPECT_EQ(fitted("<tiff:Orientation>8</tiff:Orientation><exif:PixelYDimension> 30 </exif:PixelYDimension>"),
            "<tiff:Orientation>1</tiff:Orientation><exif:PixelYDimension> 4000 </exif:PixelYDimension>");
  EXPECT_EQ(fitted("tiff:ImageLength = \"30\" exif:PixelXDimension=\"4000\""),
            "tiff:ImageLength = \"4000\" exif:PixelXDimension=\"30\"");
}

TEST(Xmp, LeavesTheRestAlone) {
  for (const char* const text : {"", "tiff:Orientation", "tiff:Orientation=", "tiff:Orientation=\"",
                                 "tiff:Orientation=\"6", "tiff:Orientation=6", "<tiff:Orientation></tiff:Orientation>",
                                 "tiff:OrientationX=\"6\"", "tiff:Orientation=\"six\""})
    EXPECT_EQ(fitted(text), text);
  const std::string said = "<a tiff:Orientation=\"6\" tiff:ImageWidth='4000'/>";
  EXPECT_EQ(fitted(said, {}), said);
}

// 8 MiB: moving what follows each number would take minutes.
TEST(Xmp, AMillionNumbersAreFittedAtOnce) {
  std::string said, wanted;
  while (said.size() < 8u << 20) {
    said += "<tiff:Orientation>6</tiff:Orientation>tiff:ImageWidth=\"99\" ";
    wanted += "<tiff:Orientation>1</tiff:Orientation>tiff:ImageWidth=\"4000\" ";
  }
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(fitted(said, {4000, 30, true, true}) == wanted);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(Xmp, MustBeText) {
  EXPECT_TRUE(is_sound_xmp(bytes_of("<a>\xC3\xA4</a>")));
  EXPECT_FALSE(is_sound_xmp(bytes_of("<a>\xE4</a>")));
  EXPECT_FALSE(is_sound_xmp(bytes_of(std::string("<a>\0</a>", 8))));
}

}  // namespace
}  // namespace gpuhisto::testing
