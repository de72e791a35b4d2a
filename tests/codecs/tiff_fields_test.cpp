// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Fields of a TIFF file that are missing or broken.
#include "codecs/tiff_maker.hpp"

namespace gpuhisto::testing {
namespace {

Bytes palette_tiff(const char* mode) {
  const TiffSpec s{9, 5, 8, 1, PHOTOMETRIC_PALETTE};
  std::vector<std::uint16_t> map(256);
  for (std::size_t i = 0; i < 256; ++i) map[i] = static_cast<std::uint16_t>(65535 - i * 256);
  return tiff_file(mode, [&](TIFF* tiff) {
    set_fields(tiff, s);
    TIFFSetField(tiff, TIFFTAG_COLORMAP, map.data(), map.data(), map.data());
    write_pixels(tiff, s, random_values(s, 1));
  });
}

TEST(TiffOdd, PaletteWithoutItsColors) {
  for (const char* mode : {"wl", "wb", "wl8", "wb8"}) {
    const Bytes file = palette_tiff(mode);
    EXPECT_EQ(decode(file).info.channels, 3);
    for (std::size_t size = 0; size < file.size(); ++size) ASSERT_TRUE(failure_of(cut(file, size)).failed) << size;
    // The entry of the colors: an unknown tag instead.
    const bool big = std::string(mode).ends_with("8"), big_endian = mode[1] == 'b';
    Bytes entry = {64, 1, 3, 0, 0, 3, 0, 0};
    if (big_endian) entry = {1, 64, 0, 3, 0, 0, 3, 0};
    if (big && big_endian) entry = {1, 64, 0, 3, 0, 0, 0, 0, 0, 0, 3, 0};
    Bytes without = file;
    const auto at = std::search(without.begin(), without.end(), entry.begin(), entry.end());
    ASSERT_NE(at, without.end());
    at[0] = at[1] = 0xFE;
    EXPECT_EQ(failure_of(without).text, "the palette is missing or damaged") << mode;
  }
}

TEST(TiffOdd, BrokenFieldsThatDecideThePixels) {
  const auto with = [](TiffSpec s, std::uint32_t tag, unsigned value) {
    return tiff_file("wl", [&](TIFF* tiff) {
      set_fields(tiff, s);
      if (tag != 0) TIFFSetField(tiff, tag, value);
      TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
      write_pixels(tiff, s, random_values(s, 1));
    });
  };
  const TiffSpec gray{40, 40, 8, 1, PHOTOMETRIC_MINISWHITE, COMPRESSION_ADOBE_DEFLATE, PLANARCONFIG_CONTIG, 8};
  TiffSpec bilevel = gray, tiles = gray;
  bilevel.bits = 1;
  tiles.tile = 16;
  const std::pair<unsigned, Bytes> files[] = {{TIFFTAG_COLORMAP, palette_tiff("wl")},
                                              {TIFFTAG_PREDICTOR, with(gray, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL)},
                                              {TIFFTAG_PHOTOMETRIC, with(gray, 0, 0)},
                                              {TIFFTAG_FILLORDER, with(bilevel, TIFFTAG_FILLORDER, FILLORDER_LSB2MSB)},
                                              {TIFFTAG_STRIPOFFSETS, with(gray, 0, 0)},
                                              {TIFFTAG_TILEOFFSETS, with(tiles, 0, 0)}};
  for (const auto& [tag, file] : files) {
    const auto sound = decode(file);
    EXPECT_FALSE(sound.flags.has(Flag::kWarning)) << tag;
    const auto check = [&, field = tag](const Bytes& broken, const char* part, std::uint32_t value) {
      try {
        const auto image = decode(broken);
        EXPECT_TRUE(image.flags.has(Flag::kWarning) || image.pixels == sound.pixels)
            << "tag " << field << ", " << part << " " << value;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kInput);
      }
    };
    for (const std::uint8_t type : Bytes{0, 1, 2, 5, 6, 7, 8, 11, 12, 16, 99}) {
      Bytes broken = file;
      entry_of(broken, tag)[2] = type;
      check(broken, "type", type);
    }
    for (const std::uint32_t count : {0u, 1u, 2u, 3u, 767u, 0x10001u, 0x80000000u}) {
      Bytes broken = file;
      std::memcpy(entry_of(broken, tag) + 4, &count, 4);
      check(broken, "count", count);
    }
    for (const std::uint8_t id : Bytes{0, 1, 0xFE}) {  // of two bytes
      Bytes broken = file;
      std::memset(entry_of(broken, tag), id, 2);
      check(broken, "id", id);
    }
  }
}

TEST(TiffOdd, ManyComplaintsHideNoneAboutPixels) {
  constexpr std::uint32_t kTexts[] = {TIFFTAG_DOCUMENTNAME, TIFFTAG_IMAGEDESCRIPTION, TIFFTAG_MAKE,     TIFFTAG_MODEL,
                                      TIFFTAG_PAGENAME,     TIFFTAG_SOFTWARE,         TIFFTAG_DATETIME, TIFFTAG_ARTIST,
                                      TIFFTAG_HOSTCOMPUTER, TIFFTAG_COPYRIGHT};
  constexpr std::uint32_t kNumbers[] = {TIFFTAG_XRESOLUTION, TIFFTAG_YRESOLUTION, TIFFTAG_XPOSITION, TIFFTAG_YPOSITION};
  constexpr std::uint32_t kWords[] = {TIFFTAG_RESOLUTIONUNIT, TIFFTAG_THRESHHOLDING, TIFFTAG_CELLWIDTH,
                                      TIFFTAG_CELLLENGTH};
  const TiffSpec s{40, 40, 8, 1, PHOTOMETRIC_MINISBLACK, COMPRESSION_ADOBE_DEFLATE, PLANARCONFIG_CONTIG, 8};
  Bytes file = tiff_file("wl", [&](TIFF* tiff) {
    set_fields(tiff, s);
    TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
    for (const auto tag : kTexts) TIFFSetField(tiff, tag, "a text");
    for (const auto tag : kNumbers) TIFFSetField(tiff, tag, 72.0);
    for (const auto tag : kWords) TIFFSetField(tiff, tag, 1);
    write_pixels(tiff, s, random_values(s, 1));
  });
  const auto sound = decode(file);
  constexpr std::uint8_t kFloat = 11, kAscii = 2;
  for (const auto tag : kTexts) entry_of(file, tag)[2] = kFloat;
  for (const auto tag : kNumbers) entry_of(file, tag)[2] = kAscii;
  for (const auto tag : kWords) entry_of(file, tag)[2] = kAscii;
  const auto image = decode(file);
  EXPECT_EQ(image.pixels, sound.pixels);
  EXPECT_GE(image.notes.size(), 16u);
  entry_of(file, TIFFTAG_PREDICTOR)[2] = kAscii;
  EXPECT_THROW(decode(file), Error);
}

TEST(TiffOdd, FieldsThatThePageDoesNotUseMayBeBroken) {
  const TiffSpec s{40, 40, 8, 1};
  const auto with = [&](std::uint32_t tag, unsigned value) {
    return tiff_file("wl", [&](TIFF* tiff) {
      set_fields(tiff, s);
      TIFFSetField(tiff, tag, value);
      write_pixels(tiff, s, random_values(s, 1));
    });
  };
  Bytes inks = with(TIFFTAG_INKSET, INKSET_CMYK), order = with(TIFFTAG_FILLORDER, FILLORDER_MSB2LSB);
  const auto sound = decode(order);
  entry_of(inks, TIFFTAG_INKSET)[2] = 2;
  entry_of(order, TIFFTAG_FILLORDER)[8] = 0;
  for (const Bytes& file : {inks, order}) {
    const auto image = decode(file);
    EXPECT_EQ(image.pixels, sound.pixels);
    EXPECT_TRUE(image.flags.has(Flag::kWarning));
  }
  entry_of(order, TIFFTAG_FILLORDER)[8] = 9;
  EXPECT_THROW(decode(order), Error);
}

TEST(TiffOdd, ErrorsInFieldsThatAreNotAboutPixels) {
  const TiffSpec s{4, 4, 8, 1};
  Bytes file = tiff_file("wl", [&](TIFF* tiff) {
    set_fields(tiff, s);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, 6);
    write_pixels(tiff, s, random_values(s, 1));
  });
  entry_of(file, TIFFTAG_ORIENTATION)[8] = 0;
  const auto image = decode(file);
  EXPECT_TRUE(image.flags.has(Flag::kWarning));
  EXPECT_EQ(image.notes, std::vector<std::string>{"the first page: Bad value 0 for \"Orientation\" tag"});
}

}  // namespace
}  // namespace gpuhisto::testing
