// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <cmath>

#include "codecs/byte_fields.hpp"
#include "codecs/random_bytes.hpp"
#include "codecs/tiff_maker.hpp"
#include "metadata/exif.hpp"

namespace gpuhisto::testing {
namespace {

std::uint8_t to_byte(std::uint32_t v, unsigned bits) {
  return static_cast<std::uint8_t>(bits == 16 ? v >> 8 : v * 255 / ((1u << bits) - 1));
}

TEST(Tiff, EveryDepthLayoutAndCompression) {
  for (const unsigned bits : {1u, 2u, 4u, 8u, 16u})
    for (const unsigned samples : {1u, 2u, 3u, 4u})
      for (const auto compression :
           {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS})
        for (const std::uint32_t tile : {0u, 16u})
          for (const auto planar : {PLANARCONFIG_CONTIG, PLANARCONFIG_SEPARATE}) {
            TiffSpec s{37, 21, bits, samples};
            s.photometric = samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
            s.compression = static_cast<std::uint16_t>(compression);
            s.planar = static_cast<std::uint16_t>(planar);
            s.tile = tile;
            s.strip = samples == 2 ? 21 : 4;
            if (samples % 2 == 0) s.extra = {EXTRASAMPLE_UNASSALPHA};
            const auto values = random_values(s, bits * samples);
            Bytes expected;
            for (const auto v : values) expected.push_back(to_byte(v, bits));
            const auto image = decode(tiff_of(s, values, bits == 4 ? "wb" : "w"));
            EXPECT_EQ(image.info.channels, static_cast<int>(samples));
            EXPECT_EQ(image.info.source_bits, static_cast<int>(bits));
            EXPECT_EQ(image.pixels, expected) << bits << " bits, " << samples << " samples, compression " << compression
                                              << ", tile " << tile << ", planar " << planar;
            EXPECT_EQ(image.flags.has(Flag::kReduced16), bits == 16);
            EXPECT_FALSE(image.flags.has(Flag::kWarning)) << image.notes.at(0);
          }
}

// The standard wants multiples of 16, which libtiff only warns of: others may begin within a byte.
TEST(Tiff, TilesOfAnyWidth) {
  for (const unsigned bits : {1u, 2u, 4u, 8u, 16u})
    for (const std::uint32_t tile_width : {1u, 3u, 5u, 8u, 10u, 16u, 17u, 30u, 33u, 100u}) {
      TiffSpec s{31, 21, bits, 1};
      s.tile = 16;
      const auto values = random_values(s, bits + tile_width);
      Bytes expected;
      for (const auto v : values) expected.push_back(to_byte(v, bits));
      const auto image = decode(odd_tiles_of(s, tile_width, values));
      EXPECT_EQ(image.pixels, expected) << bits << " bits, tiles of " << tile_width;
      EXPECT_EQ(image.flags.has(Flag::kWarning), tile_width != 16) << tile_width;
    }
}

TEST(Tiff, BigEndianAndBigTiff) {
  for (const char* mode : {"wl", "wb", "wl8", "wb8"}) {
    const TiffSpec s{9, 5, 16, 1};
    const auto values = random_values(s, 4);
    Bytes expected;
    for (const auto v : values) expected.push_back(static_cast<std::uint8_t>(v >> 8));
    EXPECT_EQ(decode(tiff_of(s, values, mode)).pixels, expected) << mode;
  }
}

TEST(Tiff, MinIsWhitePaletteAndCmyk) {
  for (const unsigned bits : {1u, 4u, 8u, 16u}) {
    TiffSpec s{11, 3, bits, 1, PHOTOMETRIC_MINISWHITE};
    const auto values = random_values(s, bits);
    const auto image = decode(tiff_of(s, values));
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(image.pixels[i], 255 - to_byte(values[i], bits));
  }
  for (const unsigned bits : {1u, 2u, 4u, 8u}) {
    const TiffSpec s{11, 3, bits, 1, PHOTOMETRIC_PALETTE};
    const auto values = random_values(s, bits);
    std::vector<std::uint16_t> map[3];
    for (unsigned c = 0; c < 3; ++c)
      for (unsigned v = 0; v < 1u << bits; ++v)
        map[c].push_back(static_cast<std::uint16_t>(65535 - v * 199 - c * 3000));
    const auto image = decode(tiff_file("w", [&](TIFF* tiff) {
      set_fields(tiff, s);
      TIFFSetField(tiff, TIFFTAG_COLORMAP, map[0].data(), map[1].data(), map[2].data());
      write_pixels(tiff, s, values);
    }));
    for (std::size_t i = 0; i < values.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c) ASSERT_EQ(image.pixels[3 * i + c], map[c][values[i]] >> 8);
  }
  const TiffSpec s{64, 64, 8, 4, PHOTOMETRIC_SEPARATED};
  const auto values = random_values(s, 9);
  const auto image = decode(tiff_of(s, values));
  EXPECT_TRUE(image.flags.has(Flag::kConvertedCmyk));
  ASSERT_EQ(image.info.channels, 3);
  for (std::size_t i = 0; i < values.size() / 4; ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      const double exact = (255.0 - values[4 * i + c]) * (255.0 - values[4 * i + 3]) / 255.0;
      ASSERT_LE(std::abs(image.pixels[3 * i + c] - exact), 0.5);
    }
}

TEST(Tiff, ExtraSamples) {
  TiffSpec s{8, 8, 8, 5, PHOTOMETRIC_RGB};
  s.extra = {EXTRASAMPLE_UNSPECIFIED, EXTRASAMPLE_UNASSALPHA};
  const auto values = random_values(s, 3);
  const auto image = decode(tiff_of(s, values));
  ASSERT_EQ(image.info.channels, 4);
  for (std::size_t i = 0; i < 64; ++i) {
    ASSERT_EQ(image.pixels[4 * i], values[5 * i]);
    ASSERT_EQ(image.pixels[4 * i + 3], values[5 * i + 4]);
  }
  s.samples = 4;
  s.extra = {EXTRASAMPLE_UNSPECIFIED};
  EXPECT_EQ(decode(tiff_of(s, random_values(s, 3))).info.channels, 3);
  s.extra = {EXTRASAMPLE_ASSOCALPHA};
  s.width = 2;
  s.height = 2;
  const auto multiplied = decode(tiff_of(s, {10, 20, 30, 128, 10, 20, 30, 0, 10, 20, 30, 255, 200, 0, 1, 2}));
  EXPECT_EQ(multiplied.pixels, (Bytes{19, 39, 59, 128, 0, 0, 0, 0, 10, 20, 30, 255, 255, 0, 127, 2}));
}

TEST(Tiff, FaxAndJpeg) {
  TiffSpec fax{123, 20, 1, 1, PHOTOMETRIC_MINISWHITE, COMPRESSION_CCITTFAX4};
  const auto bits = random_values(fax, 1);
  const auto image = decode(tiff_of(fax, bits));
  for (std::size_t i = 0; i < bits.size(); ++i) ASSERT_EQ(image.pixels[i], bits[i] != 0 ? 0 : 255);
  // The oracle of the lossy one is the file itself, read whole by libtiff's own converter.
  const Bytes jpeg = tiff_file("w", [&](TIFF* tiff) {
    TiffSpec s{40, 32, 8, 3, PHOTOMETRIC_YCBCR, COMPRESSION_JPEG};
    s.strip = 16;
    set_fields(tiff, s);
    TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    write_pixels(tiff, s, random_values(s, 2));
  });
  Buffer buffer{jpeg, 0};
  TIFF* tiff = TIFFClientOpen(
      "memory", "r", &buffer, read_buffer, write_buffer, seek_buffer, [](thandle_t) { return 0; },
      [](thandle_t h) -> toff_t { return static_cast<Buffer*>(h)->bytes.size(); },
      [](thandle_t, void**, toff_t*) { return 0; }, [](thandle_t, void*, toff_t) {});
  std::vector<std::uint32_t> raster(40 * 32);
  ASSERT_EQ(TIFFReadRGBAImageOriented(tiff, 40, 32, raster.data(), ORIENTATION_TOPLEFT, 1), 1);
  TIFFClose(tiff);
  const auto decoded = decode(jpeg);
  for (std::size_t i = 0; i < raster.size(); ++i)
    for (unsigned c = 0; c < 3; ++c) ASSERT_EQ(decoded.pixels[3 * i + c], raster[i] >> (8 * c) & 255);
}

TEST(Tiff, PagesOrientationAndMetadata) {
  const TiffSpec s{3, 2, 8, 1};
  const auto values = random_values(s, 1);
  const Bytes file = tiff_file("w", [&](TIFF* tiff) {
    for (int page = 0; page < 3; ++page) {
      set_fields(tiff, s);
      TIFFSetField(tiff, TIFFTAG_ORIENTATION, 6 + page % 2);
      TIFFSetField(tiff, TIFFTAG_XRESOLUTION, 300.0);
      TIFFSetField(tiff, TIFFTAG_YRESOLUTION, 150.0);
      TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER);
      TIFFSetField(tiff, TIFFTAG_ARTIST, "Somebody");
      TIFFSetField(tiff, TIFFTAG_ICCPROFILE, 4, "icc!");
      TIFFSetField(tiff, TIFFTAG_XMLPACKET, 5, "<xmp>");
      write_pixels(tiff, s, page == 0 ? values : random_values(s, 2));
      TIFFWriteDirectory(tiff);
    }
  });
  const auto image = decode(file, keeping_metadata());
  EXPECT_EQ(image.info.frames, 3u);
  EXPECT_TRUE(image.flags.has(Flag::kFirstFrame));
  EXPECT_EQ(image.info.orientation, 6);
  EXPECT_EQ(image.metadata.icc, bytes_of("icc!"));
  EXPECT_EQ(image.metadata.xmp, bytes_of("<xmp>"));
  EXPECT_EQ(image.metadata.resolution->x, 30000);
  EXPECT_EQ(image.metadata.resolution->y, 15000);
  EXPECT_EQ(exif_orientation(image.metadata.exif), 6);
  EXPECT_NE(std::string(image.metadata.exif.begin(), image.metadata.exif.end()).find("Somebody"), std::string::npos);
  EXPECT_EQ(decode(file).metadata.bytes(), 0u);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(image.pixels[i], values[i]);
  expect_same_in_every_way(file);
}

TEST(Tiff, WhatOfBigTiffEndsWithItIsTold) {
  const TiffSpec s{3, 2, 8, 1};
  const auto values = random_values(s, 1);
  const auto lost = [&](const char* mode, int tag, const char* text) {
    const Bytes file = tiff_file(mode, [&](TIFF* tiff) {
      set_fields(tiff, s);
      TIFFSetField(tiff, TIFFTAG_ORIENTATION, 6);
      TIFFSetField(tiff, TIFFTAG_XRESOLUTION, 300.0);
      TIFFSetField(tiff, TIFFTAG_YRESOLUTION, 300.0);
      if (text) TIFFSetField(tiff, static_cast<std::uint32_t>(tag), text);
      if (tag == TIFFTAG_GPSIFD) TIFFSetField(tiff, TIFFTAG_GPSIFD, toff_t{16});
      write_pixels(tiff, s, values);
    });
    return decode(file, keeping_metadata()).metadata.lost;
  };
  using Names = std::vector<std::string>;
  for (const int tag : {TIFFTAG_ARTIST, TIFFTAG_IMAGEDESCRIPTION, TIFFTAG_COPYRIGHT, TIFFTAG_DATETIME}) {
    EXPECT_EQ(lost("w8", tag, "2026:11:30 12:00:00"), Names{"EXIF"}) << tag;
    EXPECT_EQ(lost("w", tag, "2026:11:30 12:00:00"), Names{}) << tag;
  }
  EXPECT_EQ(lost("w8", TIFFTAG_GPSIFD, nullptr), Names{"EXIF"});
  EXPECT_EQ(lost("w8", 0, nullptr), Names{});
}

// The directory first and the pixels last, as libtiff does not write it.
Bytes pixels_last(std::uint32_t width, std::uint32_t height, const Bytes& pixels) {
  Bytes file = {'I', 'I', 42, 0, 8, 0, 0, 0};
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> fields = {
      {256, width}, {257, height}, {258, 8},
      {259, 1},     {262, 1},      {273, 8 + 2 + 9 * 12 + 4},
      {277, 1},     {278, height}, {279, static_cast<std::uint32_t>(pixels.size())}};
  put16le(file, static_cast<std::uint32_t>(fields.size()));
  for (const auto& [tag, value] : fields) {
    put16le(file, tag);
    put16le(file, 4);
    put32le(file, 1);
    put32le(file, value);
  }
  put32le(file, 0);
  return file + pixels;
}

TEST(Tiff, TruncationAtEveryByteFails) {
  const Bytes last = pixels_last(5, 4, random_bytes(20, 1));
  EXPECT_EQ(decode(last).pixels, random_bytes(20, 1));
  const TiffSpec s{5, 4, 8, 1, PHOTOMETRIC_MINISBLACK, COMPRESSION_LZW};
  for (const Bytes& file : {last, tiff_of(s, random_values(s, 1))})
    for (std::size_t size = 0; size < file.size(); ++size) ASSERT_TRUE(failure_of(cut(file, size)).failed) << size;
}

TEST(Tiff, ToleratedDamageGivesTheRowsBeforeIt) {
  const TiffSpec s{50, 8, 8, 1, PHOTOMETRIC_MINISBLACK, COMPRESSION_ADOBE_DEFLATE};
  const auto values = random_values(s, 1);
  Bytes file = tiff_of(s, values);
  // Strips of two rows: the third one begins about half-way.
  for (std::size_t i = 0; i < 8; ++i) file[file.size() / 2 - 20 + i] ^= 0xFF;
  EXPECT_EQ(failure_of(file).kind, ErrorKind::kInput);
  DecodeOptions options;
  options.tolerate_damage = true;
  const auto image = decode(file, options);
  EXPECT_TRUE(image.flags.has(Flag::kDamaged));
  EXPECT_GT(image.rows, 0u);
  EXPECT_LT(image.rows, 8u);
}

TEST(Tiff, NamesWhatItDoesNotRead) {
  const TiffSpec s{2, 2, 32, 1};
  const Bytes floats = tiff_file("w", [&](TIFF* tiff) {
    set_fields(tiff, s);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
    float row[2] = {0, 1};
    for (std::uint32_t y = 0; y < 2; ++y) TIFFWriteScanline(tiff, row, y, 0);
  });
  EXPECT_EQ(failure_of(floats).text, "a TIFF file of floating-point samples");
  EXPECT_EQ(failure_of(floats).kind, ErrorKind::kUnsupported);
  const TiffSpec crowded{2, 2, 8, 65};
  EXPECT_EQ(failure_of(tiff_of(crowded, random_values(crowded, 1))).kind, ErrorKind::kUnsupported);
  DecodeOptions options;
  options.max_pixels = 3;
  EXPECT_EQ(failure_of(floats, options).kind, ErrorKind::kTooLarge);
  options = {};
  options.max_memory = 100;
  EXPECT_EQ(failure_of(pixels_last(5, 4, random_bytes(20, 1)), options).kind, ErrorKind::kLimit);
}

TEST(Tiff, FlippedBitsNeverCrash) {
  flip_every_bit(pixels_last(5, 4, random_bytes(20, 1)));
  TiffSpec s{20, 17, 8, 3, PHOTOMETRIC_RGB, COMPRESSION_LZW};
  s.tile = 16;
  flip_every_bit(tiff_of(s, std::vector<std::uint32_t>(20 * 17 * 3, 7)));
  const TiffSpec fax{30, 5, 1, 1, PHOTOMETRIC_MINISWHITE, COMPRESSION_CCITTFAX4};
  flip_every_bit(tiff_of(fax, random_values(fax, 1)));
}

}  // namespace
}  // namespace gpuhisto::testing
