// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "metadata/exif.hpp"

#include "metadata/blocks.hpp"

namespace gpuhisto::testing {
namespace {

TEST(Exif, FitsTurnedPixelsAndChangesNothingElse) {
  for (const bool big : {false, true})
    for (std::uint32_t orientation = 2; orientation <= 8; ++orientation) {
      const bool swapped = orientation > 4;
      ExifWish wish;
      wish.big = big, wish.orientation = orientation;
      Bytes block = make_exif(wish);
      EXPECT_EQ(exif_orientation(block), static_cast<int>(orientation));
      fit_exif(block, swapped ? PixelChange{30, 40, true, true} : PixelChange{0, 0, true, false});
      wish.orientation = 1;
      if (swapped) {
        std::swap(wish.x_per_inch, wish.y_per_inch);
        std::swap(wish.width, wish.height);
      }
      EXPECT_EQ(block, make_exif(wish)) << orientation;
    }
}

TEST(Exif, AnOrientationMayBeALongNumberAndDoubled) {
  for (const bool big : {false, true}) {
    const auto block = [&](std::uint32_t first, std::uint32_t second) {
      ExifBytes out(big);
      out.u32(8);
      out.u16(2);
      for (const std::uint32_t value : {first, second}) {
        out.u16(0x0112);
        out.u16(4);
        out.u32(1);
        out.u32(value);
      }
      out.u32(0);
      return out.bytes;
    };
    Bytes doubled = block(6, 8);
    EXPECT_EQ(exif_orientation(doubled), 6);
    fit_exif(doubled, {0, 0, true, true});
    EXPECT_EQ(doubled, block(1, 1));
    EXPECT_EQ(exif_orientation(block(65536 + 6, 6)), 1);
  }
}

TEST(Exif, LeavesAnUnchangedImageAsItIs) {
  const Bytes before = make_exif({});
  Bytes block = before;
  fit_exif(block, {});
  EXPECT_EQ(block, before);
}

TEST(Exif, TakesTheThumbnailOut) {
  ExifWish wish;
  wish.thumbnail = Bytes(1000, 0xFF);
  const Bytes with = make_exif(wish);
  Bytes block = with;
  fit_exif(block, {});
  const Bytes without = make_exif({});
  ASSERT_EQ(block.size(), with.size() - 1000);
  EXPECT_EQ(cut(block, without.size()), without);  // the link to its directory is 0
  // Where something else comes last, only the link goes: offsets stay true.
  Bytes followed = with + Bytes(100, 7);
  fit_exif(followed, {});
  EXPECT_EQ(followed.size(), with.size() + 100);
  EXPECT_EQ(cut(followed, without.size()), without);
}

TEST(Exif, ASizeThatAShortCannotHoldStays) {
  Bytes block = make_exif({});
  fit_exif(block, {70000, 80000, false, false});
  ExifWish expected;
  expected.height = 80000;
  EXPECT_EQ(block, make_exif(expected));
}

TEST(Exif, OfAnOrientationAlone) {
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const Bytes block = exif_of_orientation(orientation);
    EXPECT_TRUE(is_sound_exif(block));
    EXPECT_EQ(exif_orientation(block), orientation);
  }
}

TEST(Exif, CutBlocksAreNotSound) {
  const Bytes block = make_exif({});
  constexpr std::size_t kEndOfFirstDirectory = 8 + 2 + 4 * 12 + 4;
  for (std::size_t size = 0; size <= block.size(); ++size)
    EXPECT_EQ(is_sound_exif(cut(block, size)), size >= kEndOfFirstDirectory) << size;
  EXPECT_FALSE(is_sound_exif(bytes_of(std::string("II*\0\x08\0\0\0\0\0\0\0\0\0", 14))));  // no entry
}

TEST(Exif, NoByteMakesItGoAstray) {
  ExifWish wish;
  wish.thumbnail = Bytes(20, 1);
  const Bytes block = make_exif(wish);
  for (std::size_t i = 0; i < block.size(); ++i)
    for (const int value : {0, 1, 4, 8, 0x12, 0x7F, 0x80, 0xFF}) {
      Bytes other = block;
      other[i] = static_cast<std::uint8_t>(value);
      (void)exif_of_tiff(other, 1 << 20);
      if (!is_sound_exif(other)) continue;
      fit_exif(other, {30, 40, true, true});
      EXPECT_TRUE(other.empty() || (is_sound_exif(other) && exif_orientation(other) == 1)) << i << " " << value;
      EXPECT_LE(other.size(), block.size());
    }
}

TEST(ExifOfTiff, GathersWhatTheFirstDirectoryPointsTo) {
  // The same block is a TIFF file: with nothing between its values, what is gathered is laid out alike.
  for (const bool big : {false, true}) {
    ExifWish wish;
    wish.big = big;
    const Bytes file = make_exif(wish), gathered = exif_of_tiff(file, 1 << 20);
    ASSERT_TRUE(is_sound_exif(gathered));
    EXPECT_EQ(exif_orientation(gathered), 6);
    EXPECT_EQ(gathered.size(), file.size());
    Bytes fitted = gathered, expected = file;
    fit_exif(fitted, {30, 40, true, true});
    fit_exif(expected, {30, 40, true, true});
    EXPECT_EQ(exif_of_tiff(expected, 1 << 20), fitted);
    EXPECT_TRUE(exif_of_tiff(file, file.size() - 20).empty());
  }
}

TEST(ExifOfTiff, PointersInCirclesEnd) {
  ExifBytes file(false);
  file.u32(8);
  file.u16(3000);
  for (int i = 0; i < 3000; ++i) {  // each points to the directory that it is in
    file.u16(0x8769);
    file.u16(4);
    file.u32(1);
    file.u32(8);
  }
  file.u32(0);
  EXPECT_LT(exif_of_tiff(file.bytes, 1 << 20).size(), 1000u);
}

TEST(ExifOfTiff, NothingComesOfStructureAlone) {
  ExifBytes file(true);
  file.u32(8);
  file.u16(2);
  for (const std::uint32_t tag : {0x0100u, 0x0112u}) {
    file.u16(tag);
    file.u16(3);
    file.u32(1);
    file.u32(6 << 16);
  }
  file.u32(0);
  EXPECT_TRUE(exif_of_tiff(file.bytes, 1 << 20).empty());
  EXPECT_TRUE(exif_of_tiff(bytes_of("II+"), 1 << 20).empty());
  EXPECT_FALSE(is_worth_exif(0x0112));
  EXPECT_TRUE(is_worth_exif(0x013B));
}

}  // namespace
}  // namespace gpuhisto::testing
