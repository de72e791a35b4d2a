// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/bmp_header.hpp"

#include <algorithm>
#include <bit>

#include "codecs/byte_fields.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::uint64_t kFileHeader = 14;
constexpr std::uint32_t kOs2V1 = 12, kOs2V2Short = 16, kWindows3 = 40, kV2 = 52, kV3 = 56, kOs2V2 = 64, kV4 = 108,
                        kV5 = 124;

[[noreturn]] void unsupported(const std::string& what) { throw Error(ErrorKind::kUnsupported, "a BMP file " + what); }
[[noreturn]] void bad(const std::string& why) { throw Error(ErrorKind::kInput, "bad BMP header: " + why); }

bool is_known_size(std::uint32_t size) {
  constexpr std::array kSizes = {kOs2V1, kOs2V2Short, kWindows3, kV2, kV3, kOs2V2, kV4, kV5};
  return std::find(kSizes.begin(), kSizes.end(), size) != kSizes.end();
}

void read_size(Bytes file, std::uint32_t header_size, BmpHeader& header) {
  std::uint64_t at = kFileHeader + 4;
  if (header_size == kOs2V1) {
    header.width = u16le(file, at);
    header.height = u16le(file, at + 2);
    at += 4;
  } else {
    const auto width = static_cast<std::int32_t>(u32le(file, at));
    const auto height = static_cast<std::int64_t>(static_cast<std::int32_t>(u32le(file, at + 4)));
    if (width <= 0) bad("width " + std::to_string(width));
    header.width = static_cast<std::uint64_t>(width);
    header.top_down = height < 0;
    header.height = static_cast<std::uint64_t>(height < 0 ? -height : height);
    at += 8;
  }
  if (header.width == 0 || header.height == 0) bad("the image is empty");
  if (const auto planes = u16le(file, at); planes != 1)
    header.complaints.push_back("the header names " + std::to_string(planes) + " planes");
  header.bits = u16le(file, at + 2);
}

BmpCompression read_compression(std::uint32_t code, std::uint32_t header_size) {
  const bool os2 = header_size == kOs2V2 || header_size == kOs2V2Short;
  if (code == 0) return BmpCompression::kNone;
  if (code == 1) return BmpCompression::kRle8;
  if (code == 2) return BmpCompression::kRle4;
  if (code == 3 && !os2) return BmpCompression::kMasks;
  if (code == 6 && !os2) return BmpCompression::kMasks;
  if (code == 3) unsupported("with Huffman compression");
  if (code == 4 && os2) unsupported("with RLE24 compression");
  if (code == 4) unsupported("that wraps a JPEG file");
  if (code == 5) unsupported("that wraps a PNG file");
  unsupported("of compression " + std::to_string(code));
}

void check_bits(const BmpHeader& header) {
  constexpr std::array kBits = {1u, 2u, 4u, 8u, 16u, 24u, 32u};
  if (std::find(kBits.begin(), kBits.end(), header.bits) == kBits.end())
    bad(std::to_string(header.bits) + " bits a pixel");
  const bool fits = header.compression == BmpCompression::kNone ||
                    (header.compression == BmpCompression::kRle8 && header.bits == 8) ||
                    (header.compression == BmpCompression::kRle4 && header.bits == 4) ||
                    (header.compression == BmpCompression::kMasks && (header.bits == 16 || header.bits == 32));
  if (!fits) bad("its compression does not go with " + std::to_string(header.bits) + " bits a pixel");
}

// The masks lie behind 40 bytes of header: within the longer ones, after the short one.
std::uint64_t read_masks(Bytes file, std::uint32_t header_size, std::uint32_t code, BmpHeader& header) {
  const std::uint64_t at = kFileHeader + kWindows3;
  std::uint64_t extra = 0;
  if (header.compression == BmpCompression::kMasks) {
    if (header_size == kWindows3) extra = code == 6 ? 16 : 12;
    const bool has_alpha = header_size >= kV3 || extra == 16;
    for (std::size_t i = 0; i < (has_alpha ? 4u : 3u); ++i) header.masks[i] = u32le(file, at + 4 * i);
  } else if (header.bits == 16) {
    header.masks = {0x7C00, 0x03E0, 0x001F, 0};
  } else if (header.bits == 32) {
    header.masks = {0xFF0000, 0x00FF00, 0x0000FF, 0};
  }
  return extra;
}

