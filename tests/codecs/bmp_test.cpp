// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/stb_files.hpp"

namespace gpuhisto::testing {
namespace {

std::size_t stride_of(std::size_t width, std::size_t bits) { return (width * bits + 31) / 32 * 4; }

// Rows in the order of the file, for an image given from the top.
std::size_t stored_row(const BmpSpec& spec, std::size_t y) { return spec.top_down ? y : spec.height - 1 - y; }

TEST(Bmp, PaletteOfEveryDepth) {
  for (const std::uint32_t bits : {1u, 2u, 4u, 8u}) {
    for (const std::uint32_t width : {1u, 2u, 3u, 7u, 8u, 9u, 33u}) {
      for (const std::uint32_t header : {12u, 40u, 64u, 108u, 124u}) {
        BmpSpec spec{width, 5, bits, 0, header, header == 40, {}, {}};
        const std::size_t entry = header == 12 ? 3 : 4;
        spec.palette = random_bytes(entry << bits, bits + header);
        const Bytes indices = random_bytes(width * spec.height, width, 1u << bits);
        const std::size_t stride = stride_of(width, bits);
        Bytes pixels(stride * spec.height, 0xFF), expected;
        for (std::size_t y = 0; y < spec.height; ++y)
          for (std::size_t x = 0; x < width; ++x) {
            const std::size_t at = stored_row(spec, y) * stride + x * bits / 8;
            const auto shift = static_cast<unsigned>(8 - bits - x * bits % 8);
            const std::uint8_t index = indices[y * width + x];
            pixels[at] =
                static_cast<std::uint8_t>((pixels[at] & ~(((1u << bits) - 1) << shift)) | unsigned{index} << shift);
            for (const std::size_t c : {2u, 1u, 0u}) expected.push_back(spec.palette[index * entry + c]);
          }
        const auto image = decode(bmp_file(spec, pixels));
        EXPECT_EQ(image.pixels, expected) << bits << " bits, width " << width << ", header " << header;
        EXPECT_FALSE(image.flags.any());
        expect_same_in_every_way(bmp_file(spec, pixels));
      }
    }
  }
}

TEST(Bmp, TrueColorAndMasks) {
  struct Case {
    std::uint32_t bits, compression, header;
    std::vector<std::uint32_t> masks;
    int channels;
  };
  for (const Case& c : {Case{24, 0, 40, {}, 3}, Case{32, 0, 40, {}, 3}, Case{32, 3, 40, {0xFF, 0xFF00, 0xFF0000}, 3},
                        Case{32, 3, 56, {0xFF000000, 0xFF0000, 0xFF00, 0xFF}, 4},
                        Case{32, 6, 40, {0xFF, 0xFF00, 0xFF0000, 0xFF000000}, 4},
                        Case{32, 3, 124, {0xFF0000, 0xFF00, 0xFF, 0xFF000000}, 4}, Case{16, 0, 40, {}, 3},
                        Case{16, 3, 40, {0xF800, 0x7E0, 0x1F}, 3}, Case{16, 3, 108, {0xF00, 0xF0, 0xF, 0xF000}, 4},
                        Case{32, 3, 108, {0x3FF00000, 0xFFC00, 0x3FF, 0}, 3}}) {
    for (const std::uint32_t width : {1u, 2u, 5u}) {
      const BmpSpec spec{width, 4, c.bits, c.compression, c.header, width == 2, c.masks, {}};
      const std::size_t stride = stride_of(width, c.bits);
      const Bytes pixels = random_bytes(stride * spec.height, width + c.bits);
      std::vector<std::uint32_t> masks = c.masks;
      if (masks.empty())
        masks = c.bits == 16 ? std::vector{0x7C00u, 0x3E0u, 0x1Fu} : std::vector{0xFF0000u, 0xFF00u, 0xFFu};
      Bytes expected;
      for (std::size_t y = 0; y < spec.height; ++y)
        for (std::size_t x = 0; x < width; ++x)
          for (int channel = 0; channel < c.channels; ++channel) {
            const std::uint32_t mask = masks[static_cast<std::size_t>(channel)];
            const std::uint32_t stored = u32le(pixels, stored_row(spec, y) * stride + x * c.bits / 8) & mask;
            const int low = std::countr_zero(mask), bits = std::popcount(mask);
            std::uint32_t v = stored >> low;
            if (bits > 8) v >>= bits - 8;
            // Fewer bits are repeated until there are eight.
            if (bits < 8) v = bits == 4 ? v * 17 : v << (8 - bits) | v >> (2 * bits - 8);
            expected.push_back(static_cast<std::uint8_t>(v));
          }
      const auto image = decode(bmp_file(spec, pixels));
      EXPECT_EQ(image.info.channels, c.channels);
      EXPECT_EQ(image.pixels, expected) << c.bits << " bits, header " << c.header << ", width " << width;
      EXPECT_EQ(image.flags.has(Flag::kReduced16), std::popcount(masks[0]) > 8);
    }
  }
}

TEST(Bmp, TruncationAtEveryByteFails) {
  for (const std::uint32_t bits : {4u, 8u, 24u}) {
    const BmpSpec spec{5, 3, bits, 0, 40, false, {}, bits < 24 ? random_bytes(4u << bits, 1) : Bytes{}};
    const Bytes file = bmp_file(spec, random_bytes(stride_of(5, bits) * 3, 2));
    const std::size_t padding = stride_of(5, bits) - (5 * bits + 7) / 8;
    for (std::size_t size = 0; size < file.size() - padding; ++size)
      ASSERT_TRUE(failure_of(cut(file, size)).failed) << size;
    for (std::size_t size = file.size() - padding; size < file.size(); ++size) {
      const auto image = decode(cut(file, size));  // all the pixels are there
      EXPECT_EQ(image.pixels, decode(file).pixels);
      EXPECT_TRUE(image.flags.has(Flag::kWarning));
    }
  }
}

TEST(Bmp, ToleratedTruncationGivesTheRowsThatAreThere) {
  DecodeOptions options;
  options.tolerate_damage = true;
  const Bytes pixels = random_bytes(4 * 3, 3);
  for (const bool top_down : {false, true}) {
    const Bytes file = bmp_file({1, 3, 24, 0, 40, top_down, {}, {}}, pixels);
    const auto image = decode(cut(file, file.size() - 2), options);
    EXPECT_EQ(image.rows, 2u);
    const std::size_t first = top_down ? 0 : 4, second = 4 - first;
    EXPECT_EQ(image.pixels, (Bytes{pixels[first + 2], pixels[first + 1], pixels[first], pixels[second + 2],
                                   pixels[second + 1], pixels[second]}));
    ASSERT_FALSE(image.notes.empty());
    EXPECT_EQ(image.notes.back(), "2 of 3 rows decoded: the pixels are truncated");
  }
}

Bytes gray_palette(std::size_t colors) {
  Bytes palette;
  for (std::size_t i = 0; i < colors; ++i)
    palette.insert(palette.end(), 4, static_cast<std::uint8_t>(i * 255 / (colors - 1)));
  return palette;
}

Bytes reds(const Decoded& image) {
  Bytes red;
  for (std::size_t i = 0; i < image.pixels.size(); i += 3) red.push_back(image.pixels[i]);
  return red;
}

TEST(Bmp, RunLengthsOf8Bits) {
  const BmpSpec spec{6, 3, 8, 1, 40, false, {}, gray_palette(256)};
  // Bottom row: 4 x 7 and 2 x 9; then 3 literals (padded), 3 x 5; then a jump of 2, 4 x 1.
  const Bytes runs = {4, 7, 2, 9, 0, 0, 0, 3, 1, 2, 3, 0, 3, 5, 0, 0, 0, 2, 2, 0, 4, 1, 0, 1};
  const auto image = decode(bmp_file(spec, runs));
  EXPECT_EQ(reds(image), (Bytes{0, 0, 1, 1, 1, 1, 1, 2, 3, 5, 5, 5, 7, 7, 7, 7, 9, 9}));
  EXPECT_TRUE(image.flags.has(Flag::kWarning));
  EXPECT_EQ(image.notes.at(0), "2 pixels left out by the file, counted as its color 0");
  const Bytes file = bmp_file(spec, runs);
  for (std::size_t size = 0; size < file.size() - 2; ++size) ASSERT_TRUE(failure_of(cut(file, size)).failed) << size;
  flip_every_bit(bmp_file({6, 3, 8, 1, 40, false, {}, gray_palette(256)}, runs));
}

TEST(Bmp, RunLengthsOf4Bits) {
  const BmpSpec spec{5, 2, 4, 2, 40, false, {}, gray_palette(16)};
  const Bytes runs = {5, 0x12, 0, 0, 0, 5, 0x34, 0x56, 0x70, 0, 0, 1};
  const auto image = decode(bmp_file(spec, runs));
  EXPECT_EQ(reds(image), (Bytes{51, 68, 85, 102, 119, 17, 34, 17, 34, 17}));
  EXPECT_FALSE(image.flags.any());
  flip_every_bit(bmp_file(spec, runs));
  const Bytes overlong = {9, 0x12, 0, 0, 5, 0x11, 0, 1};
  EXPECT_TRUE(decode(bmp_file(spec, overlong)).flags.has(Flag::kWarning));
  EXPECT_TRUE(failure_of(bmp_file(spec, {5, 0x12, 0, 1})).failed) << "a row is missing";
}

TEST(Bmp, RefusesWhatIsNotThere) {
  BmpSpec spec{2, 1, 8, 0, 40, false, {}, gray_palette(4)};
  EXPECT_NE(failure_of(bmp_file(spec, {3, 4, 0, 0})).text.find("palette"), std::string::npos);
  EXPECT_FALSE(failure_of(bmp_file(spec, {3, 0, 0, 0})).failed);
  spec.compression = 4;
  EXPECT_EQ(failure_of(bmp_file(spec, {0, 0, 0, 0})).kind, ErrorKind::kUnsupported);
  EXPECT_TRUE(failure_of(bmp_file({0, 1, 24, 0, 40, false, {}, {}}, {0, 0, 0, 0})).failed);
  EXPECT_TRUE(failure_of(bmp_file({1, 1, 23, 0, 40, false, {}, {}}, {0, 0, 0, 0})).failed);
  EXPECT_EQ(failure_of(bmp_file({0x7FFFFFFF, 0x7FFFFFFF, 24, 0, 40, false, {}, {}}, {})).kind, ErrorKind::kTooLarge);
}

TEST(Bmp, FlippedBitsNeverCrash) {
  flip_every_bit(bmp_file({3, 2, 24, 0, 40, false, {}, {}}, random_bytes(24, 5)));
  flip_every_bit(bmp_file({3, 2, 32, 3, 108, false, {0xFF0000, 0xFF00, 0xFF, 0xFF000000}, {}}, random_bytes(24, 6)));
  flip_every_bit(bmp_file({9, 2, 1, 0, 12, false, {}, random_bytes(6, 1)}, random_bytes(8, 7)));
}

}  // namespace
}  // namespace gpuhisto::testing
