// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/png_maker.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <random>

namespace gpuhisto::testing {
namespace {

using Samples = std::vector<std::uint16_t>;

void append(Bytes& to, const Bytes& bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }
void append_u32(Bytes& to, std::uint32_t v) {
  for (int shift = 24; shift >= 0; shift -= 8) to.push_back(static_cast<std::uint8_t>(v >> shift));
}

std::size_t channels_of(int type) { return type == 0 || type == 3 ? 1 : type == 4 ? 2 : type == 2 ? 3 : 4; }

Bytes palette_of(int colors) {
  Bytes palette;
  for (int i = 0; i < colors * 3; ++i) palette.push_back(static_cast<std::uint8_t>(i * 37 + 11));
  return palette;
}

int paeth(int a, int b, int c) {
  const int p = a + b - c, pa = std::abs(p - a), pb = std::abs(p - b), pc = std::abs(p - c);
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/// One pass: packed and filtered rows of the pixels (x0 + i dx, y0 + j dy).
struct Pass {
  int x0, y0, dx, dy;
};

class Packer {
 public:
  Packer(const PngWish& wish, const Samples& samples) : wish_(wish), samples_(samples) {}

  void add(const Pass& pass) {
    if (pass.x0 >= wish_.width) return;
    Bytes above;
    for (int y = pass.y0; y < wish_.height; y += pass.dy) {
      const Bytes row = packed(pass, y);
      above.resize(row.size());
      filter(row, above);
      above = row;
    }
  }
  Bytes out;

 private:
  Bytes packed(const Pass& pass, int y) const {
    const std::size_t channels = channels_of(wish_.type);
    Bytes row;
    unsigned bits = 0, filled = 0;
    for (int x = pass.x0; x < wish_.width; x += pass.dx)
      for (std::size_t c = 0; c < channels; ++c) {
        const auto pixel =
            static_cast<std::size_t>(y) * static_cast<std::size_t>(wish_.width) + static_cast<std::size_t>(x);
        const unsigned v = samples_[pixel * channels + c];
        if (wish_.depth == 16) row.push_back(static_cast<std::uint8_t>(v >> 8));
        bits = bits << std::min(wish_.depth, 8) | (v & 255);
        filled += static_cast<unsigned>(std::min(wish_.depth, 8));
        if (filled == 8) row.push_back(static_cast<std::uint8_t>(bits)), filled = 0;
      }
    if (filled > 0) row.push_back(static_cast<std::uint8_t>(bits << (8 - filled)));
    return row;
  }

  void filter(const Bytes& row, const Bytes& above) {
    const auto step = std::max<std::size_t>(channels_of(wish_.type) * static_cast<std::size_t>(wish_.depth) / 8, 1);
    const int kind = wish_.filter < 0 ? next_++ % 5 : wish_.filter;
    out.push_back(static_cast<std::uint8_t>(kind));
    for (std::size_t i = 0; i < row.size(); ++i) {
      const int a = i >= step ? row[i - step] : 0, b = above[i], c = i >= step ? above[i - step] : 0;
      const int guess[] = {0, a, b, (a + b) / 2, paeth(a, b, c)};
      out.push_back(static_cast<std::uint8_t>(row[i] - guess[kind]));
    }
  }

  const PngWish& wish_;
  const Samples& samples_;
  int next_ = 0;
};

Bytes deflated(const PngWish& wish, const Samples& samples) {
  Packer packer(wish, samples);
  constexpr Pass kAdam7[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                             {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
  if (wish.interlaced)
    for (const Pass& pass : kAdam7) packer.add(pass);
  else
    packer.add({0, 0, 1, 1});
  append(packer.out, wish.surplus);
  uLongf size = compressBound(packer.out.size());
  Bytes bytes(size);
  compress2(bytes.data(), &size, packer.out.data(), packer.out.size(), 6);
  bytes.resize(size);
  return bytes;
}

Bytes expected(const PngWish& wish, const Samples& samples) {
  const std::size_t channels = channels_of(wish.type);
  const Bytes palette = palette_of(wish.colors > 0 ? wish.colors : 1 << std::min(wish.depth, 8));
  const Bytes& key = wish.transparency;
  const unsigned top = (1u << wish.depth) - 1;
  Bytes pixels;
  for (std::size_t i = 0; i < samples.size(); i += channels) {
    if (wish.type == 3) {
      const std::size_t v = samples[i];
      for (std::size_t c = 0; c < 3; ++c) pixels.push_back(v * 3 < palette.size() ? palette[v * 3 + c] : 0);
      if (!key.empty()) pixels.push_back(v < key.size() && v * 3 < palette.size() ? key[v] : 255);
      continue;
    }
    bool matches = !key.empty();
    for (std::size_t c = 0; c < channels; ++c) {
      const unsigned v = samples[i + c];
      pixels.push_back(static_cast<std::uint8_t>(wish.depth == 16 ? v >> 8 : v * 255 / top));
      if (!key.empty()) matches &= v == (static_cast<unsigned>(key[c * 2]) << 8 | key[c * 2 + 1]);
    }
    if (!key.empty()) pixels.push_back(matches ? 0 : 255);
  }
  return pixels;
}

}  // namespace

Bytes png_chunk(const PngChunk& chunk) {
  Bytes bytes;
  append_u32(bytes, static_cast<std::uint32_t>(chunk.data.size()));
  Bytes body(chunk.type.begin(), chunk.type.end());
  append(body, chunk.data);
  append(bytes, body);
  append_u32(bytes, static_cast<std::uint32_t>(crc32(0, body.data(), static_cast<uInt>(body.size()))));
  return bytes;
}

PngFile make_png(const PngWish& wish) {
  std::mt19937 random(static_cast<unsigned>(wish.type * 16 + wish.depth));
  Samples samples(static_cast<std::size_t>(wish.width * wish.height) * channels_of(wish.type));
  for (auto& v : samples) v = static_cast<std::uint16_t>(random() & ((1u << wish.depth) - 1));
  PngFile file;
  file.bytes = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  Bytes header;
  append_u32(header, static_cast<std::uint32_t>(wish.width));
  append_u32(header, static_cast<std::uint32_t>(wish.height));
  for (const int v : {wish.depth, wish.type, 0, 0, wish.interlaced ? 1 : 0})
    header.push_back(static_cast<std::uint8_t>(v));
  append(file.bytes, png_chunk({"IHDR", header}));
  if (wish.type == 3)
    append(file.bytes, png_chunk({"PLTE", palette_of(wish.colors > 0 ? wish.colors : 1 << wish.depth)}));
  if (!wish.transparency.empty()) append(file.bytes, png_chunk({"tRNS", wish.transparency}));
  for (const PngChunk& chunk : wish.before) append(file.bytes, png_chunk(chunk));
  const Bytes data = deflated(wish, samples);
  for (std::size_t at = 0; at < data.size(); at += wish.idat_bytes) {
    const auto end = static_cast<std::ptrdiff_t>(std::min(at + wish.idat_bytes, data.size()));
    append(file.bytes, png_chunk({"IDAT", Bytes(data.begin() + static_cast<std::ptrdiff_t>(at), data.begin() + end)}));
  }
  for (const PngChunk& chunk : wish.after) append(file.bytes, png_chunk(chunk));
  append(file.bytes, png_chunk({"IEND", {}}));
  file.pixels = expected(wish, samples);
  return file;
}

}  // namespace gpuhisto::testing
