// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <tiffio.h>

#include <cstring>
#include <functional>
#include <random>

#include "codecs/byte_fields.hpp"
#include "codecs/decode_helpers.hpp"

// TIFF files in memory, written by libtiff.
namespace gpuhisto::testing {

struct Buffer {
  Bytes bytes;
  std::uint64_t at = 0;
};
inline tmsize_t read_buffer(thandle_t handle, void* to, tmsize_t count) {
  auto& b = *static_cast<Buffer*>(handle);
  const auto n = std::min<std::uint64_t>(static_cast<std::uint64_t>(count),
                                         b.bytes.size() - std::min<std::uint64_t>(b.at, b.bytes.size()));
  std::memcpy(to, b.bytes.data() + b.at, n);
  b.at += n;
  return static_cast<tmsize_t>(n);
}
inline tmsize_t write_buffer(thandle_t handle, void* from, tmsize_t count) {
  auto& b = *static_cast<Buffer*>(handle);
  const auto n = static_cast<std::uint64_t>(count);
  if (b.at + n > b.bytes.size()) b.bytes.resize(b.at + n);
  std::memcpy(b.bytes.data() + b.at, from, n);
  b.at += n;
  return count;
}
inline toff_t seek_buffer(thandle_t handle, toff_t offset, int whence) {
  auto& b = *static_cast<Buffer*>(handle);
  b.at = whence == SEEK_SET ? offset : whence == SEEK_CUR ? b.at + offset : b.bytes.size() + offset;
  return b.at;
}

/// A file that libtiff writes.
inline Bytes tiff_file(const char* mode, const std::function<void(TIFF*)>& write) {
  Buffer buffer;
  TIFF* tiff = TIFFClientOpen(
      "memory", mode, &buffer, read_buffer, write_buffer, seek_buffer, [](thandle_t) { return 0; },
      [](thandle_t h) -> toff_t { return static_cast<Buffer*>(h)->bytes.size(); },
      [](thandle_t, void**, toff_t*) { return 0; }, [](thandle_t, void*, toff_t) {});
  write(tiff);
  TIFFClose(tiff);
  return buffer.bytes;
}

struct TiffSpec {
  std::uint32_t width = 0, height = 0;
  unsigned bits = 8, samples = 1;
  std::uint16_t photometric = PHOTOMETRIC_MINISBLACK, compression = COMPRESSION_NONE;
  std::uint16_t planar = PLANARCONFIG_CONTIG;
  std::uint32_t strip = 2, tile = 0;  ///< rows a strip, or the side of a tile
  std::vector<std::uint16_t> extra = {};
};

inline void set_fields(TIFF* tiff, const TiffSpec& s) {
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
inline Bytes packed_row(const std::vector<std::uint32_t>& values, std::size_t at, std::size_t count, unsigned bits) {
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
inline void write_plane(TIFF* tiff, const TiffSpec& s, std::uint16_t plane, unsigned n,
                        const std::vector<std::uint32_t>& values) {
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

inline void write_pixels(TIFF* tiff, const TiffSpec& s, const std::vector<std::uint32_t>& values) {
  if (s.planar == PLANARCONFIG_CONTIG) return write_plane(tiff, s, 0, s.samples, values);
  for (unsigned plane = 0; plane < s.samples; ++plane) {
    std::vector<std::uint32_t> one;
    for (std::size_t i = plane; i < values.size(); i += s.samples) one.push_back(values[i]);
    write_plane(tiff, s, static_cast<std::uint16_t>(plane), 1, one);
  }
}

inline Bytes tiff_of(const TiffSpec& s, const std::vector<std::uint32_t>& values, const char* mode = "w") {
  return tiff_file(mode, [&](TIFF* tiff) {
    set_fields(tiff, s);
    write_pixels(tiff, s, values);
  });
}

/// One sample a pixel in tiles of any width, which libtiff reads but does not write.
inline Bytes odd_tiles_of(const TiffSpec& s, std::uint32_t tile_width, const std::vector<std::uint32_t>& values) {
  const std::uint32_t across = (s.width + tile_width - 1) / tile_width, down = (s.height + s.tile - 1) / s.tile;
  const std::uint32_t tile_bytes = (tile_width * s.bits + 7) / 8 * s.tile, tiles = across * down;
  Bytes file = {'I', 'I', 42, 0}, pixels;
  for (std::uint32_t tile = 0; tile < tiles; ++tile)
    for (std::uint32_t y = 0; y < s.tile; ++y) {
      std::vector<std::uint32_t> row(tile_width, 1);  // beyond the picture: not to be seen
      const std::uint32_t at_y = tile / across * s.tile + y, at_x = tile % across * tile_width;
      for (std::uint32_t x = 0; x < tile_width && at_x + x < s.width && at_y < s.height; ++x)
        row[x] = values[std::size_t{at_y} * s.width + at_x + x];
      pixels = pixels + packed_row(row, 0, tile_width, s.bits);
    }
  pixels.resize((pixels.size() + 1) / 2 * 2);
  const std::uint32_t offsets = 8 + static_cast<std::uint32_t>(pixels.size()), sizes = offsets + 4 * tiles;
  put32le(file, sizes + 4 * tiles);
  file = file + pixels;
  for (std::uint32_t tile = 0; tile < tiles; ++tile) put32le(file, 8 + tile * tile_bytes);
  for (std::uint32_t tile = 0; tile < tiles; ++tile) put32le(file, tile_bytes);
  const auto one = [&](std::uint32_t many, std::uint32_t value) { return tiles > 1 ? many : value; };
  const std::uint32_t fields[][3] = {{TIFFTAG_IMAGEWIDTH, 1, s.width},
                                     {TIFFTAG_IMAGELENGTH, 1, s.height},
                                     {TIFFTAG_BITSPERSAMPLE, 1, s.bits},
                                     {TIFFTAG_COMPRESSION, 1, COMPRESSION_NONE},
                                     {TIFFTAG_PHOTOMETRIC, 1, s.photometric},
                                     {TIFFTAG_SAMPLESPERPIXEL, 1, 1},
                                     {TIFFTAG_TILEWIDTH, 1, tile_width},
                                     {TIFFTAG_TILELENGTH, 1, s.tile},
                                     {TIFFTAG_TILEOFFSETS, tiles, one(offsets, 8)},
                                     {TIFFTAG_TILEBYTECOUNTS, tiles, one(sizes, tile_bytes)}};
  put16le(file, static_cast<std::uint32_t>(std::size(fields)));
  for (const auto& [tag, count, value] : fields) {
    put16le(file, tag);
    put16le(file, TIFF_LONG);
    put32le(file, count);
    put32le(file, value);
  }
  put32le(file, 0);
  return file;
}

inline std::vector<std::uint32_t> random_values(const TiffSpec& s, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> values(std::size_t{s.width} * s.height * s.samples);
  for (auto& v : values) v = static_cast<std::uint32_t>(random() >> 3 & ((1u << s.bits) - 1));
  return values;
}

/// The 12 bytes of an entry of the first directory; a file of this machine's order.
inline std::uint8_t* entry_of(Bytes& file, unsigned tag) {
  const std::size_t at = u32le(file, 4);
  for (std::size_t i = 0; i < u16le(file, at); ++i)
    if (u16le(file, at + 2 + 12 * i) == tag) return file.data() + at + 2 + 12 * i;
  ADD_FAILURE() << "no tag " << tag;
  return nullptr;
}

}  // namespace gpuhisto::testing
