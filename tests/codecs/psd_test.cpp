// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/stb_files.hpp"
#include "metadata/exif.hpp"

namespace gpuhisto::testing {
namespace {

Bytes interleaved(const PsdSpec& spec, const Bytes& samples, std::uint32_t channels) {
  const std::size_t pixels = spec.width * spec.height, bytes = spec.depth / 8;
  Bytes out;
  for (std::size_t i = 0; i < pixels; ++i)
    for (std::size_t c = 0; c < channels; ++c) out.push_back(samples[(c * pixels + i) * bytes]);
  return out;
}

TEST(Psd, EveryDepthPackingAndAlpha) {
  for (const std::uint32_t channels : {3u, 4u, 5u})
    for (const std::uint32_t depth : {8u, 16u})
      for (const bool packed : {false, true})
        for (const std::uint32_t width : {1u, 2u, 131u}) {
          const PsdSpec spec{width, 3, channels, depth, 3, packed};
          const Bytes samples = random_bytes(width * 3 * channels * depth / 8, width + depth, packed ? 3 : 256);
          const Bytes file = psd_file(spec, samples);
          const auto image = decode(file, keeping_metadata());
          const int shown = channels == 4 ? 4 : 3;
          EXPECT_EQ(image.info.channels, shown);
          EXPECT_EQ(image.pixels, interleaved(spec, samples, static_cast<std::uint32_t>(shown)))
              << channels << " " << depth << " " << packed << " " << width;
          EXPECT_EQ(image.flags.has(Flag::kReduced16), depth == 16);
          ASSERT_TRUE(image.metadata.resolution);
          EXPECT_EQ(image.metadata.resolution->x, 300);
          EXPECT_EQ(image.metadata.resolution->y, 150);
          if (width == 2) expect_same_in_every_way(file);
        }
}

TEST(Psd, TheOrientationIsThatOfItsExif) {
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const PsdSpec spec{3, 2, 3, 8, 3, false, exif_of_orientation(orientation)};
    const Bytes file = psd_file(spec, random_bytes(18, 1));
    EXPECT_EQ(decode(file).info.orientation, orientation);
    const auto kept = decode(file, keeping_metadata());
    EXPECT_EQ(kept.info.orientation, orientation);
    EXPECT_EQ(kept.metadata.exif, spec.exif);
  }
}

TEST(Psd, TruncationAtEveryByteFails) {
  for (const bool packed : {false, true}) {
    const PsdSpec spec{3, 2, 4, 8, 3, packed};
    const Bytes file = psd_file(spec, random_bytes(24, 1));
    for (std::size_t size = 0; size < file.size(); ++size) ASSERT_TRUE(failure_of(cut(file, size)).failed) << size;
  }
}

TEST(Psd, ToleratedTruncationGivesWholeRows) {
  DecodeOptions options;
  options.tolerate_damage = true;
  const PsdSpec spec{2, 3, 4, 8, 3, false};
  const Bytes samples = random_bytes(24, 2), file = psd_file(spec, samples);
  const auto two = decode(cut(file, file.size() - 1), options);
  EXPECT_EQ(two.rows, 2u);
  EXPECT_EQ(two.pixels, cut(interleaved(spec, samples, 4), 16));
  EXPECT_EQ(decode(cut(file, file.size() - 7), options).rows, 0u) << "the blue plane is cut";
}

TEST(Psd, NamesWhatItDoesNotRead) {
  PsdSpec spec{1, 1, 4, 8, 4, false};
  EXPECT_EQ(failure_of(psd_file(spec, Bytes(4))).text, "a PSD file of color mode 4 CMYK");
  spec.mode = 3;
  spec.depth = 32;
  EXPECT_EQ(failure_of(psd_file(spec, Bytes(16))).kind, ErrorKind::kUnsupported);
  Bytes big = psd_file({1, 1, 3, 8, 3, false}, Bytes(3));
  big[5] = 2;
  EXPECT_EQ(failure_of(big).kind, ErrorKind::kUnsupported);
}

TEST(Psd, FlippedBitsNeverCrash) {
  for (const bool packed : {false, true})
    for (const std::uint32_t depth : {8u, 16u})
      flip_every_bit(psd_file({3, 2, 4, depth, 3, packed}, random_bytes(24 * depth / 8, 3)));
}

}  // namespace
}  // namespace gpuhisto::testing
