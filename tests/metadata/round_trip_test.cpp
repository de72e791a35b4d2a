// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// What the encoders write, the decoders read: the same pixels as without metadata, and the same blocks.
#include "codecs/png_chunks.hpp"
#include "gpuhisto/encoder.hpp"
#include "metadata/blocks.hpp"

namespace gpuhisto::testing {
namespace {

struct Sink : ByteSink {
  Bytes bytes;
  void write(const void* from, std::size_t count) override {
    const auto* first = static_cast<const std::uint8_t*>(from);
    bytes.insert(bytes.end(), first, first + count);
  }
};

constexpr std::size_t kWidth = 12, kHeight = 9;

Decoded written(Format format, int channels, const Metadata& metadata) {
  Bytes pixels(kWidth * kHeight * static_cast<std::size_t>(channels));
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i * 7);
  EncodeOptions options;
  options.metadata = metadata;
  Sink sink;
  encode({pixels.data(), kWidth, kHeight, channels, kWidth * static_cast<std::size_t>(channels)}, format, options,
         sink);
  return decode(sink.bytes, keeping_metadata());
}

void expect_same(const Metadata& read, const Metadata& written) {
  EXPECT_EQ(read.icc, written.icc);
  EXPECT_EQ(read.exif, written.exif);
  EXPECT_EQ(read.xmp, written.xmp);
  EXPECT_EQ(read.resolution.has_value(), written.resolution.has_value());
  if (read.resolution && written.resolution) {
    EXPECT_EQ(read.resolution->x, written.resolution->x);
    EXPECT_EQ(read.resolution->y, written.resolution->y);
  }
  const auto expect_blocks = [](const std::vector<MetadataBlock>& a, const std::vector<MetadataBlock>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].type, b[i].type);
      EXPECT_EQ(a[i].bytes, b[i].bytes);
    }
  };
  expect_blocks(read.jpeg_segments, written.jpeg_segments);
  expect_blocks(read.png_chunks, written.png_chunks);
  EXPECT_TRUE(read.lost.empty());
}

TEST(RoundTrip, Jpeg) {
  for (const int channels : {1, 3})
    for (const std::size_t profile : {300u, 65519u, 65520u, 200000u}) {
      Metadata metadata;
      metadata.icc = make_icc(channels == 1 ? "GRAY" : "RGB ", profile);
      metadata.exif = make_exif({}) + Bytes(65527 - make_exif({}).size(), 1);
      metadata.xmp = Bytes(65504, 'x');
      metadata.resolution = {300, 150, Resolution::Unit::kInch};
      metadata.jpeg_segments = {{0xE1, "", bytes_of("http://ns.adobe.com/xmp/extension/ and the rest")},
                                {0xED, "", bytes_of(std::string("Photoshop 3.0\0iptc", 18))},
                                {0xFE, "", bytes_of("said")},
                                {0xFE, "", {}}};
      const Decoded decoded = written(Format::kJpeg, channels, metadata);
      expect_same(decoded.metadata, metadata);
      EXPECT_EQ(decoded.pixels, written(Format::kJpeg, channels, {}).pixels);
      EXPECT_FALSE(decoded.flags.any());
    }
}

TEST(RoundTrip, Png) {
  for (const int channels : {1, 2, 3, 4})
    for (const std::size_t profile : {300u, 200000u}) {
      Metadata metadata;
      metadata.icc = make_icc(has_color(channels) ? "RGB " : "GRAY", profile);
      metadata.exif = make_exif({}) + Bytes(100000, 1);
      metadata.xmp = Bytes(100000, 'x');
      metadata.resolution = {11811, 2835, Resolution::Unit::kMetre};
      metadata.png_chunks = {{png_chunk_type("gAMA"), "", {0, 0, 177, 143}},
                             {png_chunk_type("tEXt"), "", bytes_of(std::string("Title\0it", 8))}};
      const Decoded decoded = written(Format::kPng, channels, metadata);
      expect_same(decoded.metadata, metadata);
      EXPECT_EQ(decoded.pixels, written(Format::kPng, channels, {}).pixels);
      EXPECT_FALSE(decoded.flags.any());
    }
}

TEST(RoundTrip, BmpHasAResolution) {
  Metadata metadata;
  metadata.resolution = {11811, 2835, Resolution::Unit::kMetre};
  expect_same(written(Format::kBmp, 3, metadata).metadata, metadata);
}

TEST(RoundTrip, ProfileAndSrgbExcludeEachOther) {
  Metadata metadata;
  metadata.png_chunks = {{png_chunk_type("sRGB"), "", {0}}};
  EXPECT_EQ(written(Format::kPng, 3, metadata).metadata.png_chunks.size(), 1u);
  metadata.icc = make_icc("RGB ");
  EXPECT_EQ(written(Format::kPng, 3, metadata).metadata.png_chunks.size(), 0u);
}

}  // namespace
}  // namespace gpuhisto::testing
