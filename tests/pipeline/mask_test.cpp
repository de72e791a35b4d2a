// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/mask.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/sha256.hpp"
#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

Mask read(const std::string& bytes, const DecodeOptions& options = {}) {
  return read_mask(*open_memory({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}), options);
}

std::string pixels_of(const Mask& mask) {
  std::string text;
  for (std::size_t i = 0; i < mask.image.bytes(); ++i) text += mask.image.view().data[i] == 255 ? '#' : '.';
  return text;
}

ErrorKind refusal(const std::string& bytes, const DecodeOptions& options = {}) {
  try {
    read(bytes, options);
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "accepted";
  return ErrorKind::kUsage;
}

TEST(Mask, AnyColourThatIsNotBlackCounts) {
  EXPECT_EQ(pixels_of(read(std::string("P5 4 1 255\n\0\1\377\0", 15))), ".##.");
  EXPECT_EQ(pixels_of(read(std::string("P6 4 1 255\n\0\0\0\0\0\1\1\0\0\0\1\0", 23))), ".###");
  EXPECT_EQ(pixels_of(read("P1 3 1 0 1 0")), "#.#");
}

TEST(Mask, AlphaPlaysNoPart) {
  const std::string head = "P7\nWIDTH 4\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n";
  EXPECT_EQ(pixels_of(read(head + std::string("\0\0\0\377\7\0\7\377", 8))), "..##");
}

TEST(Mask, ItsDigestIsOfWhatItChooses) {
  const Mask gray = read(std::string("P5 2 1 255\n\0\1", 13)),
             color = read(std::string("P6 2 1 255\n\0\0\0\5\0\0", 17));
  EXPECT_EQ(gray.digest, color.digest);
  EXPECT_EQ(gray.digest, Sha256::of(std::string("2x1\0\0\377", 6)));
  EXPECT_NE(gray.digest, read(std::string("P5 1 2 255\n\0\1", 13)).digest);
}

TEST(Mask, ZeroEverywhereIsTold) {
  EXPECT_TRUE(read(std::string("P5 2 1 255\n\0\0", 13)).empty);
  EXPECT_FALSE(read(std::string("P5 2 1 255\n\0\1", 13)).empty);
}

TEST(Mask, DamageLimitsAndMoreThan8BitsAreRefused) {
  DecodeOptions tolerant;
  tolerant.tolerate_damage = true;
  EXPECT_EQ(refusal("P5 9 9 255\nabc", tolerant), ErrorKind::kInput);
  EXPECT_EQ(refusal(std::string("P5 1 1 65535\n\0\1", 15)), ErrorKind::kUnsupported);
  DecodeOptions small;
  small.max_memory = 10;
  EXPECT_EQ(refusal("P5 9 9 255\n" + std::string(81, 'a'), small), ErrorKind::kLimit);
}

std::string complaint(const PixelPredicate& predicate, std::uint64_t width, std::uint64_t height) {
  ImageInfo info;
  info.width = width;
  info.height = height;
  try {
    check_selection(predicate, info);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Selection, AMaskHasTheSizeOfTheImage) {
  const Image mask(640, 480, 1);
  PixelPredicate predicate;
  predicate.mask = mask.view();
  EXPECT_EQ(complaint(predicate, 640, 480), "");
  EXPECT_EQ(complaint(predicate, 480, 360), "the mask is 640x480, the image 480x360");
  EXPECT_NE(complaint(predicate, 480, 640), "");
}

TEST(Selection, ARectangleLiesInTheImage) {
  constexpr std::uint64_t kMost = UINT64_MAX;
  const auto fits = [](std::uint64_t x, std::uint64_t y, std::uint64_t width, std::uint64_t height) {
    PixelPredicate predicate;
    predicate.rectangle = Rectangle{x, y, width, height};
    return complaint(predicate, 10, 20).empty();
  };
  EXPECT_TRUE(fits(0, 0, 10, 20));
  EXPECT_TRUE(fits(9, 19, 1, 1));
  for (const auto& [x, y, width, height] :
       {Rectangle{0, 0, 11, 1}, Rectangle{0, 0, 1, 21}, Rectangle{10, 0, 1, 1}, Rectangle{9, 0, 2, 1},
        Rectangle{kMost, 0, 1, 1}, Rectangle{1, 0, kMost, 1}, Rectangle{0, 1, 1, kMost}, Rectangle{0, kMost, 1, kMost}})
    EXPECT_FALSE(fits(x, y, width, height)) << x << ',' << y << ',' << width << ',' << height;
}

}  // namespace
}  // namespace gpuhisto
