// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/stb_files.hpp"

namespace gpuhisto::testing {
namespace {

constexpr std::uint8_t kTrailer = 0x3B;

Bytes gif_file(const GifSpec& spec, const Bytes& palette, const Bytes& indices) {
  return gif_head(spec, palette) + gif_frame(spec, indices) + Bytes{kTrailer};
}

Bytes colors_of(const Bytes& palette, const Bytes& indices) {
  Bytes out;
  for (const auto index : indices) out.insert(out.end(), palette.begin() + index * 3, palette.begin() + index * 3 + 3);
  return out;
}

TEST(Gif, EveryPaletteSizeAndWidth) {
  for (unsigned bits = 1; bits <= 8; ++bits)
    for (const std::uint32_t width : {1u, 2u, 9u, 120u}) {
      const GifSpec spec{width, 70, 0, 0, 0, 0, bits};
      const Bytes palette = random_bytes(3u << bits, bits);
      const Bytes indices = random_bytes(width * 70, width, 1u << bits);
      const auto image = decode(gif_file(spec, palette, indices));
      EXPECT_EQ(image.info.channels, 3);
      EXPECT_EQ(image.pixels, colors_of(palette, indices)) << bits << " " << width;
      EXPECT_FALSE(image.flags.any());
    }
}

TEST(Gif, ATableKeptFullForLong) {
  // Random indices fill the table after 4096 codes; 30000 more go without a clear code, and without a first one.
  const GifSpec spec{200, 200, 0, 0, 0, 0, 8, false, -1, GifClears::kNever};
  const Bytes palette = random_bytes(768, 1), indices = random_bytes(40000, 2);
  EXPECT_EQ(decode(gif_file(spec, palette, indices)).pixels, colors_of(palette, indices));
}

TEST(Gif, RepeatedIndicesUseCodesNotYetInTheTable) {
  for (const std::size_t size : {1u, 2u, 3u, 100u, 5000u}) {
    const GifSpec spec{static_cast<std::uint32_t>(size), 2, 0, 0, 0, 0, 2};
    const Bytes palette = random_bytes(12, 1), indices(2 * size, 3);
    EXPECT_EQ(decode(gif_file(spec, palette, indices)).pixels, colors_of(palette, indices));
  }
}

TEST(Gif, InterlacedRowsComeInOrder) {
  for (const std::uint32_t height : {1u, 2u, 5u, 8u, 9u, 17u}) {
    const GifSpec spec{3, height, 0, 0, 0, 0, 8, true};
    const Bytes palette = random_bytes(768, 1), indices = random_bytes(3 * height, height);
    Bytes stored;
    for (const auto& [first, step] : {std::pair{0u, 8u}, {4u, 8u}, {2u, 4u}, {1u, 2u}})
      for (std::size_t y = first; y < height; y += step)
        for (std::size_t x = 0; x < 3; ++x) stored.push_back(indices[y * 3 + x]);
    EXPECT_EQ(decode(gif_file(spec, palette, stored)).pixels, colors_of(palette, indices)) << height;
    GifSpec transparent = spec;
    transparent.transparent = indices[0];
    const auto image = decode(gif_file(transparent, palette, stored));
    for (std::size_t i = 0; i < indices.size(); ++i)
      ASSERT_EQ(image.pixels[i * 4 + 3], indices[i] == indices[0] ? 0 : 255) << height << " " << i;
  }
}

TEST(Gif, TransparencyAndPartialFrames) {
  const Bytes palette = {10, 20, 30, 40, 50, 60};
  GifSpec spec{2, 1, 0, 0, 0, 0, 1, false, 1};
  EXPECT_EQ(decode(gif_file(spec, palette, {0, 1})).pixels, (Bytes{10, 20, 30, 255, 40, 50, 60, 0}));
  spec.transparent = -1;
  spec.left = 1;
  spec.canvas_width = 3;
  spec.canvas_height = 1;
  const auto partial = decode(gif_file(spec, palette, {0, 1}));
  EXPECT_EQ(partial.pixels, (Bytes{0, 0, 0, 0, 10, 20, 30, 255, 40, 50, 60, 255}));
  EXPECT_TRUE(partial.flags.has(Flag::kWarning));
  spec.left = 2;
  EXPECT_TRUE(failure_of(gif_file(spec, palette, {0, 1})).failed) << "it reaches beyond the picture";
}

TEST(Gif, CountsFrames) {
  const GifSpec spec{2, 2, 0, 0, 0, 0, 8};
  const Bytes palette = random_bytes(768, 1), indices = random_bytes(4, 2);
  const Bytes comment = Bytes{0x21, 0xFE} + gif_blocks(bytes_of("a comment"), 4);
  const Bytes frame = gif_frame(spec, indices);
  const auto image = decode(gif_head(spec, palette) + comment + frame + frame + frame + Bytes{kTrailer});
  EXPECT_EQ(image.info.frames, 3u);
  EXPECT_TRUE(image.flags.has(Flag::kFirstFrame));
  EXPECT_EQ(image.notes.at(0), "only the first of 3 frames was read");
  EXPECT_EQ(image.pixels, colors_of(palette, indices));
}

TEST(Gif, TruncationWithinTheFirstFrameFails) {
  const GifSpec spec{7, 5, 0, 0, 0, 0, 4};
  const Bytes palette = random_bytes(48, 1), indices = random_bytes(35, 3, 16);
  const Bytes file = gif_file(spec, palette, indices);
  // The last bytes are the end code's, the empty block and the trailer.
  const std::size_t sound = file.size() - 4;
  for (std::size_t size = 0; size < sound; ++size) ASSERT_TRUE(failure_of(cut(file, size)).failed) << size;
  for (std::size_t size = file.size() - 2; size < file.size(); ++size) {
    const auto image = decode(cut(file, size));
    EXPECT_EQ(image.pixels, colors_of(palette, indices));
    EXPECT_TRUE(image.flags.has(Flag::kWarning));
  }
  expect_same_in_every_way(file);
}

TEST(Gif, ToleratedTruncationGivesWholeRows) {
  DecodeOptions options;
  options.tolerate_damage = true;
  const GifSpec spec{40, 30, 0, 0, 0, 0, 8};
  const Bytes palette = random_bytes(768, 1), indices = random_bytes(1200, 3);
  const Bytes file = gif_file(spec, palette, indices);
  const auto image = decode(cut(file, file.size() / 2 + 200), options);
  EXPECT_GT(image.rows, 0u);
  EXPECT_LT(image.rows, 30u);
  EXPECT_EQ(image.pixels, cut(colors_of(palette, indices), static_cast<std::size_t>(image.rows) * 120));
  EXPECT_TRUE(image.flags.has(Flag::kDamaged));
}

TEST(Gif, SaysWhatIsWrong) {
  const GifSpec spec{2, 1, 0, 0, 0, 0, 2};
  const Bytes palette = random_bytes(12, 1), two_colors = random_bytes(6, 1);
  Bytes file = gif_head({2, 1, 0, 0, 0, 0, 1}, two_colors) + gif_frame(spec, {0, 3}) + Bytes{kTrailer};
  EXPECT_NE(failure_of(file).text.find("color table"), std::string::npos);
  EXPECT_TRUE(failure_of(gif_head(spec, palette) + Bytes{kTrailer}).failed);
  EXPECT_TRUE(decode(gif_file(spec, palette, {0, 3, 1, 1})).flags.has(Flag::kWarning))
      << "more pixels than the size says";
  EXPECT_EQ(failure_of(gif_file({65535, 65535, 0, 0, 0, 0, 2}, palette, {0})).failed, true);
}

TEST(Gif, FlippedBitsNeverCrash) {
  flip_every_bit(gif_file({5, 4, 0, 0, 0, 0, 2}, random_bytes(12, 1), random_bytes(20, 2, 4)));
  GifSpec spec{5, 4, 1, 1, 7, 6, 2, true, 1};
  flip_every_bit(gif_file(spec, random_bytes(12, 1), random_bytes(20, 2, 4)));
}

}  // namespace
}  // namespace gpuhisto::testing
