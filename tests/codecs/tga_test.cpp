// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/codec.hpp"
#include "codecs/stb_files.hpp"

namespace gpuhisto::testing {
namespace {

struct Kind {
  std::uint32_t type, bits, map_bits;
  int channels;
};
constexpr Kind kKinds[] = {{2, 24, 0, 3}, {2, 32, 0, 4}, {2, 16, 0, 3}, {2, 15, 0, 3},  {3, 8, 0, 1},
                           {3, 16, 0, 2}, {1, 8, 24, 3}, {1, 8, 32, 4}, {1, 16, 24, 3}, {1, 8, 16, 3}};
constexpr std::uint32_t kMapFirst = 3, kMapCount = 20;

void append_color(const Bytes& from, std::size_t at, std::uint32_t bits, int channels, Bytes& to) {
  if (channels <= 2) {
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(at),
              from.begin() + static_cast<std::ptrdiff_t>(at) + channels);
  } else if (bits <= 16) {
    const std::uint32_t v = u16le(from, at);
    for (const unsigned shift : {10u, 5u, 0u}) to.push_back(static_cast<std::uint8_t>((v >> shift & 31) * 255 / 31));
  } else {
    for (const std::size_t c : {2u, 1u, 0u}) to.push_back(from[at + c]);
    if (channels == 4) to.push_back(from[at + 3]);
  }
}

// What the file's pixels look like from the top left.
Bytes expected_pixels(const TgaSpec& spec, int channels, const Bytes& pixels) {
  const std::size_t pixel_bytes = (spec.bits + 7) / 8;
  Bytes expected;
  for (std::size_t y = 0; y < spec.height; ++y)
    for (std::size_t x = 0; x < spec.width; ++x) {
      const std::size_t row = (spec.descriptor & 0x20) != 0 ? y : spec.height - 1 - y;
      const std::size_t column = (spec.descriptor & 0x10) != 0 ? spec.width - 1 - x : x;
      const std::size_t at = (row * spec.width + column) * pixel_bytes;
      if (spec.map_count == 0) {
        append_color(pixels, at, spec.bits, channels, expected);
      } else {
        const std::uint32_t index = (spec.bits == 16 ? u16le(pixels, at) : pixels[at]) - spec.map_first;
        append_color(spec.map, index * ((spec.map_bits + 7) / 8), spec.map_bits, channels, expected);
      }
    }
  return expected;
}

Bytes stored_pixels(const TgaSpec& spec, std::uint32_t seed) {
  const std::size_t count = spec.width * spec.height;
  if (spec.map_count == 0) {
    // Few values, so that there are runs.
    return random_bytes(count * ((spec.bits + 7) / 8), seed, spec.bits == 8 ? 3 : 2);
  }
  Bytes pixels;
  for (const auto index : random_bytes(count, seed, spec.map_count)) {
    if (spec.bits == 16)
      put16le(pixels, spec.map_first + index);
    else
      pixels.push_back(static_cast<std::uint8_t>(spec.map_first + index));
  }
  return pixels;
}

TgaSpec spec_of(const Kind& kind, std::uint32_t width) {
  TgaSpec spec{width, 4, kind.type, kind.bits, 0, 0, 0, 0, bytes_of("id"), {}};
  if (kind.map_bits != 0) {
    spec.map_first = kMapFirst;
    spec.map_count = kMapCount;
    spec.map_bits = kind.map_bits;
    spec.map = random_bytes(kMapCount * ((kind.map_bits + 7) / 8), 9);
  }
  return spec;
}

TEST(Tga, EveryKindAndOrder) {
  for (const Kind& kind : kKinds)
    for (const std::uint32_t width : {1u, 2u, 7u, 150u})
      for (const std::uint32_t descriptor : {0u, 0x10u, 0x20u, 0x30u}) {
        TgaSpec spec = spec_of(kind, width);
        spec.descriptor = descriptor;
        const Bytes pixels = stored_pixels(spec, width + kind.bits);
        const Bytes expected = expected_pixels(spec, kind.channels, pixels);
        const auto raw = decode(tga_file(spec, pixels));
        EXPECT_EQ(raw.info.channels, kind.channels);
        EXPECT_EQ(raw.info.format, Format::kTga);
        EXPECT_EQ(raw.pixels, expected) << kind.type << " " << kind.bits << " " << width << " " << descriptor;
        spec.type += 8;
        const Bytes packed = tga_file(spec, tga_packets(pixels, (kind.bits + 7) / 8, width == 150 ? 128 : 5));
        EXPECT_EQ(decode(packed).pixels, expected) << kind.type << " " << kind.bits << " packed";
        if (width == 7) expect_same_in_every_way(packed);
      }
}

TEST(Tga, TruncationAtEveryByteFails) {
  for (const Kind& kind : kKinds)
    for (const bool packed : {false, true}) {
      TgaSpec spec = spec_of(kind, 6);
      Bytes pixels = stored_pixels(spec, 1);
      if (packed) {
        spec.type += 8;
        pixels = tga_packets(pixels, (kind.bits + 7) / 8, 4);
      }
      const Bytes file = tga_file(spec, pixels);
      for (std::size_t size = 0; size < file.size(); ++size) ASSERT_TRUE(failure_of(cut(file, size)).failed) << size;
    }
}

TEST(Tga, ToleratedTruncationGivesTheRowsThatAreThere) {
  DecodeOptions options;
  options.tolerate_damage = true;
  const TgaSpec spec{2, 3, 3, 8, 0x20, 0, 0, 0, {}, {}};
  const auto image = decode(tga_file(spec, {1, 2, 3, 4, 5}), options);
  EXPECT_EQ(image.pixels, (Bytes{1, 2, 3, 4}));
  EXPECT_EQ(image.notes.at(0), "2 of 3 rows decoded: the pixels are truncated");
}

TEST(Tga, AColorOutsideTheMapIsDamage) {
  TgaSpec spec = spec_of({1, 8, 24, 3}, 2);
  spec.height = 1;
  EXPECT_FALSE(failure_of(tga_file(spec, {kMapFirst, kMapFirst + kMapCount - 1})).failed);
  EXPECT_TRUE(failure_of(tga_file(spec, {kMapFirst - 1, kMapFirst})).failed);
  EXPECT_TRUE(failure_of(tga_file(spec, {kMapFirst, kMapFirst + kMapCount})).failed);
}

TEST(Tga, AnUnusedMapIsSkipped) {
  TgaSpec spec = spec_of({1, 8, 24, 3}, 1);
  spec.type = 2;
  spec.bits = 24;
  spec.height = 1;
  EXPECT_EQ(decode(tga_file(spec, {1, 2, 3})).pixels, (Bytes{3, 2, 1}));
}

TEST(Tga, OtherBytesAreNoTga) {
  EXPECT_FALSE(looks_like_tga(Bytes(18, 0)));
  EXPECT_FALSE(looks_like_tga(bytes_of("<!DOCTYPE html><html>")));
  std::size_t taken = 0;
  for (std::uint32_t seed = 0; seed < 100000; ++seed)
    taken += static_cast<std::size_t>(looks_like_tga(random_bytes(18, seed)));
  EXPECT_LT(taken, 10u) << "of 100000 random headers";
}

TEST(Tga, FlippedBitsNeverCrash) {
  for (const Kind& kind : kKinds) {
    TgaSpec spec = spec_of(kind, 3);
    spec.type += 8;
    flip_every_bit(tga_file(spec, tga_packets(stored_pixels(spec, 4), (kind.bits + 7) / 8, 4)));
  }
}

}  // namespace
}  // namespace gpuhisto::testing
