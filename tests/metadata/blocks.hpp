// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codecs/decode_helpers.hpp"

// Blocks of metadata, made without the library.
namespace gpuhisto::testing {

/// Numbers of a TIFF block in one byte order.
struct ExifBytes {
  explicit ExifBytes(bool big_endian)
      : big(big_endian), bytes(bytes_of(big ? std::string("MM\0*", 4) : std::string("II*\0", 4))) {}
  void u16(std::uint32_t v) { put(v, 2); }
  void u32(std::uint32_t v) { put(v, 4); }
  void put(std::uint32_t v, unsigned count) {
    for (unsigned i = 0; i < count; ++i) bytes.push_back(static_cast<std::uint8_t>(v >> 8 * (big ? count - 1 - i : i)));
  }
  bool big;
  Bytes bytes;
};

struct ExifWish {
  bool big = false;
  std::uint32_t orientation = 6, x_per_inch = 300, y_per_inch = 150;
  std::uint32_t width = 40, height = 30;
  Bytes thumbnail;  ///< with a directory of its own, unless it is empty
};

/// First directory: orientation, two resolutions, a link to the EXIF directory, which has the size; then the thumbnail.
inline Bytes make_exif(const ExifWish& wish) {
  constexpr std::uint32_t kFirst = 8, kExif = kFirst + 2 + 4 * 12 + 4, kRationals = kExif + 2 + 2 * 12 + 4,
                          kSecond = kRationals + 16, kPixels = kSecond + 2 + 2 * 12 + 4;
  ExifBytes out(wish.big);
  const auto entry = [&](unsigned tag, unsigned type, std::uint32_t value) {
    out.u16(tag);
    out.u16(type);
    out.u32(1);
    if (type == 3) {
      out.u16(value);
      out.u16(0);
    } else {
      out.u32(value);
    }
  };
  out.u32(kFirst);
  out.u16(4);
  entry(0x0112, 3, wish.orientation);
  entry(0x011A, 5, kRationals);
  entry(0x011B, 5, kRationals + 8);
  entry(0x8769, 4, kExif);
  out.u32(wish.thumbnail.empty() ? 0 : kSecond);
  out.u16(2);
  entry(0xA002, 3, wish.width);
  entry(0xA003, 4, wish.height);
  out.u32(0);
  for (const std::uint32_t v : {wish.x_per_inch, 1u, wish.y_per_inch, 1u}) out.u32(v);
  if (wish.thumbnail.empty()) return out.bytes;
  out.u16(2);
  entry(0x0201, 4, kPixels);
  entry(0x0202, 4, static_cast<std::uint32_t>(wish.thumbnail.size()));
  out.u32(0);
  return out.bytes + wish.thumbnail;
}

/// A header and one tag, of `size` bytes.
inline Bytes make_icc(const std::string& space, std::size_t size = 300) {
  Bytes profile(size, 5);
  const auto put = [&](std::size_t at, std::uint32_t v) {
    for (unsigned i = 0; i < 4; ++i) profile[at + i] = static_cast<std::uint8_t>(v >> (24 - 8 * i));
  };
  put(0, static_cast<std::uint32_t>(size));
  std::copy(space.begin(), space.end(), profile.begin() + 16);
  const std::string signature = "acsp";
  std::copy(signature.begin(), signature.end(), profile.begin() + 36);
  put(128, 1);
  put(136, 144);
  put(140, static_cast<std::uint32_t>(size - 144));
  return profile;
}

}  // namespace gpuhisto::testing
