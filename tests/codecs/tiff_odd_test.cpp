// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <malloc.h>
#include <zlib.h>

#include "codecs/random_bytes.hpp"
#include "codecs/tiff_maker.hpp"

// Strips, tiles and fields of a TIFF file that are not what libtiff would write.
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
    for (const std::uint32_t rows : {16u, 1u}) {
      s = {16, tile != 0 ? 16 : rows, 8, 1, PHOTOMETRIC_MINISBLACK, COMPRESSION_ADOBE_DEFLATE};
      s.strip = rows;
      s.tile = tile;
      const Bytes gray = random_bytes(16 * s.height, 3);
      expect_pixels(raw_tiff(s, {deflated(gray + random_bytes(300, 4))}), gray);
    }
}

}  // namespace
}  // namespace gpuhisto::testing
