// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <webp/decode.h>
#include <webp/encode.h>

#include "codecs/byte_fields.hpp"
#include "codecs/decode_helpers.hpp"
#include "codecs/random_bytes.hpp"

namespace gpuhisto::testing {
namespace {

Bytes taken(std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, data + size);
  WebPFree(data);
  return bytes;
}

// libwebp clears the colors of transparent pixels unless asked to be exact, so alpha stays above 0 here.
Bytes rgba(int width, int height, std::uint32_t seed) {
  Bytes pixels = random_bytes(static_cast<std::size_t>(width * height * 4), seed);
  for (std::size_t i = 3; i < pixels.size(); i += 4) pixels[i] |= 1;
  return pixels;
}

Bytes lossless(const Bytes& pixels, int width, int height, int channels) {
  std::uint8_t* data = nullptr;
  const std::size_t size = channels == 4 ? WebPEncodeLosslessRGBA(pixels.data(), width, height, width * 4, &data)
                                         : WebPEncodeLosslessRGB(pixels.data(), width, height, width * 3, &data);
  return taken(data, size);
}

Bytes lossy(const Bytes& pixels, int width, int height, int channels) {
  std::uint8_t* data = nullptr;
  const std::size_t size = channels == 4 ? WebPEncodeRGBA(pixels.data(), width, height, width * 4, 80, &data)
                                         : WebPEncodeRGB(pixels.data(), width, height, width * 3, 80, &data);
  return taken(data, size);
}

Bytes chunk(const std::string& name, const Bytes& data) {
  Bytes bytes = bytes_of(name);
  put32le(bytes, static_cast<std::uint32_t>(data.size()));
  bytes = bytes + data;
  if (data.size() % 2 != 0) bytes.push_back(0);
  return bytes;
}

void put24le(Bytes& to, std::uint32_t value) {
  put16le(to, value);
  to.push_back(static_cast<std::uint8_t>(value >> 16));
}

Bytes riff(std::uint8_t flags, std::uint32_t width, std::uint32_t height, const Bytes& chunks) {
  Bytes head = {flags, 0, 0, 0};
  put24le(head, width - 1);
  put24le(head, height - 1);
  const Bytes body = bytes_of("WEBP") + chunk("VP8X", head) + chunks;
  return chunk("RIFF", body);
}

// The image chunk of a simple file.
Bytes picture_of(const Bytes& file) { return Bytes(file.begin() + 12, file.end()); }

Bytes frame(std::uint32_t x, std::uint32_t y, std::uint32_t width, std::uint32_t height, const Bytes& picture) {
  Bytes data;
  for (const std::uint32_t value : {x / 2, y / 2, width - 1, height - 1, 100u}) put24le(data, value);
  data.push_back(2);  // do not blend
  return chunk("ANMF", data + picture);
}

TEST(Webp, LosslessIsExact) {
  for (const int width : {1, 2, 17, 64})
    for (const int channels : {3, 4}) {
      const int height = 9;
      const Bytes pixels =
          channels == 4 ? rgba(width, height, 1) : random_bytes(static_cast<std::size_t>(width * height * 3), 2);
      const Bytes file = lossless(pixels, width, height, channels);
      const auto image = decode(file);
      EXPECT_EQ(image.info.channels, channels);
      EXPECT_EQ(image.pixels, pixels);
      EXPECT_FALSE(image.flags.any());
      expect_same_in_every_way(file);
    }
}

TEST(Webp, LossyIsWhatLibwebpGives) {
  for (const int width : {1, 16, 33, 100})
    for (const int channels : {3, 4}) {
      const int height = 41;
      const Bytes file =
          lossy(channels == 4 ? rgba(width, height, 3) : random_bytes(static_cast<std::size_t>(width * height * 3), 3),
                width, height, channels);
      int w = 0, h = 0;
      std::uint8_t* data = channels == 4 ? WebPDecodeRGBA(file.data(), file.size(), &w, &h)
                                         : WebPDecodeRGB(file.data(), file.size(), &w, &h);
      ASSERT_NE(data, nullptr);
      const Bytes expected = taken(data, static_cast<std::size_t>(w * h * channels));
      EXPECT_EQ(decode(file).pixels, expected) << width << " " << channels;
    }
}

TEST(Webp, TruncationAtEveryByteFails) {
  const Bytes a = lossless(random_bytes(20 * 10 * 3, 1), 20, 10, 3), b = lossy(rgba(40, 40, 2), 40, 40, 4);
  for (const Bytes& file : {a, b}) {
    std::size_t sound = file.size();
    // Bits or a byte of padding at the very end may be missing without loss; then it is told.
    for (std::size_t size = file.size(); size-- > file.size() - 4;) {
      try {
        const auto image = decode(cut(file, size));
        EXPECT_EQ(image.pixels, decode(file).pixels);
        EXPECT_TRUE(image.flags.has(Flag::kWarning)) << size;
        sound = size;
      } catch (const Error&) {
        break;
      }
    }
    for (std::size_t size = 0; size < sound; ++size)
      ASSERT_TRUE(failure_of(cut(file, size)).failed) << size << " of " << file.size();
  }
}

TEST(Webp, ToleratedTruncationGivesWholeRows) {
  const Bytes file = lossy(random_bytes(64 * 64 * 3, 4), 64, 64, 3);
  DecodeOptions options;
  options.tolerate_damage = true;
  const auto image = decode(cut(file, file.size() * 3 / 4), options);
  EXPECT_GT(image.rows, 0u);
  EXPECT_LT(image.rows, 64u);
  EXPECT_EQ(image.pixels, cut(decode(file).pixels, static_cast<std::size_t>(image.rows) * 64 * 3));
  EXPECT_TRUE(image.flags.has(Flag::kDamaged));
}

TEST(Webp, FirstFrameOfAnAnimation) {
  const Bytes pixels = random_bytes(4 * 3 * 3, 5), other = random_bytes(4 * 3 * 3, 6);
  const Bytes picture = picture_of(lossless(pixels, 4, 3, 3));
  const Bytes rest = frame(0, 0, 4, 3, picture_of(lossless(other, 4, 3, 3)));
  const Bytes anim = chunk("ANIM", Bytes(6, 0));
  const auto whole = decode(riff(2, 4, 3, anim + frame(0, 0, 4, 3, picture) + rest));
  EXPECT_EQ(whole.pixels, pixels);
  EXPECT_EQ(whole.info.frames, 2u);
  EXPECT_EQ(whole.notes.at(0), "only the first of 2 frames was read");
  const auto partial = decode(riff(2, 8, 6, anim + frame(2, 2, 4, 3, picture) + rest));
  ASSERT_EQ(partial.info.channels, 4);
  for (std::size_t y = 0; y < 6; ++y)
    for (std::size_t x = 0; x < 8; ++x)
      for (std::size_t c = 0; c < 4; ++c) {
        const bool inside = x >= 2 && x < 6 && y >= 2 && y < 5;
        const std::uint8_t color = c == 3 ? 255 : inside ? pixels[((y - 2) * 4 + x - 2) * 3 + c] : 0;
        ASSERT_EQ(partial.pixels[(y * 8 + x) * 4 + c], inside ? color : 0) << x << " " << y;
      }
}

TEST(Webp, Metadata) {
  const Bytes pixels = random_bytes(12, 7), picture = picture_of(lossless(pixels, 2, 2, 3));
  Bytes exif = {'I', 'I', 42, 0, 8, 0, 0, 0};
  put16le(exif, 1);
  for (const std::uint32_t word : {0x0112u, 3u, 1u, 0u, 6u, 0u}) put16le(exif, word);
  put32le(exif, 0);
  for (const Bytes& prefix : {Bytes{}, Bytes{'E', 'x', 'i', 'f', 0, 0}}) {
    const Bytes file =
        riff(0x2C, 2, 2,
             chunk("ICCP", bytes_of("icc")) + picture + chunk("EXIF", prefix + exif) + chunk("XMP ", bytes_of("<x>")));
    const auto image = decode(file, keeping_metadata());
    EXPECT_EQ(image.pixels, pixels);
    EXPECT_EQ(image.metadata.icc, bytes_of("icc"));
    EXPECT_EQ(image.metadata.xmp, bytes_of("<x>"));
    EXPECT_EQ(image.metadata.exif, exif);
    EXPECT_EQ(decode(file).metadata.bytes(), 0u);
    EXPECT_EQ(image.info.orientation, 6);
  }
}

TEST(Webp, DataBehindTheEndIsTold) {
  const Bytes file = lossless(random_bytes(12, 8), 2, 2, 3);
  EXPECT_TRUE(decode(file + bytes_of("more")).flags.has(Flag::kWarning));
}

TEST(Webp, FlippedBitsNeverCrash) {
  flip_every_bit(lossless(rgba(5, 4, 9), 5, 4, 4));
  flip_every_bit(lossy(random_bytes(16 * 16 * 3, 10), 16, 16, 3));
  flip_every_bit(riff(
      2, 4, 3, chunk("ANIM", Bytes(6, 0)) + frame(0, 0, 4, 3, picture_of(lossless(random_bytes(36, 5), 4, 3, 3)))));
}

}  // namespace
}  // namespace gpuhisto::testing
