// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <tiffio.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "codecs/byte_fields.hpp"
#include "codecs/decode_helpers.hpp"
#include "codecs/random_bytes.hpp"

namespace gpuhisto::testing {
namespace {

struct Buffer {
  Bytes bytes;
  std::uint64_t at = 0;
};
tmsize_t read_buffer(thandle_t handle, void* to, tmsize_t count) {
  auto& b = *static_cast<Buffer*>(handle);
  const auto n = std::min<std::uint64_t>(static_cast<std::uint64_t>(count),
                                         b.bytes.size() - std::min<std::uint64_t>(b.at, b.bytes.size()));
  std::memcpy(to, b.bytes.data() + b.at, n);
  b.at += n;
  return static_cast<tmsize_t>(n);
}
tmsize_t write_buffer(thandle_t handle, void* from, tmsize_t count) {
  auto& b = *static_cast<Buffer*>(handle);
  const auto n = static_cast<std::uint64_t>(count);
  if (b.at + n > b.bytes.size()) b.bytes.resize(b.at + n);
  std::memcpy(b.bytes.data() + b.at, from, n);
  b.at += n;
  return count;
}
toff_t seek_buffer(thandle_t handle, toff_t offset, int whence) {
  auto& b = *static_cast<Buffer*>(handle);
  b.at = whence == SEEK_SET ? offset : whence == SEEK_CUR ? b.at + offset : b.bytes.size() + offset;
  return b.at;
}

/// A file that libtiff writes.
Bytes tiff_file(const char* mode, const std::function<void(TIFF*)>& write) {
  Buffer buffer;
  TIFF* tiff = TIFFClientOpen(
      "memory", mode, &buffer, read_buffer, write_buffer, seek_buffer, [](thandle_t) { return 0; },
      [](thandle_t h) -> toff_t { return static_cast<Buffer*>(h)->bytes.size(); },
      [](thandle_t, void**, toff_t*) { return 0; }, [](thandle_t, void*, toff_t) {});
  write(tiff);
  TIFFClose(tiff);
  return buffer.bytes;
}

struct Spec {
  std::uint32_t width = 0, height = 0;
  unsigned bits = 8, samples = 1;
  std::uint16_t photometric = PHOTOMETRIC_MINISBLACK, compression = COMPRESSION_NONE;
  std::uint16_t planar = PLANARCONFIG_CONTIG;
  std::uint32_t strip = 2, tile = 0;  ///< rows a strip, or the side of a tile
  std::vector<std::uint16_t> extra = {};
};

void set_fields(TIFF* tiff, const Spec& s) {
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, s.width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, s.height);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, s.bits);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, s.samples);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, s.photometric);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, s.compression);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, s.planar);
  if (!s.extra.empty()) TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, static_cast<int>(s.extra.size()), s.extra.data());
  if (s.tile != 0) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, s.tile);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, s.tile);
  } else {
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, s.strip);
  }
}

// `count` samples from `at` on, side by side.
Bytes packed_row(const std::vector<std::uint32_t>& values, std::size_t at, std::size_t count, unsigned bits) {
  Bytes row((count * bits + 7) / 8, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t v = values[at + i];
    if (bits == 16) {
      const auto word = static_cast<std::uint16_t>(v);
      std::memcpy(row.data() + 2 * i, &word, 2);
    } else {
      row[i * bits / 8] = static_cast<std::uint8_t>(row[i * bits / 8] | v << (8 - bits - i * bits % 8));
    }
  }
  return row;
}

// One plane of samples side by side, `n` a pixel.
void write_plane(TIFF* tiff, const Spec& s, std::uint16_t plane, unsigned n, const std::vector<std::uint32_t>& values) {
  if (s.tile == 0) {
    for (std::uint32_t y = 0; y < s.height; ++y) {
      Bytes row = packed_row(values, std::size_t{y} * s.width * n, std::size_t{s.width} * n, s.bits);
      ASSERT_EQ(TIFFWriteScanline(tiff, row.data(), y, plane), 1);
    }
    return;
  }
  for (std::uint32_t ty = 0; ty < s.height; ty += s.tile)
    for (std::uint32_t tx = 0; tx < s.width; tx += s.tile) {
      std::vector<std::uint32_t> tile(std::size_t{s.tile} * s.tile * n, 1);  // beyond the picture: not to be seen
      for (std::uint32_t y = ty; y < std::min(ty + s.tile, s.height); ++y)
        for (std::uint32_t x = tx; x < std::min(tx + s.tile, s.width); ++x)
          for (unsigned c = 0; c < n; ++c)
            tile[((y - ty) * s.tile + x - tx) * std::size_t{n} + c] = values[(std::size_t{y} * s.width + x) * n + c];
      Bytes bytes = packed_row(tile, 0, tile.size(), s.bits);
      ASSERT_GE(TIFFWriteTile(tiff, bytes.data(), tx, ty, 0, plane), 0);
    }
}

