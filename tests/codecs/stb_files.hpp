// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <bit>
#include <map>

#include "codecs/byte_fields.hpp"
#include "codecs/decode_helpers.hpp"
#include "codecs/random_bytes.hpp"

// Writers of small BMP, TGA, GIF and PSD files, straight from the formats' descriptions.
namespace gpuhisto::testing {

struct BmpSpec {
  std::uint32_t width = 0, height = 0, bits = 24, compression = 0, header = 40;
  bool top_down = false;
  std::vector<std::uint32_t> masks;
  Bytes palette;  ///< as stored: 3 or 4 bytes a color
};

inline Bytes bmp_file(const BmpSpec& spec, const Bytes& pixels) {
  Bytes file = {'B', 'M'};
  const std::size_t masks_behind = spec.header == 40 ? spec.masks.size() * 4 : 0;
  const auto at = static_cast<std::uint32_t>(14 + spec.header + masks_behind + spec.palette.size());
  put32le(file, static_cast<std::uint32_t>(at + pixels.size()));
  put32le(file, 0);
  put32le(file, at);
  put32le(file, spec.header);
  if (spec.header == 12) {
    put16le(file, spec.width);
    put16le(file, spec.height);
    put16le(file, 1);
    put16le(file, spec.bits);
  } else {
    put32le(file, spec.width);
    put32le(file, spec.top_down ? 0 - spec.height : spec.height);
    put16le(file, 1);
    put16le(file, spec.bits);
    put32le(file, spec.compression);
    file.resize(14 + 40);
    for (const auto mask : spec.masks) put32le(file, mask);
    file.resize(14 + spec.header + masks_behind);
  }
  return file + spec.palette + pixels;
}

struct TgaSpec {
  std::uint32_t width = 0, height = 0, type = 2, bits = 24, descriptor = 0;
  std::uint32_t map_first = 0, map_count = 0, map_bits = 0;
  Bytes id, map;
};

inline Bytes tga_file(const TgaSpec& spec, const Bytes& pixels) {
  Bytes file = {static_cast<std::uint8_t>(spec.id.size()), static_cast<std::uint8_t>(spec.map_count > 0),
                static_cast<std::uint8_t>(spec.type)};
  put16le(file, spec.map_first);
  put16le(file, spec.map_count);
  file.push_back(static_cast<std::uint8_t>(spec.map_bits));
  put32le(file, 0);
  put16le(file, spec.width);
  put16le(file, spec.height);
  file.push_back(static_cast<std::uint8_t>(spec.bits));
  file.push_back(static_cast<std::uint8_t>(spec.descriptor));
  return file + spec.id + spec.map + pixels;
}

/// TGA packets: runs where pixels repeat, else literals of up to `longest` pixels; they cross the ends of rows.
inline Bytes tga_packets(const Bytes& pixels, std::size_t pixel_bytes, std::size_t longest) {
  Bytes packed;
  const std::size_t count = pixels.size() / pixel_bytes;
  const auto same = [&](std::size_t a, std::size_t b) {
    return std::equal(pixels.begin() + static_cast<std::ptrdiff_t>(a * pixel_bytes),
                      pixels.begin() + static_cast<std::ptrdiff_t>((a + 1) * pixel_bytes),
                      pixels.begin() + static_cast<std::ptrdiff_t>(b * pixel_bytes));
  };
  for (std::size_t i = 0; i < count;) {
    std::size_t run = 1;
    while (run < longest && i + run < count && same(i, i + run)) ++run;
    std::size_t take = run;
    if (run == 1)
      while (take < longest && i + take < count && !same(i + take - 1, i + take)) ++take;
    packed.push_back(static_cast<std::uint8_t>((run > 1 ? 128 : 0) + take - 1));
    const std::size_t stored = run > 1 ? 1 : take;
    packed.insert(packed.end(), pixels.begin() + static_cast<std::ptrdiff_t>(i * pixel_bytes),
                  pixels.begin() + static_cast<std::ptrdiff_t>((i + stored) * pixel_bytes));
    i += take;
  }
  return packed;
}

enum class GifClears { kWhenFull, kNever };

/// GIF's LZW, growing codes and all.
inline Bytes gif_codes(const Bytes& indices, unsigned bits, GifClears clears) {
  Bytes packed;
  std::uint32_t buffer = 0;
  unsigned have = 0, width = bits + 1;
  const auto put = [&](std::uint32_t code) {
    buffer |= code << have;
    for (have += width; have >= 8; have -= 8, buffer >>= 8) packed.push_back(static_cast<std::uint8_t>(buffer));
  };
  const std::uint32_t clear = 1u << bits;
  std::map<std::string, std::uint32_t> table;
  std::uint32_t next = 0;
  const auto reset = [&] {
    table.clear();
    for (std::uint32_t v = 0; v < clear; ++v) table[std::string(1, static_cast<char>(v))] = v;
    next = clear + 2;
    width = bits + 1;
  };
  reset();
  if (clears == GifClears::kWhenFull) put(clear);
  std::string word;
  for (const auto index : indices) {
    const std::string longer = word + static_cast<char>(index);
    if (table.count(longer) != 0) {
      word = longer;
      continue;
    }
    put(table[word]);
    if (next < 4096) {
      table[longer] = next++;
      if (next - 1 == 1u << width && width < 12) ++width;  // the reader's table lags one entry behind
    } else if (clears == GifClears::kWhenFull) {
      put(clear);
      reset();
    }
    word = std::string(1, static_cast<char>(index));
  }
  put(table[word]);
  if (next < 4096 && next == 1u << width && width < 12) ++width;
  put(clear + 1);
  if (have > 0) packed.push_back(static_cast<std::uint8_t>(buffer));
  return packed;
}

inline Bytes gif_blocks(const Bytes& data, std::size_t block = 255) {
  Bytes blocks;
  for (std::size_t at = 0; at < data.size(); at += block) {
    const std::size_t size = std::min(block, data.size() - at);
    blocks.push_back(static_cast<std::uint8_t>(size));
    blocks.insert(blocks.end(), data.begin() + static_cast<std::ptrdiff_t>(at),
                  data.begin() + static_cast<std::ptrdiff_t>(at + size));
  }
  blocks.push_back(0);
  return blocks;
}

struct GifSpec {
  std::uint32_t width = 0, height = 0, left = 0, top = 0, canvas_width = 0, canvas_height = 0;
  unsigned bits = 8;
  bool interlaced = false;
  int transparent = -1;
  GifClears clears = GifClears::kWhenFull;
};

inline Bytes gif_frame(const GifSpec& spec, const Bytes& indices) {
  Bytes frame;
  if (spec.transparent >= 0) frame = {0x21, 0xF9, 4, 1, 0, 0, static_cast<std::uint8_t>(spec.transparent), 0};
  frame.push_back(0x2C);
  for (const auto value : {spec.left, spec.top, spec.width, spec.height}) put16le(frame, value);
  frame.push_back(spec.interlaced ? 0x40 : 0);
  frame.push_back(static_cast<std::uint8_t>(std::max(spec.bits, 2u)));
  return frame + gif_blocks(gif_codes(indices, std::max(spec.bits, 2u), spec.clears));
}

inline Bytes gif_head(const GifSpec& spec, const Bytes& palette) {
  Bytes file = bytes_of("GIF89a");
  put16le(file, spec.canvas_width != 0 ? spec.canvas_width : spec.width);
  put16le(file, spec.canvas_height != 0 ? spec.canvas_height : spec.height);
  file.push_back(static_cast<std::uint8_t>(0x80 | (spec.bits - 1)));
  return file + Bytes{0, 0} + palette;
}

struct PsdSpec {
  std::uint32_t width = 0, height = 0, channels = 3, depth = 8, mode = 3;
  bool packed = false;
  Bytes exif = {};
};

inline Bytes psd_resource(std::uint32_t id, const Bytes& data) {
  Bytes resource = bytes_of("8BIM");
  put16be(resource, id);
  put16be(resource, 0);
  put32be(resource, static_cast<std::uint32_t>(data.size()));
  return resource + data + Bytes(data.size() % 2);
}

/// `samples`: big-endian, channel after channel.
inline Bytes psd_file(const PsdSpec& spec, const Bytes& samples) {
  Bytes file = bytes_of("8BPS");
  put16be(file, 1);
  file.resize(12);
  put16be(file, spec.channels);
  put32be(file, spec.height);
  put32be(file, spec.width);
  put16be(file, spec.depth);
  put16be(file, spec.mode);
  put32be(file, 0);
  Bytes resolution;  // so that there is a section to skip
  for (const std::uint32_t per_inch : {300u, 150u}) {
    put32be(resolution, per_inch << 16);
    put32be(resolution, 0x00010001);
  }
  Bytes resources = psd_resource(0x03ED, resolution);
  if (!spec.exif.empty()) resources = resources + psd_resource(0x0422, spec.exif);
  put32be(file, static_cast<std::uint32_t>(resources.size()));
  file = file + resources;
  put32be(file, 0);
  put16be(file, spec.packed ? 1 : 0);
  if (!spec.packed) return file + samples;
  const std::size_t row = spec.width * spec.depth / 8;
  Bytes counts, data;
  for (std::size_t at = 0; at < samples.size(); at += row) {
    Bytes packed;
    for (std::size_t i = 0; i < row;) {
      std::size_t run = 1;
      while (run < 128 && i + run < row && samples[at + i + run] == samples[at + i]) ++run;
      packed.push_back(static_cast<std::uint8_t>(run > 1 ? 257 - run : 0));
      packed.push_back(samples[at + i]);
      if (i == 0) packed.push_back(128);  // "no operation" is legal anywhere
      i += run;
    }
    put16be(counts, static_cast<std::uint32_t>(packed.size()));
    data = data + packed;
  }
  return file + counts + data;
}

}  // namespace gpuhisto::testing
