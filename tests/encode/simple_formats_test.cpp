// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include "pictures.hpp"

namespace gpuhisto::test {
namespace {

std::string text_of(const std::vector<std::uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

TEST(Formats, FromNames) {
  EXPECT_EQ(format_from_extension("a.png"), Format::kPng);
  EXPECT_EQ(format_from_extension("dir.x/a.B.JPG"), Format::kJpeg);
  EXPECT_EQ(format_from_extension(".pgm"), Format::kPnm);
  EXPECT_EQ(format_from_extension("x.PpM"), Format::kPnm);
  EXPECT_EQ(format_from_extension("x.pam"), Format::kPam);
  EXPECT_EQ(format_from_extension("x.bmp"), Format::kBmp);
  EXPECT_EQ(format_from_extension("x.tif"), Format::kTiff);
  for (const char* name : {"", "-", "png", "a.", "a.png/b", "a.pngx", "a.pbm", "a.png ", "./x", ".."})
    EXPECT_EQ(format_from_extension(name), std::nullopt) << name;
  EXPECT_EQ(format_from_name("png"), Format::kPng);
  EXPECT_EQ(format_from_name("jpeg"), Format::kJpeg);
  EXPECT_EQ(format_from_name("webp"), Format::kWebp);
  EXPECT_EQ(format_from_name("a.png"), std::nullopt);
  EXPECT_EQ(format_from_name(""), std::nullopt);
}

TEST(Formats, EveryWritableOneIsFoundByItsOwnExtension) {
  for (const Format format : {Format::kPng, Format::kJpeg, Format::kPnm, Format::kPam, Format::kBmp})
    for (int channels = 1; channels <= 4; ++channels) {
      EXPECT_TRUE(can_write(format));
      EXPECT_EQ(format_from_extension(extension_of(format, channels)), format);
      EXPECT_EQ(format_from_name(std::string(format_name(format))), format);
    }
  EXPECT_EQ(extension_of(Format::kPnm, 1), ".pgm");
  EXPECT_EQ(extension_of(Format::kPnm, 3), ".ppm");
  EXPECT_EQ(extension_of(Format::kJpeg, 3), ".jpg");
}

TEST(Formats, Refusals) {
  const Picture picture = make_picture(Pattern::kNoise, 3, 3, 4);
  for (const Format format : {Format::kTga, Format::kPsd, Format::kGif, Format::kTiff, Format::kWebp}) {
    EXPECT_FALSE(can_write(format));
    const Error error = catch_error([&] { encode_to_memory(picture, format); });
    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
    EXPECT_NE(std::string(error.what()).find(format_name(format)), std::string::npos);
  }
  for (const int channels : {2, 4})
    for (const Format format : {Format::kJpeg, Format::kPnm, Format::kBmp}) {
      EXPECT_FALSE(can_write_alpha(format));
      const Error error = catch_error([&] { encode_to_memory(make_picture(Pattern::kNoise, 3, 3, channels), format); });
      EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
      EXPECT_NE(std::string(error.what()).find("PNG and PAM"), std::string::npos);
    }
  for (const Format format : {Format::kPng, Format::kJpeg, Format::kPnm, Format::kPam, Format::kBmp})
    for (const ImageView view : {ImageView{nullptr, 0, 5, 1, 0}, ImageView{nullptr, 5, 0, 1, 5}}) {
      MemorySink sink;
      EXPECT_EQ(catch_error([&] { encode(view, format, {}, sink); }).kind(), ErrorKind::kUsage);
    }
}

TEST(Formats, FailingSink) {
  for (const Format format : {Format::kJpeg, Format::kPnm, Format::kBmp})
    for (const std::size_t room : {0u, 20u, 70000u}) {
      const Picture picture = make_picture(Pattern::kNoise, 400, 300, 3, 1);
      FullSink sink(room);
      const Error error = catch_error([&] { encode(picture.view(), format, {}, sink); });
      EXPECT_EQ(error.kind(), ErrorKind::kIo) << static_cast<int>(format) << " " << room;
    }
}

TEST(Pnm, HeaderAndPixels) {
  for (const std::size_t width : {1u, 2u, 7u, 300u, 5000u})
    for (const std::size_t height : {1u, 3u, 100u})
      for (const int channels : {1, 3})
        for (const std::size_t padding : {0u, 3u}) {
          const Picture picture = make_picture(Pattern::kNoise, width, height, channels, padding);
          const std::string expected = (channels == 1 ? "P5\n" : "P6\n") + std::to_string(width) + " " +
                                       std::to_string(height) + "\n255\n" + text_of(picture.packed());
          EXPECT_TRUE(text_of(encode_to_memory(picture, Format::kPnm)) == expected) << width << " " << height;
        }
}

TEST(Pam, HeaderAndPixels) {
  const char* types[] = {"GRAYSCALE", "GRAYSCALE_ALPHA", "RGB", "RGB_ALPHA"};
  for (int channels = 1; channels <= 4; ++channels) {
    const Picture picture = make_picture(Pattern::kNoise, 13, 11, channels, 2);
    const std::string expected = "P7\nWIDTH 13\nHEIGHT 11\nDEPTH " + std::to_string(channels) +
                                 "\nMAXVAL 255\nTUPLTYPE " + types[channels - 1] + "\nENDHDR\n" +
                                 text_of(picture.packed());
    EXPECT_EQ(text_of(encode_to_memory(picture, Format::kPam)), expected);
  }
}

std::uint32_t little(const std::vector<std::uint8_t>& b, std::size_t at, int bytes) {
  std::uint32_t value = 0;
  for (int i = 0; i < bytes; ++i) value |= std::uint32_t{b.at(at + static_cast<std::size_t>(i))} << (8 * i);
  return value;
}

TEST(Bmp, HeaderAndPixels) {
  for (const std::size_t width : {1u, 2u, 3u, 4u, 5u, 301u, 30001u})
    for (const std::size_t height : {1u, 2u, 77u})
      for (const int channels : {1, 3}) {
        const Picture picture = make_picture(Pattern::kNoise, width, height, channels, 1);
        const auto file = encode_to_memory(picture, Format::kBmp);
        ASSERT_EQ(little(file, 0, 2), 0x4d42u);
        ASSERT_EQ(little(file, 2, 4), file.size());
        const std::size_t offset = little(file, 10, 4);
        ASSERT_EQ(offset, channels == 1 ? 1078u : 54u);
        ASSERT_EQ(little(file, 18, 4), width);
        ASSERT_EQ(little(file, 22, 4), height);
        ASSERT_EQ(little(file, 28, 2), static_cast<unsigned>(8 * channels));
        const auto c = static_cast<std::size_t>(channels);
        const std::size_t stride = (width * c + 3) / 4 * 4;
        ASSERT_EQ(file.size(), offset + stride * height);
        for (std::size_t y = 0; y < height; ++y) {
          const std::uint8_t* row = file.data() + offset + (height - 1 - y) * stride;
          for (std::size_t i = 0; i < width * c; ++i) {
            const std::size_t stored = i / c * c + (c - 1 - i % c);
            const std::uint8_t value = channels == 1 ? file[54 + 4 * std::size_t{row[i]}] : row[stored];
            ASSERT_EQ(value, picture.view().row(y)[i]);
          }
          for (std::size_t i = width * c; i < stride; ++i) ASSERT_EQ(row[i], 0);
        }
      }
}

TEST(Bmp, SizeLimits) {
  const std::uint8_t pixel = 0;
  MemorySink sink;
  for (const ImageView view :
       {ImageView{&pixel, std::size_t{1} << 31, 1, 1, 0}, ImageView{&pixel, 1, std::size_t{1} << 31, 1, 0},
        ImageView{&pixel, 40000, 40000, 3, 0}}) {
    const Error error = catch_error([&] { encode(view, Format::kBmp, {}, sink); });
    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
    EXPECT_NE(std::string(error.what()).find("at most"), std::string::npos);
  }
  EXPECT_TRUE(sink.bytes.empty());
}

}  // namespace
}  // namespace gpuhisto::test
