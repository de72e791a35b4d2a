// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <bit>

#include "tiff_layout.hpp"

namespace gpuhisto {
namespace {

// Ink over ink, rounded to the nearest.
std::uint8_t without_ink(unsigned ink, unsigned black) {
  return static_cast<std::uint8_t>(((255 - ink) * (255 - black) + 127) / 255);
}

}  // namespace

TiffConverter::TiffConverter(const TiffLayout& layout) : layout_(layout) {
  const unsigned most = layout.bits >= 8 ? 255 : (1u << layout.bits) - 1;
  for (unsigned v = 0; v <= most; ++v) scaled_[v] = static_cast<std::uint8_t>(v * 255 / most);
}

bool TiffConverter::is_identity() const {
  return layout_.bits == 8 && !layout_.separate && !layout_.inverted && !layout_.premultiplied &&
         (layout_.color == TiffColor::kGray || layout_.color == TiffColor::kRgb) &&
         static_cast<int>(layout_.samples) == layout_.channels();
}

void TiffConverter::unpack(const std::uint8_t* from, unsigned plane) {
  const std::size_t count = std::size_t{layout_.width} * layout_.samples_a_plane();
  const std::size_t step = layout_.separate ? layout_.samples : 1;
  std::uint8_t* to = samples_.data() + plane;
  if (layout_.bits == 16) {
    // libtiff has turned them to this machine's order.
    const std::size_t high = std::endian::native == std::endian::little ? 1 : 0;
    for (std::size_t i = 0; i < count; ++i) to[i * step] = from[2 * i + high];
  } else if (layout_.bits == 8) {
    for (std::size_t i = 0; i < count; ++i) to[i * step] = from[i];
  } else {
    const unsigned bits = layout_.bits, per_byte = 8 / bits, mask = (1u << bits) - 1;
    for (std::size_t i = 0; i < count; ++i)
      to[i * step] = static_cast<std::uint8_t>(unsigned{from[i / per_byte]} >> (8 - bits * (i % per_byte + 1)) & mask);
  }
}

void TiffConverter::color_pixel(const std::uint8_t* s, std::uint8_t* to) const {
  switch (layout_.color) {
    case TiffColor::kGray:
      to[0] = layout_.inverted ? static_cast<std::uint8_t>(255 - scaled_[s[0]]) : scaled_[s[0]];
      break;
    case TiffColor::kPalette:
      std::copy_n(layout_.palette[s[0]].data(), 3, to);
      break;
    case TiffColor::kRgb:
      for (int c = 0; c < 3; ++c) to[c] = scaled_[s[c]];
      break;
    case TiffColor::kCmyk:
      for (int c = 0; c < 3; ++c) to[c] = without_ink(scaled_[s[c]], scaled_[s[3]]);
  }
}

void TiffConverter::convert(const std::vector<const std::uint8_t*>& rows, std::uint8_t* to) {
  samples_.resize(std::size_t{layout_.width} * layout_.samples);  // now that there is a row of that size
  for (unsigned plane = 0; plane < layout_.planes(); ++plane) unpack(rows[plane], plane);
  const auto channels = static_cast<std::size_t>(layout_.channels());
  const std::uint8_t* s = samples_.data();
  for (std::uint32_t x = 0; x < layout_.width; ++x, s += layout_.samples, to += channels) {
    color_pixel(s, to);
    if (layout_.alpha < 0) continue;
    const unsigned alpha = scaled_[s[layout_.alpha]];
    to[channels - 1] = static_cast<std::uint8_t>(alpha);
    if (!layout_.premultiplied || alpha == 255) continue;
    // The color before it was multiplied, cut off like the rest of the division, as Pillow does it.
    for (std::size_t c = 0; c + 1 < channels; ++c)
      to[c] = alpha == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(std::min(to[c] * 255u / alpha, 255u));
  }
}

}  // namespace gpuhisto
