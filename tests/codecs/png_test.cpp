// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/decode_helpers.hpp"
#include "codecs/png_maker.hpp"

namespace gpuhisto::testing {
namespace {

using namespace std::string_literals;

constexpr int kSizes[][2] = {{1, 1}, {3, 2}, {13, 11}, {33, 9}, {1, 20}, {9, 1}, {4, 8}};

TEST(Png, GivesThePixelsOfAllColourTypesDepthsAndSizes) {
  for (const auto& kind : kPngKinds)
    for (const auto& size : kSizes)
      for (const bool interlaced : {false, true}) {
        PngWish wish;
        wish.type = kind[0], wish.depth = kind[1];
        wish.width = size[0], wish.height = size[1];
        wish.interlaced = interlaced;
        const PngFile file = make_png(wish);
        const Decoded decoded = decode(file.bytes);
        EXPECT_EQ(decoded.pixels, file.pixels) << "type " << kind[0] << " depth " << kind[1] << " " << interlaced;
        EXPECT_EQ(decoded.rows, static_cast<std::uint64_t>(wish.height));
        EXPECT_EQ(decoded.info.source_bits, wish.depth);
        EXPECT_EQ(decoded.flags.has(Flag::kReduced16), wish.depth == 16);
        EXPECT_FALSE(decoded.flags.has(Flag::kWarning));
      }
}

TEST(Png, MakesTransparencyAnAlphaChannel) {
  for (const auto& kind : kPngKinds) {
    if (kind[0] >= 4) continue;
    PngWish wish;
    wish.type = kind[0], wish.depth = kind[1];
    wish.width = wish.height = 40;
    const auto high = static_cast<std::uint8_t>(wish.depth == 16 ? 200 : 0);
    wish.transparency = wish.type == 0 ? Bytes{high, 1} : Bytes{high, 1, high, 7, high, 9};
    if (wish.type == 3) wish.transparency.resize(2);
    for (const bool interlaced : {false, true}) {
      wish.interlaced = interlaced;
      const PngFile file = make_png(wish);
      const Decoded decoded = decode(file.bytes);
      EXPECT_EQ(decoded.info.channels, wish.type == 0 ? 2 : 4);
      EXPECT_EQ(decoded.pixels, file.pixels) << "type " << kind[0] << " depth " << kind[1];
    }
  }
}

TEST(Png, GivesTheSameRowsFromASlowPipe) {
  for (const bool interlaced : {false, true}) {
    PngWish wish;
    wish.type = 3, wish.depth = 4;
    wish.interlaced = interlaced;
    wish.before = {{"tEXt", Bytes(5000, 'a')}};
    expect_same_in_every_way(make_png(wish).bytes);
    wish.type = 6, wish.depth = 16;
    expect_same_in_every_way(make_png(wish).bytes);
  }
}

TEST(Png, TakesColoursBeyondThePaletteForBlackAndSaysSo) {
  PngWish wish;
  wish.type = 3, wish.depth = 4;
  wish.colors = 15;
  for (const bool interlaced : {false, true}) {
    wish.interlaced = interlaced;
    const PngFile file = make_png(wish);
    const Decoded decoded = decode(file.bytes);
    EXPECT_EQ(decoded.pixels, file.pixels);
    EXPECT_TRUE(decoded.flags.has(Flag::kWarning));
  }
}

TEST(Png, ReadsRowsLongerThan16BitsCount) {
  PngWish wish;
  wish.type = 0, wish.depth = 1;
  wish.width = 1'000'001, wish.height = 2;
  const PngFile file = make_png(wish);
  EXPECT_EQ(decode(file.bytes).pixels, file.pixels);
}

TEST(Png, ReadsTheOrientationBeforeAndBehindThePixels) {
  for (std::uint8_t value = 1; value <= 8; ++value) {
    PngWish before, after;
    before.before = {{"eXIf", orientation_block(value)}};
    after.after = {{"eXIf", bytes_of("Exif\0\0"s) + orientation_block(value)}};
    EXPECT_EQ(decode(make_png(before).bytes).info.orientation, value);
    const Bytes late = make_png(after).bytes;
    const auto source = open_memory(late);
    const auto decoder = open_decoder(*source, {});
    decode_image(*decoder);
    EXPECT_EQ(decoder->info().orientation, value);
  }
}

TEST(Png, GivesTheFirstFrameOfAnAnimation) {
  PngWish wish;
  wish.before = {{"acTL", {0, 0, 0, 3, 0, 0, 0, 0}}, {"fcTL", Bytes(26, 0)}};
  wish.after = {{"fcTL", Bytes(26, 0)}, {"fdAT", Bytes(40, 0)}};
  const PngFile file = make_png(wish);
  const Decoded decoded = decode(file.bytes);
  EXPECT_EQ(decoded.pixels, file.pixels);
  EXPECT_EQ(decoded.info.frames, 3u);
  EXPECT_TRUE(decoded.flags.has(Flag::kFirstFrame));
  EXPECT_FALSE(decoded.flags.has(Flag::kWarning));
  wish.before = {{"acTL", {0, 0, 0, 1, 0, 0, 0, 0}}};
  EXPECT_FALSE(decode(make_png(wish).bytes).flags.any());
}

TEST(Png, RefusesApplesVariant) {
  const Bytes file = make_png({}).bytes;
  const Bytes apple = cut(file, 8) + png_chunk({"CgBI", {0x50, 0, 0x20, 6}}) + Bytes(file.begin() + 8, file.end());
  EXPECT_EQ(failure_of(apple).kind, ErrorKind::kUnsupported);
}

TEST(Png, NamesTheLimits) {
  PngWish wish;
  wish.width = wish.height = 500;
  wish.idat_bytes = 1'000'000;
  const Bytes plain = make_png(wish).bytes;
  wish.interlaced = true;
  const Bytes interlaced = make_png(wish).bytes;
  DecodeOptions options;
  options.max_pixels = 500 * 500 - 1;
  const Failure pixels = failure_of(plain, options);
  EXPECT_EQ(pixels.kind, ErrorKind::kTooLarge);
  EXPECT_NE(pixels.text.find("--max-pixels"), std::string::npos);
  options = {};
  options.max_memory = 500'000;
  EXPECT_FALSE(failure_of(plain, options).failed);
  const Failure memory = failure_of(interlaced, options);
  EXPECT_EQ(memory.kind, ErrorKind::kLimit);
  EXPECT_NE(memory.text.find("--max-memory"), std::string::npos);
}

}  // namespace
}  // namespace gpuhisto::testing