void write_pixels(TIFF* tiff, const Spec& s, const std::vector<std::uint32_t>& values) {
  if (s.planar == PLANARCONFIG_CONTIG) return write_plane(tiff, s, 0, s.samples, values);
  for (unsigned plane = 0; plane < s.samples; ++plane) {
    std::vector<std::uint32_t> one;
    for (std::size_t i = plane; i < values.size(); i += s.samples) one.push_back(values[i]);
    write_plane(tiff, s, static_cast<std::uint16_t>(plane), 1, one);
  }
}

Bytes spec_file(const Spec& s, const std::vector<std::uint32_t>& values, const char* mode = "w") {
  return tiff_file(mode, [&](TIFF* tiff) {
    set_fields(tiff, s);
    write_pixels(tiff, s, values);
  });
}

std::vector<std::uint32_t> random_values(const Spec& s, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> values(std::size_t{s.width} * s.height * s.samples);
  for (auto& v : values) v = static_cast<std::uint32_t>(random() >> 3 & ((1u << s.bits) - 1));
  return values;
}

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
            Spec s{37, 21, bits, samples};
            s.photometric = samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
            s.compression = static_cast<std::uint16_t>(compression);
            s.planar = static_cast<std::uint16_t>(planar);
            s.tile = tile;
            s.strip = samples == 2 ? 21 : 4;
            if (samples % 2 == 0) s.extra = {EXTRASAMPLE_UNASSALPHA};
            const auto values = random_values(s, bits * samples);
            Bytes expected;
            for (const auto v : values) expected.push_back(to_byte(v, bits));
            const auto image = decode(spec_file(s, values, bits == 4 ? "wb" : "w"));
            EXPECT_EQ(image.info.channels, static_cast<int>(samples));
            EXPECT_EQ(image.info.source_bits, static_cast<int>(bits));
            EXPECT_EQ(image.pixels, expected) << bits << " bits, " << samples << " samples, compression " << compression
                                              << ", tile " << tile << ", planar " << planar;
            EXPECT_EQ(image.flags.has(Flag::kReduced16), bits == 16);
            EXPECT_FALSE(image.flags.has(Flag::kWarning)) << image.notes.at(0);
          }
}

TEST(Tiff, BigEndianAndBigTiff) {
  for (const char* mode : {"wl", "wb", "wl8", "wb8"}) {
    const Spec s{9, 5, 16, 1};
    const auto values = random_values(s, 4);
    Bytes expected;
    for (const auto v : values) expected.push_back(static_cast<std::uint8_t>(v >> 8));
    EXPECT_EQ(decode(spec_file(s, values, mode)).pixels, expected) << mode;
  }
}

