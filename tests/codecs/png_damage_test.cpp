// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/decode_helpers.hpp"
#include "codecs/png_maker.hpp"

namespace gpuhisto::testing {
namespace {

constexpr std::size_t kEndChunkBytes = 12;

DecodeOptions tolerant() {
  DecodeOptions options;
  options.tolerate_damage = true;
  return options;
}

PngWish wish_of(int type, bool interlaced = false) {
  PngWish wish;
  wish.type = type;
  wish.interlaced = interlaced;
  return wish;
}

void expect_sound_with_warning(const Bytes& bytes, const Bytes& pixels) {
  const Decoded decoded = decode(bytes);
  EXPECT_EQ(decoded.pixels, pixels);
  EXPECT_TRUE(decoded.flags.has(Flag::kWarning));
}

TEST(PngDamage, EveryTruncationIsAnErrorUpToTheEndChunk) {
  for (const int type : {2, 3})
    for (const bool interlaced : {false, true}) {
      const PngFile file = make_png(wish_of(type, interlaced));
      const std::size_t end = file.bytes.size() - kEndChunkBytes;
      for (std::size_t size = 0; size < end; ++size)
        ASSERT_TRUE(failure_of(cut(file.bytes, size)).failed) << size << " of " << file.bytes.size();
      for (std::size_t size = end; size < file.bytes.size(); ++size)
        expect_sound_with_warning(cut(file.bytes, size), file.pixels);
    }
}

TEST(PngDamage, ToleratingGivesTheRowsDecodedBefore) {
  const PngFile file = make_png(wish_of(2));
  std::uint64_t most = 0;
  for (std::size_t size = 60; size < file.bytes.size() - kEndChunkBytes; ++size) {
    const Decoded part = decode(cut(file.bytes, size), tolerant());
    ASSERT_TRUE(part.flags.has(Flag::kDamaged)) << size;
    ASSERT_EQ(part.pixels, cut(file.pixels, part.pixels.size())) << size;
    ASSERT_GE(part.rows, most) << size;
    most = part.rows;
  }
  EXPECT_EQ(most, 10u);
}

TEST(PngDamage, ToleratingGivesAllRowsOfAnInterlacedFile) {
  const PngFile file = make_png(wish_of(2, true));
  const Decoded part = decode(cut(file.bytes, file.bytes.size() / 2), tolerant());
  EXPECT_EQ(part.rows, 11u);
  EXPECT_TRUE(part.flags.has(Flag::kDamaged));
  EXPECT_TRUE(std::equal(part.pixels.begin(), part.pixels.begin() + 3, file.pixels.begin()));
}

TEST(PngDamage, ToleratingGivesNoRowsThatTheFirstPassDidNotReach) {
  PngWish wish = wish_of(2, true);
  wish.width = 60;
  wish.height = 400;
  const PngFile file = make_png(wish);
  std::size_t most = 0;
  for (std::size_t size = 60; size < file.bytes.size(); size += file.bytes.size() / 50) {
    const Decoded part = decode(cut(file.bytes, size), tolerant());
    EXPECT_GE(part.rows, most);
    most = part.rows;
    for (std::size_t y = 0; y < part.rows; y += 8)
      EXPECT_TRUE(std::equal(part.pixels.begin() + static_cast<std::ptrdiff_t>(y * 180),
                             part.pixels.begin() + static_cast<std::ptrdiff_t>(y * 180 + 3),
                             file.pixels.begin() + static_cast<std::ptrdiff_t>(y * 180)))
          << size << " " << y;
    EXPECT_EQ(part.rows == 0, size == 60);
  }
  EXPECT_EQ(most, 400u);
}

// Every byte of these files is under a checksum, or its value is known.
TEST(PngDamage, NoFlippedBitGoesUnnoticed) {
  for (const int type : {2, 3}) {
    PngWish wish = wish_of(type);
    wish.before = {{"tEXt", bytes_of("a text")}};
    PngFile file = make_png(wish);
    for (std::size_t bit = 0; bit < file.bytes.size() * 8; ++bit) {
      const auto mask = static_cast<std::uint8_t>(1u << bit % 8);
      file.bytes[bit / 8] ^= mask;
      if (!failure_of(file.bytes).failed) expect_sound_with_warning(file.bytes, file.pixels);
      file.bytes[bit / 8] ^= mask;
    }
  }
}

TEST(PngDamage, NoFlippedBitCrashes) {
  PngWish wish = wish_of(3);
  wish.depth = 4;
  wish.width = wish.height = 7;
  wish.transparency = {1, 2};
  wish.before = {{"acTL", {0, 0, 0, 3, 0, 0, 0, 0}},
                 {"eXIf", {'I', 'I', '*', 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0}}};
  for (const bool interlaced : {false, true}) {
    wish.interlaced = interlaced;
    flip_every_bit(make_png(wish).bytes);
  }
}

TEST(PngDamage, AWrongChecksumOfThePixelDataIsAnErrorBehindAGoodOneOfTheChunk) {
  PngWish wish = wish_of(2);
  wish.idat_bytes = 1'000'000;
  const PngFile file = make_png(wish);
  constexpr std::size_t kFirstIdat = 8 + 25;
  const std::size_t end = file.bytes.size() - kEndChunkBytes;
  Bytes data(file.bytes.begin() + kFirstIdat + 8, file.bytes.begin() + static_cast<std::ptrdiff_t>(end) - 4);
  const auto with = [&](const Bytes& other) {
    return cut(file.bytes, kFirstIdat) + png_chunk({"IDAT", other}) + png_chunk({"IEND", {}});
  };
  EXPECT_EQ(decode(with(data)).pixels, file.pixels);
  Bytes wrong = data;
  wrong.back() ^= 1;
  EXPECT_TRUE(failure_of(with(wrong)).failed);
  for (std::size_t less = 1; less < 10; ++less) EXPECT_TRUE(failure_of(with(cut(data, data.size() - less))).failed);
  expect_sound_with_warning(with(data + Bytes{1, 2, 3}), file.pixels);
}

TEST(PngDamage, SurplusIsAWarning) {
  PngWish wish = wish_of(2);
  wish.surplus = Bytes(5000, 9);
  const PngFile rows = make_png(wish);
  expect_sound_with_warning(rows.bytes, rows.pixels);
  const PngFile file = make_png(wish_of(2));
  expect_sound_with_warning(file.bytes + Bytes{0}, file.pixels);
}

TEST(PngDamage, AWrongChecksumOfAnAncillaryChunkIsAWarning) {
  PngWish wish = wish_of(2);
  wish.before = {{"gAMA", {0, 1, 2, 3}}};
  PngFile file = make_png(wish);
  file.bytes[8 + 25 + 8] ^= 1;
  expect_sound_with_warning(file.bytes, file.pixels);
}

TEST(PngDamage, AnOrientationOfAWrongChecksumIsNone) {
  const auto block = [](std::uint8_t orientation) {
    return Bytes{'M', 'M', 0, '*', 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0};
  };
  for (const std::size_t padding : {0u, 100'000u})  // more than is looked at
    for (const bool second : {false, true}) {
      PngWish wish = wish_of(2);
      wish.before = {{"eXIf", block(6) + Bytes(padding, 0)}};
      if (second) wish.before.push_back({"eXIf", block(3)});
      Bytes file = make_png(wish).bytes;
      const std::size_t checksum = 8 + 25 + 8 + block(6).size() + padding;
      for (const bool wrong : {false, true}) {
        if (wrong) file[checksum] ^= 1;
        const int expected = !wrong ? 6 : second ? 3 : 1;
        for (const DecodeOptions& options : {DecodeOptions{}, keeping_metadata()}) {
          EXPECT_EQ(decode(file, options).info.orientation, expected);
          TrickleSource streamed(file, 7);
          EXPECT_EQ(decode(streamed, options).info.orientation, expected);
        }
      }
    }
}

TEST(PngDamage, HugeTextsAreSkippedWithoutMemory) {
  PngWish wish = wish_of(2);
  wish.before = {{"zTXt", Bytes(20'000'000, 'a')}};
  const PngFile file = make_png(wish);
  DecodeOptions options;
  options.max_memory = 1 << 20;
  const Decoded decoded = decode(file.bytes, options);
  EXPECT_EQ(decoded.pixels, file.pixels);
  EXPECT_FALSE(decoded.flags.any());
}

}  // namespace
}  // namespace gpuhisto::testing
