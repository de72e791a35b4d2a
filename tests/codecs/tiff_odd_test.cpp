// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <malloc.h>
#include <zlib.h>

#include "codecs/jpeg_maker.hpp"
#include "codecs/random_bytes.hpp"
#include "codecs/tiff_maker.hpp"

// Strips and tiles of a TIFF file that are not what libtiff would write.
namespace gpuhisto::testing {
namespace {

Bytes deflated(const Bytes& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  Bytes result(size);
  EXPECT_EQ(compress(result.data(), &size, bytes.data(), static_cast<uLong>(bytes.size())), Z_OK);
  return cut(result, size);
}

/// `parts`: the strips or tiles, as they are to be stored.
Bytes raw_tiff(const TiffSpec& s, std::vector<Bytes> parts, const std::function<void(TIFF*)>& more = {}) {
  return tiff_file("w", [&](TIFF* tiff) {
    set_fields(tiff, s);
    if (more) more(tiff);
    for (std::uint32_t i = 0; i < parts.size(); ++i) {
      const auto size = static_cast<tmsize_t>(parts[i].size());
      ASSERT_EQ(s.tile != 0 ? TIFFWriteRawTile(tiff, i, parts[i].data(), size)
                            : TIFFWriteRawStrip(tiff, i, parts[i].data(), size),
                size);
    }
  });
}

/// The same pixels whatever lies in memory that nobody has written to.
void expect_pixels(const Bytes& file, const Bytes& expected) {
  for (const int perturb : {0, 0x55, 0xAA}) {
    mallopt(M_PERTURB, perturb);
    EXPECT_EQ(decode(file).pixels, expected) << perturb;
  }
  mallopt(M_PERTURB, 0);
}

TEST(TiffOdd, StreamsThatHoldMoreThanTheirStripOrTile) {
  // Three planes of 20 rows in strips of 32: the last and only strip of each is padded.
  TiffSpec s{30, 20, 8, 3, PHOTOMETRIC_RGB, COMPRESSION_ADOBE_DEFLATE, PLANARCONFIG_SEPARATE, 32};
  const Bytes pixels = random_bytes(30 * 20 * 3, 1);
  std::vector<Bytes> strips;
  for (std::size_t plane = 0; plane < 3; ++plane) {
    Bytes strip;
    for (std::size_t i = plane; i < pixels.size(); i += 3) strip.push_back(pixels[i]);
    strips.push_back(deflated(strip + random_bytes(30 * 12, 2)));
  }
  expect_pixels(raw_tiff(s, strips), pixels);

  for (const std::uint32_t tile : {16u, 0u})
    for (const std::uint32_t rows : {16u, 1u})
      for (const int order : {FILLORDER_MSB2LSB, FILLORDER_LSB2MSB}) {
        s = {16, tile != 0 ? 16 : rows, 8, 1, PHOTOMETRIC_MINISBLACK, COMPRESSION_ADOBE_DEFLATE};
        s.strip = rows;
        s.tile = tile;
        const Bytes gray = random_bytes(16 * s.height, 3);
        Bytes stream = deflated(gray + random_bytes(300, 4));
        if (order == FILLORDER_LSB2MSB) TIFFReverseBits(stream.data(), static_cast<tmsize_t>(stream.size()));
        expect_pixels(raw_tiff(s, {stream}, [&](TIFF* tiff) { TIFFSetField(tiff, TIFFTAG_FILLORDER, order); }), gray);
      }
}

TEST(TiffOdd, DeflatedDifferences) {
  for (const char* mode : {"wl", "wb", "wl8"})
    for (const unsigned bits : {8u, 16u})
      for (const unsigned samples : {1u, 2u, 3u, 4u})
        for (const std::uint32_t tile : {0u, 16u})
          for (const auto planar : {PLANARCONFIG_CONTIG, PLANARCONFIG_SEPARATE}) {
            TiffSpec s{37, 21, bits, samples};
            s.photometric = samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
            s.compression = COMPRESSION_ADOBE_DEFLATE;
            s.planar = static_cast<std::uint16_t>(planar);
            s.tile = tile;
            s.strip = 4;
            if (samples % 2 == 0) s.extra = {EXTRASAMPLE_UNASSALPHA};
            const auto values = random_values(s, bits * samples);
            Bytes expected;
            for (const auto v : values) expected.push_back(static_cast<std::uint8_t>(v >> (bits - 8)));
            const Bytes file = tiff_file(mode, [&](TIFF* tiff) {
              set_fields(tiff, s);
              TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
              write_pixels(tiff, s, values);
            });
            EXPECT_EQ(decode(file).pixels, expected)
                << mode << ", " << bits << " bits, " << samples << " samples, tile " << tile << ", planar " << planar;
          }
}

// libtiff stops at the last pixel, which may lie in front of the checksum of a stream that damage made longer.
TEST(TiffOdd, NoFlippedBitOfADeflatedStreamGoesUnnoticed) {
  for (const std::uint32_t tile : {0u, 16u})
    for (const auto planar : {PLANARCONFIG_CONTIG, PLANARCONFIG_SEPARATE}) {
      TiffSpec s{20, 18, 8, 2, PHOTOMETRIC_MINISBLACK, COMPRESSION_ADOBE_DEFLATE};
      s.planar = static_cast<std::uint16_t>(planar);
      s.tile = tile;
      s.strip = 9;
      s.extra = {EXTRASAMPLE_UNASSALPHA};
      std::vector<std::uint32_t> values(20 * 18 * 2);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint32_t>(i / 7 * (i % 5) & 255);
      Bytes file = tiff_of(s, values, "wl");
      const Bytes pixels = decode(file).pixels;
      // libtiff writes the streams between the header and the directory.
      for (std::size_t bit = 8 * 8; bit < 8 * std::size_t{u32le(file, 4)}; ++bit) {
        file[bit / 8] ^= static_cast<std::uint8_t>(1u << bit % 8);
        try {
          ASSERT_EQ(decode(file).pixels, pixels) << "bit " << bit;
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::kInput);
        }
        file[bit / 8] ^= static_cast<std::uint8_t>(1u << bit % 8);
      }
    }
}

TEST(TiffOdd, AStreamThatTheFileIsTooShortFor) {
  TiffSpec s{16, 4, 8, 1, PHOTOMETRIC_MINISBLACK, COMPRESSION_ADOBE_DEFLATE};
  s.strip = 4;
  Bytes file = tiff_of(s, random_values(s, 1), "wl");
  entry_of(file, TIFFTAG_STRIPBYTECOUNTS)[10] = 1;
  EXPECT_EQ(failure_of(file).text, "a strip or tile reaches beyond the end of the file");
}

// Many tiles may share one stream of zeros without end.
TEST(TiffOdd, AStreamFarLongerThanItsTileIsRefused) {
  TiffSpec s{16, 16, 8, 1, PHOTOMETRIC_MINISBLACK, COMPRESSION_ADOBE_DEFLATE};
  s.tile = 16;
  EXPECT_EQ(failure_of(raw_tiff(s, {deflated(Bytes((1 << 28) + 1000))})).text, "zlib: far more data than pixels");
}

// PackBits as one sequence of runs, whatever rows they fall into.
Bytes packbits(const Bytes& bytes) {
  Bytes result;
  for (std::size_t i = 0; i < bytes.size();) {
    std::size_t same = 1;
    while (same < 128 && i + same < bytes.size() && bytes[i + same] == bytes[i]) ++same;
    const std::size_t count = same > 1 ? same : std::min<std::size_t>(bytes.size() - i, 3);
    result.push_back(static_cast<std::uint8_t>(same > 1 ? 257 - same : count - 1));
    for (std::size_t k = 0; k < (same > 1 ? 1 : count); ++k) result.push_back(bytes[i + k]);
    i += count;
  }
  return result;
}

TEST(TiffOdd, RunsOfPackBitsAcrossRows) {
  for (const unsigned bits : {1u, 8u})
    for (const unsigned samples : {1u, 3u}) {
      TiffSpec s{40, 21, bits, samples};
      s.photometric = samples == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
      s.compression = COMPRESSION_PACKBITS;
      s.strip = 8;
      const std::size_t row = 5u * bits * samples;
      Bytes stored = random_bytes(21 * row, 1);
      for (std::size_t i = 0; i < stored.size(); ++i)
        if (i / 70 % 2 == 0) stored[i] = static_cast<std::uint8_t>(i / 70);
      std::vector<Bytes> strips;
      for (std::size_t at = 0; at < stored.size(); at += 8 * row)
        strips.push_back(
            packbits(Bytes(stored.begin() + static_cast<std::ptrdiff_t>(at),
                           stored.begin() + static_cast<std::ptrdiff_t>(std::min(at + 8 * row, stored.size())))));
      Bytes expected = stored;
      if (bits == 1) {
        expected.clear();
        for (std::size_t i = 0; i < stored.size() * 8; ++i)
          expected.push_back((stored[i / 8] >> (7 - i % 8) & 1) != 0 ? 255 : 0);
      }
      const auto image = decode(raw_tiff(s, strips));
      EXPECT_EQ(image.pixels, expected) << bits << " bits, " << samples << " samples";
      EXPECT_FALSE(image.flags.has(Flag::kWarning));
      strips[0] = packbits(Bytes{9} + Bytes(8 * row + 10, 7));  // a run beyond the strip
      EXPECT_TRUE(failure_of(raw_tiff(s, strips)).failed);
    }
}

TEST(TiffOdd, PaddedAndProgressiveJpeg) {
  TiffSpec s{40, 24, 8, 1, PHOTOMETRIC_MINISBLACK, COMPRESSION_JPEG};
  s.strip = 16;
  JpegWish wish;
  wish.width = 40;
  wish.height = 16;
  wish.input = wish.stored = JCS_GRAYSCALE;
  wish.horizontal = wish.vertical = 1;
  wish.adobe = false;
  for (const bool progressive : {false, true}) {
    wish.progressive = progressive;
    const Bytes jpeg = make_jpeg(wish), pixels = plain_libjpeg(jpeg);
    const auto image = decode(raw_tiff(s, {jpeg, jpeg}));
    EXPECT_EQ(image.pixels, pixels + cut(pixels, 40 * 8));
    EXPECT_TRUE(image.flags.has(Flag::kWarning));
    Bytes damaged = cut(jpeg, jpeg.size() * 2 / 3);
    EXPECT_TRUE(failure_of(raw_tiff(s, {damaged, jpeg})).failed);
  }
}

TEST(TiffOdd, ThumbnailAsFirstPage) {
  for (const bool reduced : {false, true})
    for (const bool more : {false, true}) {
      const TiffSpec s{4, 4, 8, 1};
      const Bytes file = tiff_file("w", [&](TIFF* tiff) {
        set_fields(tiff, s);
        if (reduced) TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE);
        toff_t none[1] = {0};
        if (more) TIFFSetField(tiff, TIFFTAG_SUBIFD, 1, none);
        write_pixels(tiff, s, random_values(s, 1));
        if (!more) return;
        TIFFWriteDirectory(tiff);
        set_fields(tiff, {8, 8});
        write_pixels(tiff, {8, 8}, random_values({8, 8}, 1));
      });
      const auto image = decode(file);
      EXPECT_EQ(image.info.width, 4u);
      EXPECT_EQ(image.flags.has(Flag::kFirstFrame), reduced);
      ASSERT_EQ(image.notes.empty(), !reduced);
      if (reduced) {
        EXPECT_EQ(image.notes[0], "the first page is a reduced copy of another");
      }
    }
}

}  // namespace
}  // namespace gpuhisto::testing
