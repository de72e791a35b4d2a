// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/codec.hpp"
#include "codecs/decode_helpers.hpp"
#include "metadata/exif.hpp"

namespace gpuhisto::testing {
namespace {

using namespace std::string_literals;

bool known(const std::string& head) {
  const Bytes bytes = bytes_of(head);
  const auto source = open_memory(bytes);
  return is_image(*source);
}

TEST(Sniff, KnowsImagesByTheirFirstBytes) {
  EXPECT_TRUE(known("\xFF\xD8\xFF\xE0"));
  EXPECT_TRUE(known("\x89PNG\r\n\x1A\n"));
  EXPECT_TRUE(known("P6\n1 1\n255\n"));
  EXPECT_TRUE(known("P7\nWIDTH 1\n"));
  EXPECT_TRUE(known("GIF89a"));
  EXPECT_TRUE(known("8BPS"));
  EXPECT_TRUE(known("II*\0"s));
  EXPECT_TRUE(known("MM\0*"s));
  EXPECT_TRUE(known("RIFF\0\0\0\0WEBP"s));
  EXPECT_TRUE(known("BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0"s));
}

TEST(Sniff, RefusesEverythingElse) {
  for (const std::string text : {"", "P", "P6", "P9 1 1", "PK\3\4", "<html>", "BMW builds cars, but no images",
                                 "RIFF    WAVE", "\xFF\xD8", "GIF", "%PDF-1.4"})
    EXPECT_FALSE(known(text)) << text;
  const Failure failure = failure_of(bytes_of("hello, this is a text"));
  EXPECT_EQ(failure.kind, ErrorKind::kInput);
  EXPECT_EQ(failure.text, "not an image in a format gpuhisto reads");
  EXPECT_EQ(failure_of({}).text, "the file is empty");
}

TEST(Sniff, DoesNotConsumeWhatItLooksAt) {
  const Bytes bytes = bytes_of("P5\n2 1\n255\nab");
  TrickleSource source(bytes, 1);
  EXPECT_TRUE(is_image(source));
  EXPECT_EQ(decode(source).pixels, bytes_of("ab"));
}

TEST(Limits, PixelsAreComparedWithoutOverflow) {
  DecodeOptions options;
  options.max_pixels = 100;
  EXPECT_NO_THROW(check_pixels(10, 10, options));
  EXPECT_NO_THROW(check_pixels(100, 1, options));
  EXPECT_THROW(check_pixels(101, 1, options), Error);
  EXPECT_THROW(check_pixels(std::uint64_t{1} << 32, std::uint64_t{1} << 32, options), Error);
  EXPECT_THROW(check_pixels(0, 1, options), Error);
  EXPECT_THROW(check_pixels(1, 0, options), Error);
}

TEST(Exif, NoCutBlockMisleads) {
  const Bytes block = {'I', 'I', '*', 0,    8, 0, 0, 0, 2, 0, 0, 1, 3, 0, 1, 0, 0, 0, 9,
                       9,   0,   0,   0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(exif_orientation(block), 6);
  for (std::size_t size = 0; size < block.size(); ++size) {
    const Bytes part = cut(block, size);
    EXPECT_EQ(exif_orientation(part), size < 34 ? 1 : 6) << size;
  }
  for (std::size_t i = 0; i < block.size(); ++i)
    for (int value = 0; value < 256; ++value) {
      Bytes other = block;
      other[i] = static_cast<std::uint8_t>(value);
      const int orientation = exif_orientation(other);
      EXPECT_TRUE(orientation >= 1 && orientation <= 8);
    }
}

}  // namespace
}  // namespace gpuhisto::testing
