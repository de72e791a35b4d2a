// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <cmath>
#include <cstdlib>

#include "codecs/decode_helpers.hpp"
#include "codecs/jpeg_maker.hpp"

namespace gpuhisto::testing {
namespace {

using namespace std::string_literals;

void expect_as_plain_libjpeg(const JpegWish& wish) {
  const Bytes file = make_jpeg(wish);
  const Decoded decoded = decode(file);
  EXPECT_EQ(decoded.pixels, plain_libjpeg(file))
      << wish.width << "x" << wish.height << " sampling " << wish.horizontal << "x" << wish.vertical;
  EXPECT_EQ(decoded.rows, static_cast<std::uint64_t>(wish.height));
  EXPECT_FALSE(decoded.flags.any());
}

TEST(Jpeg, EqualsPlainLibjpegForAllSamplingsAndSizes) {
  constexpr int kSizes[][2] = {{1, 1}, {7, 5}, {8, 8}, {17, 33}, {97, 61}, {16, 1}, {1, 40}};
  constexpr int kSamplings[][2] = {{1, 1}, {2, 1}, {2, 2}, {4, 1}, {1, 2}, {1, 4}, {4, 2}};
  for (const auto& size : kSizes)
    for (const auto& sampling : kSamplings)
      for (int kind = 0; kind < 8; ++kind) {
        JpegWish wish;
        wish.width = size[0], wish.height = size[1];
        wish.horizontal = sampling[0], wish.vertical = sampling[1];
        wish.progressive = (kind & 1) != 0, wish.arithmetic = (kind & 2) != 0, wish.restart_rows = kind & 4 ? 1 : 0;
        expect_as_plain_libjpeg(wish);
      }
}

TEST(Jpeg, EqualsPlainLibjpegForGrayAndStoredRgb) {
  JpegWish gray;
  gray.input = gray.stored = JCS_GRAYSCALE;
  gray.horizontal = gray.vertical = 1;
  expect_as_plain_libjpeg(gray);
  gray.vertical = 2;
  expect_as_plain_libjpeg(gray);
  JpegWish rgb;
  rgb.stored = JCS_RGB;
  rgb.horizontal = rgb.vertical = 1;
  expect_as_plain_libjpeg(rgb);
  JpegWish separate;  // a scan a component, not progressive
  separate.scans = {{1, {0}, 0, 63, 0, 0}, {1, {1}, 0, 63, 0, 0}, {1, {2}, 0, 63, 0, 0}};
  expect_as_plain_libjpeg(separate);
}

TEST(Jpeg, TellsWhatTheHeaderSays) {
  JpegWish wish;
  wish.horizontal = 2, wish.vertical = 1;
  const ImageInfo info = decode(make_jpeg(wish)).info;
  EXPECT_EQ(info.format, Format::kJpeg);
  EXPECT_EQ(info.channels, 3);
  EXPECT_EQ(info.source_bits, 8);
  ASSERT_TRUE(info.subsampling.has_value());
  EXPECT_EQ(info.subsampling->horizontal, 2);
  EXPECT_EQ(info.subsampling->vertical, 1);
  EXPECT_EQ(info.orientation, 1);
}

TEST(Jpeg, ConvertsCmykByTheFormulaAndHonoursAdobesInversion) {
  for (const J_COLOR_SPACE stored : {JCS_CMYK, JCS_YCCK})
    for (const bool adobe : {true, false}) {
      if (stored == JCS_YCCK && !adobe) continue;  // without the marker nothing says YCCK
      JpegWish wish;
      wish.input = JCS_CMYK, wish.stored = stored, wish.adobe = adobe;
      wish.horizontal = wish.vertical = 1;
      const Bytes file = make_jpeg(wish), ink = plain_libjpeg(file);
      const Decoded decoded = decode(file);
      ASSERT_EQ(decoded.pixels.size() / 3, ink.size() / 4);
      for (std::size_t i = 0; i < decoded.pixels.size(); ++i) {
        const double stored_color = ink[i / 3 * 4 + i % 3], stored_key = ink[i / 3 * 4 + 3];
        const double c = adobe ? 255 - stored_color : stored_color, k = adobe ? 255 - stored_key : stored_key;
        ASSERT_EQ(decoded.pixels[i], std::lround((255 - c) * (255 - k) / 255)) << i;
      }
      EXPECT_TRUE(decoded.flags.has(Flag::kConvertedCmyk));
      expect_same_in_every_way(file);
    }
}

TEST(Jpeg, GivesTheSameRowsFromASlowPipe) {
  for (const bool progressive : {false, true}) {
    JpegWish wish;
    wish.progressive = progressive;
    wish.segments = {segment(0xE1, "http://ns.adobe.com/xap/1.0/", Bytes(3000, ' ')), segment(0xFE, "a comment"),
                     segment(0xE2, "ICC_PROFILE\0\1\1"s, Bytes(500, 1))};
    expect_same_in_every_way(make_jpeg(wish));
  }
}

Bytes exif(const std::string& tiff) { return segment(0xE1, "Exif\0\0"s + tiff); }

TEST(Jpeg, ReadsTheOrientation) {
  for (int value = 0; value <= 9; ++value) {
    JpegWish wish;
    const char v = static_cast<char>(value);
    const std::string intel = "II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0"s + v + std::string(7, '\0');
    const std::string motorola = "MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"s + v + std::string(6, '\0');
    for (const std::string& tiff : {intel, motorola}) {
      wish.segments = {exif(tiff)};
      EXPECT_EQ(decode(make_jpeg(wish)).info.orientation, value >= 1 && value <= 8 ? value : 1);
    }
  }
}

TEST(Jpeg, KeepsItsMetadataWhenAsked) {
  const Bytes profile(150000, 7), extended = bytes_of("http://ns.adobe.com/xmp/extension/\0rest"s);
  JpegWish wish;
  // The profile's segments in any order.
  for (const int number : {3, 1, 2}) {
    const auto from = profile.begin() + 60000 * (number - 1), to = number < 3 ? from + 60000 : profile.end();
    const Bytes numbers = {static_cast<std::uint8_t>(number), 3};
    wish.segments.push_back(segment(0xE2, "ICC_PROFILE\0"s, numbers + Bytes(from, to)));
  }
  for (const Bytes& other :
       {exif("II*"), segment(0xE1, "http://ns.adobe.com/xap/1.0/\0<x/>"s), segment(0xE1, "", extended),
        segment(0xED, "Photoshop 3.0\0iptc"s), segment(0xFE, "said"), exif("a second one")})
    wish.segments.push_back(other);
  const Bytes file = make_jpeg(wish);
  EXPECT_EQ(decode(file).metadata.bytes(), 0u);
  const Metadata kept = decode(file, keeping_metadata()).metadata;
  EXPECT_EQ(kept.icc, profile);
  EXPECT_EQ(kept.exif, bytes_of("II*"));
  EXPECT_EQ(kept.xmp, bytes_of("<x/>"));
  ASSERT_EQ(kept.jpeg_segments.size(), 3u);
  EXPECT_EQ(kept.jpeg_segments[0].bytes, extended);
  EXPECT_EQ(kept.jpeg_segments[1].bytes, bytes_of("Photoshop 3.0\0iptc"s));
  EXPECT_EQ(kept.jpeg_segments[2].bytes, bytes_of("said"));
  EXPECT_FALSE(kept.resolution);
  EXPECT_TRUE(kept.lost.empty());
}

// With a scan a component, sampling may go beyond what one scan holds, as those have that are written.
TEST(Jpeg, SubsamplingIsOneThatCanBeWritten) {
  for (int horizontal = 1; horizontal <= 4; ++horizontal)
    for (int vertical = 1; vertical <= 4; ++vertical) {
      JpegWish wish;
      wish.horizontal = horizontal, wish.vertical = vertical;
      wish.scans = {{1, {0}, 0, 63, 0, 0}, {1, {1}, 0, 63, 0, 0}, {1, {2}, 0, 63, 0, 0}};
      const auto subsampling = decode(make_jpeg(wish)).info.subsampling;
      ASSERT_TRUE(subsampling);
      EXPECT_EQ(subsampling->horizontal, horizontal);
      EXPECT_EQ(subsampling->vertical, horizontal * vertical <= 8 ? vertical : 2) << horizontal << "x" << vertical;
    }
}

TEST(Jpeg, TellsWhichMetadataItCannotKeep) {
  JpegWish wish;
  wish.segments = {segment(0xE2, "ICC_PROFILE\0\1\2"s, Bytes(500, 1)), segment(0xE2, "MPF\0II*"s)};
  EXPECT_EQ(decode(make_jpeg(wish), keeping_metadata()).metadata.lost,
            (std::vector<std::string>{"further pictures", "ICC profile (damaged)"}));
  wish.segments.assign(40, segment(0xFE, "", Bytes(60000, ' ')));
  wish.segments.push_back(exif("II*"));
  DecodeOptions options = keeping_metadata();
  options.max_memory = 1 << 24;
  const Metadata kept = decode(make_jpeg(wish), options).metadata;
  EXPECT_LE(kept.bytes(), options.max_memory / 16);
  EXPECT_EQ(kept.lost, std::vector<std::string>{"comment (beyond the 1 MiB that are kept)"});
  EXPECT_EQ(kept.exif, bytes_of("II*"));
}

TEST(Jpeg, ReadsTheResolutionOfJfif) {
  using Unit = Resolution::Unit;
  Bytes file = make_jpeg({});
  const auto resolution = [&](std::uint8_t unit, std::uint8_t x, std::uint8_t y) {
    file[13] = unit, file[15] = x, file[17] = y;
    return decode(file, keeping_metadata()).metadata.resolution;
  };
  EXPECT_FALSE(resolution(0, 1, 1));
  EXPECT_FALSE(resolution(1, 0, 72));
  EXPECT_EQ(resolution(0, 2, 1)->unit, Unit::kNone);
  EXPECT_EQ(resolution(1, 72, 96)->unit, Unit::kInch);
  EXPECT_EQ(resolution(1, 72, 96)->y, 96);
  EXPECT_EQ(resolution(2, 59, 28)->unit, Unit::kMetre);
  EXPECT_EQ(resolution(2, 59, 28)->x, 5900);
}

TEST(Jpeg, RefusesKindsThatLibjpegCannotRead) {
  Bytes file = make_jpeg({});
  const Bytes sof = {0xFF, 0xC0, 0, 17, 8};
  const auto at = std::search(file.begin(), file.end(), sof.begin(), sof.end()) - file.begin();
  Bytes twelve_bits = file, lossless = file;
  twelve_bits[static_cast<std::size_t>(at) + 4] = 12;
  lossless[static_cast<std::size_t>(at) + 1] = 0xC3;
  EXPECT_EQ(failure_of(twelve_bits).kind, ErrorKind::kUnsupported);
  EXPECT_EQ(failure_of(lossless).kind, ErrorKind::kUnsupported);
}

TEST(Jpeg, NamesTheLimits) {
  DecodeOptions options;
  options.max_pixels = 40 * 30;
  EXPECT_FALSE(failure_of(make_jpeg({}), options).failed);
  options.max_pixels -= 1;
  const Failure pixels = failure_of(make_jpeg({}), options);
  EXPECT_EQ(pixels.kind, ErrorKind::kTooLarge);
  EXPECT_NE(pixels.text.find("--max-pixels"), std::string::npos);
  JpegWish wish;
  wish.width = wish.height = 1000;
  wish.flat = true;
  options = {};
  options.max_memory = 1000 * 1000;
  EXPECT_FALSE(failure_of(make_jpeg(wish), options).failed);
  wish.progressive = true;  // holds 1.5 coefficients of two bytes a pixel
  const Failure memory = failure_of(make_jpeg(wish), options);
  EXPECT_EQ(memory.kind, ErrorKind::kLimit);
  EXPECT_NE(memory.text.find("--max-memory"), std::string::npos);
}

TEST(Jpeg, TheTimeLimitIsThatOfTheMoment) {
  JpegWish wish;
  wish.progressive = true;
  const Bytes file = make_jpeg(wish);
  const auto source = open_memory(file), again = open_memory(file);
  const auto decoder = open_decoder(*source, {});
  decoder->set_time_limit(TimeLimit(1e-9));
  Bytes row(static_cast<std::size_t>(wish.width) * 3);
  EXPECT_THROW(decoder->read_rows(row.data(), row.size(), 1), Error);
  EXPECT_THROW(decode_image(*decoder), Error);

  DecodeOptions limited;
  limited.time_limit = TimeLimit(1e-9);
  const auto patient = open_decoder(*again, limited);
  patient->set_time_limit({});
  EXPECT_EQ(decode_image(*patient).height(), 30u);
}

TEST(Jpeg, TheEnvironmentPlaysNoPart) {
  JpegWish wish;
  wish.progressive = true;
  wish.width = wish.height = 500;
  const Bytes file = make_jpeg(wish), pixels = plain_libjpeg(file);
  ASSERT_EQ(::setenv("JPEGMEM", "1", 1), 0);  // a thousand bytes
  const Decoded decoded = decode(file);
  ::unsetenv("JPEGMEM");
  EXPECT_EQ(decoded.pixels, pixels);
}

}  // namespace
}  // namespace gpuhisto::testing