TEST(Tiff, MinIsWhitePaletteAndCmyk) {
  for (const unsigned bits : {1u, 4u, 8u, 16u}) {
    Spec s{11, 3, bits, 1, PHOTOMETRIC_MINISWHITE};
    const auto values = random_values(s, bits);
    const auto image = decode(spec_file(s, values));
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(image.pixels[i], 255 - to_byte(values[i], bits));
  }
  for (const unsigned bits : {1u, 2u, 4u, 8u}) {
    const Spec s{11, 3, bits, 1, PHOTOMETRIC_PALETTE};
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
  const Spec s{64, 64, 8, 4, PHOTOMETRIC_SEPARATED};
  const auto values = random_values(s, 9);
  const auto image = decode(spec_file(s, values));
  EXPECT_TRUE(image.flags.has(Flag::kConvertedCmyk));
  ASSERT_EQ(image.info.channels, 3);
  for (std::size_t i = 0; i < values.size() / 4; ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      const double exact = (255.0 - values[4 * i + c]) * (255.0 - values[4 * i + 3]) / 255.0;
      ASSERT_LE(std::abs(image.pixels[3 * i + c] - exact), 0.5);
    }
}

TEST(Tiff, ExtraSamples) {
  Spec s{8, 8, 8, 5, PHOTOMETRIC_RGB};
  s.extra = {EXTRASAMPLE_UNSPECIFIED, EXTRASAMPLE_UNASSALPHA};
  const auto values = random_values(s, 3);
  const auto image = decode(spec_file(s, values));
  ASSERT_EQ(image.info.channels, 4);
  for (std::size_t i = 0; i < 64; ++i) {
    ASSERT_EQ(image.pixels[4 * i], values[5 * i]);
    ASSERT_EQ(image.pixels[4 * i + 3], values[5 * i + 4]);
  }
  s.samples = 4;
  s.extra = {EXTRASAMPLE_UNSPECIFIED};
  EXPECT_EQ(decode(spec_file(s, random_values(s, 3))).info.channels, 3);
  s.extra = {EXTRASAMPLE_ASSOCALPHA};
  s.width = 2;
  s.height = 2;
  const auto multiplied = decode(spec_file(s, {10, 20, 30, 128, 10, 20, 30, 0, 10, 20, 30, 255, 200, 0, 1, 2}));
  EXPECT_EQ(multiplied.pixels, (Bytes{19, 39, 59, 128, 0, 0, 0, 0, 10, 20, 30, 255, 255, 0, 127, 2}));
}

TEST(Tiff, FaxAndJpeg) {
  Spec fax{123, 20, 1, 1, PHOTOMETRIC_MINISWHITE, COMPRESSION_CCITTFAX4};
  const auto bits = random_values(fax, 1);
  const auto image = decode(spec_file(fax, bits));
  for (std::size_t i = 0; i < bits.size(); ++i) ASSERT_EQ(image.pixels[i], bits[i] != 0 ? 0 : 255);
  // The oracle of the lossy one is the file itself, read whole by libtiff's own converter.
  const Bytes jpeg = tiff_file("w", [&](TIFF* tiff) {
    Spec s{40, 32, 8, 3, PHOTOMETRIC_YCBCR, COMPRESSION_JPEG};
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
  const Spec s{3, 2, 8, 1};
  const auto values = random_values(s, 1);
  const Bytes file = tiff_file("w", [&](TIFF* tiff) {
    for (int page = 0; page < 3; ++page) {
      set_fields(tiff, s);
      TIFFSetField(tiff, TIFFTAG_ORIENTATION, 6 + page % 2);
      TIFFSetField(tiff, TIFFTAG_XRESOLUTION, 300.0);
      TIFFSetField(tiff, TIFFTAG_ICCPROFILE, 4, "icc!");
      TIFFSetField(tiff, TIFFTAG_XMLPACKET, 5, "<xmp>");
      write_pixels(tiff, s, page == 0 ? values : random_values(s, 2));
      TIFFWriteDirectory(tiff);
    }
  });
  const auto image = decode(file);
  EXPECT_EQ(image.info.frames, 3u);
  EXPECT_TRUE(image.flags.has(Flag::kFirstFrame));
  EXPECT_EQ(image.info.orientation, 6);
  EXPECT_EQ(image.info.metadata, (std::vector<std::string>{"ICC profile", "XMP", "resolution"}));
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(image.pixels[i], values[i]);
  expect_same_in_every_way(file);
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
  const Spec s{5, 4, 8, 1, PHOTOMETRIC_MINISBLACK, COMPRESSION_LZW};
  for (const Bytes& file : {last, spec_file(s, random_values(s, 1))})
    for (std::size_t size = 0; size < file.size(); ++size) ASSERT_TRUE(failure_of(cut(file, size)).failed) << size;
}

TEST(Tiff, ToleratedDamageGivesTheRowsBeforeIt) {
  const Spec s{50, 8, 8, 1, PHOTOMETRIC_MINISBLACK, COMPRESSION_ADOBE_DEFLATE};
  const auto values = random_values(s, 1);
  Bytes file = spec_file(s, values);
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
  const Spec s{2, 2, 32, 1};
  const Bytes floats = tiff_file("w", [&](TIFF* tiff) {
    set_fields(tiff, s);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
    float row[2] = {0, 1};
    for (std::uint32_t y = 0; y < 2; ++y) TIFFWriteScanline(tiff, row, y, 0);
  });
  EXPECT_EQ(failure_of(floats).text, "a TIFF file of floating-point samples");
  EXPECT_EQ(failure_of(floats).kind, ErrorKind::kUnsupported);
  DecodeOptions options;
  options.max_pixels = 3;
  EXPECT_EQ(failure_of(floats, options).kind, ErrorKind::kLimit);
  options = {};
  options.max_memory = 100;
  EXPECT_EQ(failure_of(pixels_last(5, 4, random_bytes(20, 1)), options).kind, ErrorKind::kLimit);
}

TEST(Tiff, FlippedBitsNeverCrash) {
  flip_every_bit(pixels_last(5, 4, random_bytes(20, 1)));
  Spec s{20, 17, 8, 3, PHOTOMETRIC_RGB, COMPRESSION_LZW};
  s.tile = 16;
  flip_every_bit(spec_file(s, std::vector<std::uint32_t>(20 * 17 * 3, 7)));
  const Spec fax{30, 5, 1, 1, PHOTOMETRIC_MINISWHITE, COMPRESSION_CCITTFAX4};
  flip_every_bit(spec_file(fax, random_values(fax, 1)));
}

}  // namespace
}  // namespace gpuhisto::testing
