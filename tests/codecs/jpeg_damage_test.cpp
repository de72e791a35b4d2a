// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors

#include "codecs/decode_helpers.hpp"
#include "codecs/jpeg_maker.hpp"

namespace gpuhisto::testing {
namespace {

using namespace std::string_literals;

constexpr std::size_t kEndMarkerBytes = 2;

DecodeOptions tolerant() {
  DecodeOptions options;
  options.tolerate_damage = true;
  return options;
}

JpegWish wish_of(int sampling, bool progressive = false) {
  JpegWish wish;
  wish.width = 45, wish.height = 70;
  wish.horizontal = wish.vertical = sampling;
  wish.progressive = progressive;
  return wish;
}

TEST(JpegDamage, EveryTruncationIsAnError) {
  for (const bool progressive : {false, true}) {
    const Bytes file = make_jpeg(wish_of(2, progressive));
    for (std::size_t size = 0; size < file.size() - kEndMarkerBytes; ++size)
      ASSERT_TRUE(failure_of(cut(file, size)).failed) << size << " of " << file.size();
  }
}

TEST(JpegDamage, AMissingEndMarkerIsAWarning) {
  for (const bool progressive : {false, true}) {
    const Bytes file = make_jpeg(wish_of(2, progressive));
    for (std::size_t size = file.size() - kEndMarkerBytes; size < file.size(); ++size) {
      const Decoded decoded = decode(cut(file, size));
      EXPECT_EQ(decoded.pixels, plain_libjpeg(file));
      EXPECT_TRUE(decoded.flags.has(Flag::kWarning));
    }
  }
}

// The arithmetic decoder cannot tell missing bytes from zeros, so that the end marker is asked for.
TEST(JpegDamage, EveryTruncationOfArithmeticCodeIsAnError) {
  JpegWish wish = wish_of(2);
  wish.arithmetic = true;
  const Bytes file = make_jpeg(wish);
  for (std::size_t size = 0; size < file.size() - kEndMarkerBytes; ++size)
    ASSERT_TRUE(failure_of(cut(file, size)).failed) << size << " of " << file.size();
}

/// What of its scan a file lacks that ends at `size`.
std::size_t lost_of_scan(const Bytes& file, std::size_t size) {
  std::size_t end = size;
  while (end + 1 < file.size() && (file[end] != 0xFF || file[end + 1] == 0)) ++end;
  return end - size;
}

// With an end marker behind it, the arithmetic decoder takes whatever is left of a scan for whole.
TEST(JpegDamage, ACutIsNoticedInArithmeticCodeWithAnEndMarkerToo) {
  constexpr std::size_t kMostUnseen = 64, kHeader = 700, kStep = 7;
  std::size_t cuts = 0, unseen = 0;
  for (const bool progressive : {false, true})
    for (const int sampling : {1, 2}) {
      JpegWish wish = wish_of(sampling, progressive);
      wish.arithmetic = true;
      wish.width = 200;
      const Bytes file = make_jpeg(wish);
      for (std::size_t size = kHeader; size < file.size() - kEndMarkerBytes; size += kStep) {
        if (file[size - 1] == 0xFF || lost_of_scan(file, size) <= kMostUnseen) continue;
        const Bytes shorter = cut(file, size) + Bytes{0xFF, 0xD9};
        const Failure failure = failure_of(shorter);
        ++cuts;
        if (!failure.failed && !decode(shorter).flags.has(Flag::kWarning)) ++unseen;
        ASSERT_EQ(decode(shorter, tolerant()).flags.has(Flag::kDamaged), failure.failed) << size;
      }
    }
  // Some leave just what an encoder would have made of a scan whose rest is flat.
  EXPECT_LE(unseen * 100, cuts) << unseen << " of " << cuts;
}

TEST(JpegDamage, ArithmeticCodeMayEndWhereTheRestIsFlat) {
  for (const bool progressive : {false, true})
    for (const int sampling : {1, 2})
      for (const auto stored : {JCS_YCbCr, JCS_GRAYSCALE})
        for (const int side : {16, 45, 333})
          for (const int flat_from : {0, 1, 30, side / 2}) {
            JpegWish wish = wish_of(stored == JCS_GRAYSCALE ? 1 : sampling, progressive);
            wish.arithmetic = true;
            wish.stored = stored;
            if (stored == JCS_GRAYSCALE) wish.input = stored;
            wish.width = wish.height = side;
            wish.flat_from = flat_from;
            const Bytes file = make_jpeg(wish);
            const Decoded decoded = decode(file);
            EXPECT_TRUE(decoded.pixels == plain_libjpeg(file)) << side << " from " << flat_from;
            EXPECT_FALSE(decoded.flags.any()) << side << " from " << flat_from << ": " << decoded.notes.at(0);
          }
}

// What a decoder has learnt costs no bytes, though the picture is not flat: the steps of a ramp, a short pattern.
TEST(JpegDamage, ArithmeticCodeMayEndWhereTheRestIsLearnt) {
  using Level = std::function<int(int, int)>;
  std::vector<Level> pictures = {[](int x, int) { return x * 255 / 999; },
                                 [](int x, int) { return 255 - x * 255 / 999; },
                                 [](int x, int y) { return (x + y) * 255 / 1998; }};
  for (const int side : {8, 16, 24}) {
    pictures.push_back([side](int x, int y) { return (x / side + y / side) % 2 == 0 ? 176 : 180; });
    pictures.push_back([side](int x, int) { return x / side % 2 == 0 ? 200 : 100; });
  }
  for (std::size_t i = 0; i < pictures.size(); ++i)
    for (const bool progressive : {false, true})
      for (const int sampling : {0, 1, 2})
        for (const int quality : {50, 75, 100}) {
          JpegWish wish = wish_of(std::max(sampling, 1), progressive);
          if (sampling == 0) wish.input = wish.stored = JCS_GRAYSCALE;
          wish.arithmetic = true;
          wish.level = pictures[i];
          wish.quality = quality;
          wish.width = 1000, wish.height = i % 2 == 0 ? 626 : 1000;
          const Bytes file = make_jpeg(wish);
          EXPECT_TRUE(decode(file).pixels == plain_libjpeg(file)) << i << " " << sampling << " " << quality;
        }
}

TEST(JpegDamage, ToleratingGivesRowsThatTheDamageCannotHaveTouched) {
  for (const int sampling : {1, 2})
    for (const bool arithmetic : {false, true}) {
      JpegWish wish = wish_of(sampling);
      wish.arithmetic = arithmetic;
      const Bytes file = make_jpeg(wish), whole = plain_libjpeg(file);
      std::uint64_t most = 0;
      for (std::size_t size = 700; size < file.size() - kEndMarkerBytes; ++size) {
        const Decoded part = decode(cut(file, size), tolerant());
        ASSERT_TRUE(part.flags.has(Flag::kDamaged)) << size;
        ASSERT_EQ(part.pixels, cut(whole, part.pixels.size())) << size;
        ASSERT_GE(part.rows, most) << size;
        most = part.rows;
      }
      EXPECT_GE(most, 47u);
    }
}

TEST(JpegDamage, ToleratingGivesAllRowsOfAProgressiveFile) {
  const Bytes file = make_jpeg(wish_of(2, true));
  const Bytes first_scan = {0xFF, 0xDA};
  const auto start = std::search(file.begin(), file.end(), first_scan.begin(), first_scan.end()) - file.begin();
  for (auto size = static_cast<std::size_t>(start) + 14; size < file.size() - kEndMarkerBytes; ++size) {
    const Decoded part = decode(cut(file, size), tolerant());
    ASSERT_EQ(part.rows, 70u) << size;
    ASSERT_TRUE(part.flags.has(Flag::kDamaged)) << size;
  }
}

TEST(JpegDamage, AProgressiveFileMayEndProperlyAfterFewerScans) {
  const Bytes file = make_jpeg(wish_of(2, true));
  std::vector<std::size_t> scans;
  for (std::size_t i = 0; i + 1 < file.size(); ++i)
    if (file[i] == 0xFF && file[i + 1] == 0xDA) scans.push_back(i);
  ASSERT_GT(scans.size(), 4u);
  for (std::size_t i = 4; i < scans.size(); ++i) {
    const Bytes shorter = cut(file, scans[i]) + Bytes{0xFF, 0xD9};
    // A table that the missing scan would have used may stand before it; so may not the end marker.
    const Decoded decoded = decode(shorter);
    EXPECT_EQ(decoded.pixels, plain_libjpeg(shorter));
    EXPECT_FALSE(decoded.flags.any());
    EXPECT_TRUE(failure_of(cut(file, scans[i])).failed) << "without an end marker";
  }
}

TEST(JpegDamage, AMissingComponentIsAnError) {
  JpegWish wish = wish_of(2);
  wish.scans = {{1, {0}, 0, 63, 0, 0}, {1, {1}, 0, 63, 0, 0}, {1, {2}, 0, 63, 0, 0}};
  const Bytes file = make_jpeg(wish), start = {0xFF, 0xDA};
  const auto last = std::find_end(file.begin(), file.end(), start.begin(), start.end());
  const Bytes shorter = cut(file, static_cast<std::size_t>(last - file.begin())) + Bytes{0xFF, 0xD9};
  EXPECT_TRUE(failure_of(shorter).failed);
  EXPECT_TRUE(decode(shorter, tolerant()).flags.has(Flag::kDamaged));
}

TEST(JpegDamage, AMissingRestartMarkerIsAnError) {
  JpegWish wish = wish_of(2);
  wish.restart_rows = 1;
  Bytes file = make_jpeg(wish);
  const Bytes marker = {0xFF, 0xD1};
  const auto at = std::search(file.begin(), file.end(), marker.begin(), marker.end());
  ASSERT_NE(at, file.end());
  file.erase(at, at + 2);
  EXPECT_TRUE(failure_of(file).failed);
  const Decoded part = decode(file, tolerant());
  EXPECT_TRUE(part.flags.has(Flag::kDamaged));
  EXPECT_EQ(part.pixels, cut(plain_libjpeg(make_jpeg(wish)), part.pixels.size()));
}

TEST(JpegDamage, StrayAndTrailingBytesAreAWarning) {
  const Bytes file = make_jpeg(wish_of(2)), pixels = plain_libjpeg(file);
  const Bytes stray = cut(file, file.size() - 2) + Bytes(20, 1) + Bytes{0xFF, 0xD9};
  for (const Bytes& odd : {file + Bytes{0}, file + file, stray}) {
    const Decoded decoded = decode(odd);
    EXPECT_EQ(decoded.pixels, pixels);
    EXPECT_TRUE(decoded.flags.has(Flag::kWarning));
    ASSERT_EQ(decoded.notes.size(), 1u);
  }
  JpegWish announced = wish_of(2);
  announced.segments = {segment(0xE2, "MPF\0"s, Bytes(60, 0))};
  EXPECT_FALSE(decode(make_jpeg(announced) + file).flags.any());
}

TEST(JpegDamage, ASegmentOfImpossibleLengthIsEmpty) {
  const Bytes file = make_jpeg(wish_of(2)), pixels = plain_libjpeg(file);
  DecodeOptions keeping;
  keeping.keep_metadata = true;
  for (const int marker : {0xE1, 0xE2, 0xE5, 0xED, 0xFE})
    for (const int length : {0, 1, 2}) {
      const Bytes empty = {0xFF, static_cast<std::uint8_t>(marker), 0, static_cast<std::uint8_t>(length)};
      const Bytes odd = cut(file, 2) + empty + Bytes(file.begin() + 2, file.end());
      ASSERT_EQ(plain_libjpeg(odd), pixels);
      EXPECT_EQ(decode(odd).pixels, pixels);
      EXPECT_EQ(decode(odd, keeping).pixels, pixels);
    }
}

TEST(JpegDamage, NoFlippedBitCrashes) {
  JpegWish wish;
  wish.width = wish.height = 16;
  wish.segments = {segment(0xE1, "Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0"s)};
  flip_every_bit(make_jpeg(wish));
  wish.progressive = true;
  flip_every_bit(make_jpeg(wish));
  wish.arithmetic = true;
  flip_every_bit(make_jpeg(wish));
}

// A scan of a flat picture is a few bytes, and each walks over all blocks.
TEST(JpegDamage, TooManyScansAreRefused) {
  JpegWish wish;
  wish.width = wish.height = 2048;
  wish.flat = true;
  wish.input = wish.stored = JCS_GRAYSCALE;
  wish.horizontal = wish.vertical = 1;
  wish.scans = {{1, {0}, 0, 0, 0, 0}, {1, {0}, 1, 63, 0, 0}};
  const Bytes file = make_jpeg(wish), start = {0xFF, 0xDA};
  const auto last = std::find_end(file.begin(), file.end(), start.begin(), start.end());
  const Bytes scan(last, file.end() - 2);
  Bytes bomb = cut(file, file.size() - 2);
  for (int i = 0; i < 98; ++i) bomb.insert(bomb.end(), scan.begin(), scan.end());
  EXPECT_FALSE(failure_of(bomb + Bytes{0xFF, 0xD9}).failed);
  for (int i = 0; i < 2000; ++i) bomb.insert(bomb.end(), scan.begin(), scan.end());
  const Failure failure = failure_of(bomb + Bytes{0xFF, 0xD9});
  EXPECT_EQ(failure.kind, ErrorKind::kTooLarge);
  EXPECT_NE(failure.text.find("scans"), std::string::npos);
}

}  // namespace
}  // namespace gpuhisto::testing