// Of more than eight bits a color, stb_image is shown the highest eight.
std::uint32_t high_byte(std::uint32_t mask) {
  while (std::popcount(mask) > 8) mask &= mask - 1;
  return mask;
}

void check_masks(BmpHeader& header) {
  if (header.bits != 16 && header.bits != 32) return;
  std::uint32_t used = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    std::uint32_t& mask = header.masks[i];
    if (mask == 0 && i == 3) continue;
    if (mask == 0 || (mask & used) != 0) bad("its color masks are missing or overlap");
    used |= mask;
    if (!std::has_single_bit((std::uint64_t{mask} >> std::countr_zero(mask)) + 1)) bad("a color mask has holes");
    header.sample_bits = std::max(header.sample_bits, std::popcount(mask));
    mask = high_byte(mask);
  }
}

void collect_complaints(Bytes file, std::uint32_t size, BmpHeader& header) {
  if (u32le(file, 2) > file.size()) header.complaints.push_back("the file is shorter than its header says");
  const bool runs = header.compression == BmpCompression::kRle8 || header.compression == BmpCompression::kRle4;
  if (runs && header.top_down) header.complaints.push_back("run lengths in an image that is stored from the top");
  const std::uint64_t x = size >= kWindows3 ? u32le(file, 38) : 0, y = size >= kWindows3 ? u32le(file, 42) : 0;
  if (x == 0 || y == 0) return;
  header.resolution = {static_cast<double>(x), static_cast<double>(y), Resolution::Unit::kMetre};
  if (std::max(x, y) / std::min(x, y) > 1000)
    header.complaints.push_back("the resolution of " + std::to_string(x) + "x" + std::to_string(y) + " makes no sense");
}

void read_palette(Bytes file, std::uint64_t at, std::uint32_t colors, BmpHeader& header) {
  if (header.bits > 8) return;
  const std::uint32_t most = 1u << header.bits;
  const std::uint64_t entry = u32le(file, kFileHeader) == kOs2V1 ? 3 : 4;
  if (colors > most) header.complaints.push_back("the palette has " + std::to_string(colors) + " colors");
  if (colors == 0 || colors > most) colors = most;
  // Some writers leave out the colors they do not use, without saying so.
  const std::uint64_t room = header.pixels_at > at ? (header.pixels_at - at) / entry : 0;
  const std::uint64_t count = std::min<std::uint64_t>(colors, room);
  if (at + count * entry > file.size()) throw Error(ErrorKind::kInput, "the palette is truncated");
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto from = static_cast<std::ptrdiff_t>(at + i * entry);
    header.palette.insert(header.palette.end(), file.begin() + from, file.begin() + from + 3);
    header.palette.push_back(0);
  }
  if (header.palette.empty()) bad("it has no palette");
}

}  // namespace

BmpHeader read_bmp_header(Bytes file) {
  const std::uint32_t size = u32le(file, kFileHeader);
  if (file.size() < kFileHeader + 4 || file.size() < kFileHeader + size)
    throw Error(ErrorKind::kInput, "the header is truncated");
  if (!is_known_size(size)) unsupported("with a header of " + std::to_string(size) + " bytes");
  BmpHeader header;
  read_size(file, size, header);
  const std::uint32_t code = size >= kWindows3 ? u32le(file, 30) : 0;
  header.compression = read_compression(code, size);
  check_bits(header);
  const std::uint64_t extra = read_masks(file, size, code, header);
  check_masks(header);
  const std::uint64_t palette_at = kFileHeader + size + extra;
  header.pixels_at = u32le(file, 10);
  if (header.pixels_at < palette_at) bad("the pixels would begin inside it");
  read_palette(file, palette_at, size >= kWindows3 ? u32le(file, 46) : 0, header);
  collect_complaints(file, size, header);
  header.has_profile = size == kV5 && u32le(file, kFileHeader + 116) != 0;
  return header;
}

}  // namespace gpuhisto
