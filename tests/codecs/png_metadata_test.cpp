// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// What is kept of a PNG file beside its pixels, and what is told as lost.
#include <zlib.h>

#include "codecs/decode_helpers.hpp"
#include "codecs/png_maker.hpp"

namespace gpuhisto::testing {
namespace {

using namespace std::string_literals;

Bytes zlib_stream(const Bytes& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  Bytes stream(size);
  compress(stream.data(), &size, bytes.data(), static_cast<uLong>(bytes.size()));
  stream.resize(size);
  return stream;
}

TEST(Png, KeepsItsMetadataWhenAsked) {
  const Bytes profile(200000, 3), xmp = bytes_of("<x/>");
  const std::vector<PngChunk> chunks = {{"iCCP", bytes_of("name\0\0"s) + zlib_stream(profile)},
                                        {"gAMA", {0, 0, 177, 143}},
                                        {"pHYs", {0, 0, 11, 19, 0, 0, 11, 18, 1}}};
  const std::vector<PngChunk> anywhere = {{"eXIf", orientation_block(3)}, {"tEXt", bytes_of("Title\0it"s)}};
  const std::vector<PngChunk> packets = {{"iTXt", bytes_of("XML:com.adobe.xmp\0\0\0\0\0"s) + xmp},
                                         {"iTXt", bytes_of("XML:com.adobe.xmp\0\1\0en\0t\0"s) + zlib_stream(xmp)}};
  for (const PngChunk& packet : packets)
    for (const int depth : {8, 16})  // by the decoder of small files, and by libpng
      for (const bool late : {false, true}) {
        PngWish wish;
        wish.depth = depth;
        wish.before = chunks;
        std::vector<PngChunk>& others = late ? wish.after : wish.before;
        others.insert(others.end(), anywhere.begin(), anywhere.end());
        others.push_back(packet);
        const Bytes file = make_png(wish).bytes;
        EXPECT_EQ(decode(file).metadata.bytes(), 0u);
        const Metadata kept = decode(file, keeping_metadata()).metadata;
        EXPECT_EQ(kept.icc, profile);
        EXPECT_EQ(kept.exif, orientation_block(3));
        EXPECT_EQ(kept.xmp, xmp);
        ASSERT_TRUE(kept.resolution);
        EXPECT_EQ(kept.resolution->y, 2834);
        EXPECT_EQ(kept.resolution->unit, Resolution::Unit::kMetre);
        ASSERT_EQ(kept.png_chunks.size(), 2u);
        EXPECT_EQ(kept.png_chunks[0].name, "");
        EXPECT_EQ(kept.png_chunks[1].bytes, bytes_of("Title\0it"s));
        EXPECT_EQ(kept.png_chunks[1].name, "text");
        EXPECT_TRUE(kept.lost.empty());
      }
}

TEST(Png, TellsWhichMetadataItCannotKeep) {
  const auto lost = [](const std::vector<PngChunk>& chunks, std::uint64_t max_memory = 1 << 26) {
    PngWish wish;
    wish.depth = 16;
    wish.before = chunks;
    DecodeOptions options = keeping_metadata();
    options.max_memory = max_memory;
    const Metadata kept = decode(make_png(wish).bytes, options).metadata;
    EXPECT_LE(kept.bytes(), max_memory / 16);
    return kept.lost;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(
      lost({{"iCCP", bytes_of("no stream")}, {"pHYs", {0}}, {"gAMA", {1}}, {"iTXt", bytes_of("XML:com.adobe.xmp\0"s)}}),
      (Names{"ICC profile (damaged)", "resolution (damaged)", "gamma (damaged)", "XMP (damaged)"}));
  const Bytes half = cut(zlib_stream(Bytes(5000, 1)), 12);
  EXPECT_EQ(lost({{"iCCP", bytes_of("n\0\0"s) + half}}), Names{"ICC profile (damaged)"});
  // 100 MB in 100 kB, and chunks that are long or many.
  const Bytes bomb = zlib_stream(Bytes(100'000'000, 0));
  EXPECT_EQ(lost({{"iCCP", bytes_of("n\0\0"s) + bomb}, {"iTXt", bytes_of("XML:com.adobe.xmp\0\1\0\0\0"s) + bomb}}),
            (Names{"ICC profile (beyond the 4 MiB that are kept)", "XMP (beyond the 4 MiB that are kept)"}));
  // The first of its kind is inflated, no other.
  const std::vector<PngChunk> many(1000, {"iCCP", bytes_of("n\0\0"s) + bomb});
  EXPECT_EQ(lost(many), Names{"ICC profile (beyond the 4 MiB that are kept)"});
  EXPECT_EQ(lost({{"eXIf", Bytes(5000000, 0)}}), Names{"EXIF (beyond the 4 MiB that are kept)"});
  EXPECT_EQ(lost(std::vector<PngChunk>(10000, {"tEXt", bytes_of("a\0b"s)}), 1 << 24),
            Names{"text (beyond the 1 MiB that are kept)"});
}

/// What is kept of a file, the chunks behind its pixels among it; the same whichever decoder reads it.
Metadata kept_of(const Bytes& file) {
  TrickleSource streamed(file, 1000);
  const Metadata kept = decode(file, keeping_metadata()).metadata,
                 other = decode(streamed, keeping_metadata()).metadata;
  EXPECT_EQ(kept.lost, other.lost);
  EXPECT_EQ(kept.bytes(), other.bytes());
  return kept;
}

Metadata kept_of(const std::vector<PngChunk>& before, const std::vector<PngChunk>& after = {}) {
  PngWish wish;
  wish.before = before;
  wish.after = after;
  return kept_of(make_png(wish).bytes);
}

using Lost = std::vector<std::string>;

TEST(Png, WhatReadersIgnoreByItsPlaceIsNotKept) {
  const Bytes profile = bytes_of("n\0\0"s) + zlib_stream(Bytes(500, 3));
  const std::vector<PngChunk> of_color = {
      {"gAMA", {0, 1, 134, 160}}, {"cHRM", Bytes(32, 1)}, {"sRGB", {0}}, {"cICP", {9, 16, 0, 1}}, {"iCCP", profile}};
  const PngChunk shape = {"pHYs", {0, 0, 11, 19, 0, 0, 11, 18, 1}};
  for (const PngChunk& chunk : of_color) {
    EXPECT_EQ(kept_of({chunk}).lost, Lost{}) << chunk.type;
    const Metadata late = kept_of({}, {chunk});
    EXPECT_EQ(late.lost.size(), 1u) << chunk.type;
    EXPECT_EQ(late.bytes(), 0u) << chunk.type;
    PngWish indexed;
    indexed.type = 3;
    indexed.before = {chunk, shape};  // both behind the palette
    const Metadata kept = kept_of(make_png(indexed).bytes);
    EXPECT_EQ(kept.lost.size(), 1u) << chunk.type;
    EXPECT_EQ(kept.bytes(), 0u) << chunk.type;
    EXPECT_TRUE(kept.resolution);
  }
  const Metadata late = kept_of({}, {shape});
  EXPECT_EQ(late.lost, Lost{"resolution (damaged)"});
  EXPECT_FALSE(late.resolution);
  EXPECT_EQ(kept_of({shape}, {shape}).lost, Lost{});
}

TEST(Png, OfAKindTheFirstIsKept) {
  const auto number = [](std::uint8_t v) { return Bytes{0, 0, v, 0}; };
  const Metadata kept = kept_of({{"gAMA", number(1)},
                                 {"gAMA", number(2)},
                                 {"cHRM", Bytes(32, 1)},
                                 {"cHRM", Bytes(32, 2)},
                                 {"sRGB", {1}},
                                 {"sRGB", {2}},
                                 {"pHYs", number(1) + number(2) + Bytes{1}},
                                 {"pHYs", number(3) + number(4) + Bytes{1}},
                                 {"eXIf", orientation_block(3)},
                                 {"eXIf", orientation_block(6)},
                                 {"tEXt", bytes_of("Title\0one"s)},
                                 {"tEXt", bytes_of("Title\0two"s)}});
  ASSERT_EQ(kept.png_chunks.size(), 5u);
  EXPECT_EQ(kept.png_chunks[0].bytes, number(1));
  EXPECT_EQ(kept.png_chunks[1].bytes, Bytes(32, 1));
  EXPECT_EQ(kept.png_chunks[2].bytes, Bytes{1});
  ASSERT_TRUE(kept.resolution);
  EXPECT_EQ(kept.resolution->x, 256);
  EXPECT_EQ(kept.exif, orientation_block(3));
  EXPECT_EQ(kept.lost, Lost{});
}

TEST(Png, ChunksThatMeanNothingAreNotKept) {
  const auto lost = [](const PngChunk& chunk) {
    const Metadata kept = kept_of({chunk});
    EXPECT_EQ(kept.bytes(), 0u);
    return kept.lost;
  };
  EXPECT_EQ(lost({"gAMA", {0, 0, 0, 0}}), Lost{"gamma (damaged)"});
  EXPECT_EQ(lost({"gAMA", {128, 0, 0, 0}}), Lost{"gamma (damaged)"});
  EXPECT_EQ(lost({"sRGB", {4}}), Lost{"color space (damaged)"});
  for (const char* const type : {"tEXt", "zTXt", "iTXt", "iCCP"}) {
    const Lost expected = {type == "iCCP"s ? "ICC profile (damaged)" : "text (damaged)"};
    for (const std::string& keyword : {""s, std::string(80, 'k')})
      EXPECT_EQ(lost({type, bytes_of(keyword + "\0\0"s) + zlib_stream({1})}), expected) << type;
    EXPECT_EQ(lost({type, bytes_of("keyword")}), expected) << type;
  }
  EXPECT_EQ(lost({"zTXt", bytes_of("keyword\0\1"s) + zlib_stream({1})}), Lost{"text (damaged)"});
  EXPECT_EQ(kept_of({{"tEXt", bytes_of(std::string(79, 'k') + '\0')}}).lost, Lost{});
}

TEST(Png, MetadataOfAWrongChecksumIsNotKept) {
  PngWish wish;
  wish.after = {{"tEXt", bytes_of("Title\0it"s)}};
  Bytes file = make_png(wish).bytes;
  const std::string text = "Title";
  *std::search(file.begin(), file.end(), text.begin(), text.end()) ^= 1;
  const Decoded decoded = decode(file, keeping_metadata());
  EXPECT_EQ(decoded.metadata.lost, std::vector<std::string>{"text (damaged)"});
  EXPECT_TRUE(decoded.metadata.png_chunks.empty());
}

TEST(Png, OnlyColorsUnlikeSrgbAreMissedElsewhere) {
  const auto names = [](const std::vector<PngChunk>& chunks) {
    PngWish wish;
    wish.before = chunks;
    std::vector<std::string> found;
    for (const MetadataBlock& block : decode(make_png(wish).bytes, keeping_metadata()).metadata.png_chunks)
      if (!block.name.empty()) found.push_back(block.name);
    return found;
  };
  using Names = std::vector<std::string>;
  const PngChunk one = {"gAMA", {0, 1, 134, 160}}, srgb = {"sRGB", {0}}, wide = {"cHRM", Bytes(32, 9)};
  EXPECT_EQ(names({one, wide}), (Names{"gamma", "primaries"}));
  EXPECT_EQ(names({one, wide, srgb}), Names{});
  EXPECT_EQ(names({{"cICP", {1, 13, 0, 1}}}), Names{});
  EXPECT_EQ(names({{"cICP", {9, 16, 0, 1}}}), Names{"color space"});
}

}  // namespace
}  // namespace gpuhisto::testing
