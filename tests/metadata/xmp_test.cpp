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

TEST(Xmp, FitsUnderAnyPrefixAndInAnyForm) {
  EXPECT_EQ(fitted("<a xmlns:t = 'http://ns.adobe.com/tiff/1.0/' t:Orientation=\"6\" u:Orientation=\"6\"/>"),
            "<a xmlns:t = 'http://ns.adobe.com/tiff/1.0/' t:Orientation=\"1\" u:Orientation=\"6\"/>");
  EXPECT_EQ(fitted("<a xmlns:e=\"http://ns.adobe.com/exif/1.0/\"><e:PixelXDimension>4000</e:PixelXDimension></a>"),
            "<a xmlns:e=\"http://ns.adobe.com/exif/1.0/\"><e:PixelXDimension>30</e:PixelXDimension></a>");
  EXPECT_EQ(fitted("<tiff:Orientation xml:lang=\"x\">6</tiff:Orientation>"),
            "<tiff:Orientation xml:lang=\"x\">1</tiff:Orientation>");
  EXPECT_EQ(fitted("<tiff:Orientation rdf:parseType=\"Resource\"> <rdf:value>6</rdf:value></tiff:Orientation>"),
            "<tiff:Orientation rdf:parseType=\"Resource\"> <rdf:value>1</rdf:value></tiff:Orientation>");
  EXPECT_EQ(fitted("<tiff:Orientation><rdf:Description><rdf:value>6</rdf:value></rdf:Description>"),
            "<tiff:Orientation><rdf:Description><rdf:value>1</rdf:value></rdf:Description>");
}

TEST(Xmp, ResolutionsChangePlacesWithTheAxes) {
  const std::string attributes = "<a tiff:XResolution=\"300/1\" tiff:YResolution=\"150/1\" x:XResolution=\"1\"/>",
                    elements = "<tiff:XResolution>300/1</tiff:XResolution><tiff:YResolution>150/1</tiff:YResolution>";
  EXPECT_EQ(fitted(attributes, {0, 0, true, true}),
            "<a tiff:YResolution=\"300/1\" tiff:XResolution=\"150/1\" x:XResolution=\"1\"/>");
  EXPECT_EQ(fitted(elements), "<tiff:YResolution>300/1</tiff:YResolution><tiff:XResolution>150/1</tiff:XResolution>");
  for (const std::string& said : {attributes, elements, std::string("Resolution"), std::string("tiff:XResolution")})
    EXPECT_EQ(fitted(said, {0, 0, true, false}), said);
  EXPECT_EQ(fitted("Resolution:XResolution tiff:XResolution"), "Resolution:XResolution tiff:XResolution");
}

TEST(Xmp, NoVideoLiesBehindAnOutput) {
  EXPECT_EQ(
      fitted("<a GCamera:MotionPhoto=\"1\" GCamera:MotionPhotoVersion='1'/><GCamera:MicroVideo>1</GCamera:MicroVideo>",
             {}),
      "<a GCamera:MotionPhoto=\"0\" GCamera:MotionPhotoVersion='1'/><GCamera:MicroVideo>0</GCamera:MicroVideo>");
}

TEST(Xmp, LeavesTheRestAlone) {
  for (const char* const text : {"", "tiff:Orientation", "tiff:Orientation=", "tiff:Orientation=\"",
                                 "tiff:Orientation=\"6", "tiff:Orientation=6", "<tiff:Orientation></tiff:Orientation>",
                                 "tiff:OrientationX=\"6\"", "tiff:Orientation=\"six\"", "</tiff:Orientation>6<",
                                 "<tiff:Orientation/>6<", "<tiff:Orientation><exif:Flash>6</exif:Flash>",
                                 "<tiff:Orientation a=\"", "<tiff:OrientationX>6<", ":Orientation=\"6\""})
    EXPECT_EQ(fitted(text), text);
  const std::string said = "<a tiff:Orientation=\"6\" tiff:ImageWidth='4000'/>";
  EXPECT_EQ(fitted(said, {}), said);
}

// Each looks for what is not there.
TEST(Xmp, AMillionHalvesOfPropertiesTakeNoTime) {
  for (const std::string half :
       {"<tiff:Orientation ", "<tiff:Orientation>", "<tiff:Orientation><rdf:value>", ":Orientation",
        "http://ns.adobe.com/tiff/1.0/", "\"http://ns.adobe.com/tiff/1.0/", ":XResolution"}) {
    std::string said;
    while (said.size() < 2u << 20) said += half;
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(fitted(said) == said) << half;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2)) << half;
  }
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
