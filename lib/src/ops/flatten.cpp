// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <cstring>

#include "gpuhisto/convert.hpp"
#include "gpuhisto/parallel.hpp"
#include "ops/parts.hpp"

namespace gpuhisto {
namespace {

constexpr std::size_t kChunk = 512;  // pixels; a few KiB at work in all

/// (alpha * value + (255 - alpha) * background + 127) / 255. The sum stays under 65535, where the division is two adds
/// and two shifts of 16 bits: a form compilers vectorise.
inline std::uint8_t blend(std::uint8_t alpha, std::uint8_t value, std::uint8_t background) {
  const auto sum = static_cast<std::uint16_t>(alpha * value + (255 - alpha) * background + 127);
  return static_cast<std::uint8_t>(static_cast<std::uint16_t>(sum + 1 + (sum >> 8)) >> 8);
}

void flatten_gray(const std::uint8_t* from, std::size_t count, std::uint8_t background, std::uint8_t* to) {
  for (std::size_t i = 0; i < count; ++i) to[i] = blend(from[2 * i + 1], from[2 * i], background);
}

/// Blends all four bytes of each pixel alike, then leaves the fourth out.
class RgbFlattener {
 public:
  explicit RgbFlattener(const std::array<std::uint8_t, 3>& background) {
    for (std::size_t i = 0; i < sizeof background_; ++i) background_[i] = i % 4 < 3 ? background[i % 4] : 0;
  }

  void flatten(const std::uint8_t* from, std::size_t count, std::uint8_t* to) {
    for (std::size_t at = 0; at < count; at += kChunk)
      flatten_chunk(from + 4 * at, std::min(kChunk, count - at), to + 3 * at);
  }

 private:
  void flatten_chunk(const std::uint8_t* from, std::size_t count, std::uint8_t* to) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t four_alphas = from[4 * i + 3] * 0x01010101u;
      std::memcpy(alpha_ + 4 * i, &four_alphas, 4);
    }
    for (std::size_t i = 0; i < 4 * count; ++i) blended_[i] = blend(alpha_[i], from[i], background_[i]);
    // Four bytes a store, the fourth overwritten by the next pixel; the last pixel has no room for it.
    for (std::size_t i = 0; i + 1 < count; ++i) std::memcpy(to + 3 * i, blended_ + 4 * i, 4);
    std::memcpy(to + 3 * (count - 1), blended_ + 4 * (count - 1), 3);
  }

  std::uint8_t background_[4 * kChunk];
  std::uint8_t alpha_[4 * kChunk];
  std::uint8_t blended_[4 * kChunk];
};

void copy_rows(const ImageView& from, const MutableImageView& to) {
  for (std::size_t y = 0; y < from.height; ++y) std::copy_n(from.row(y), to.row_bytes, to.row(y));
}

/// Alpha is every `channels`th byte, the last of its pixel.
bool is_opaque_row(const std::uint8_t* pixels, std::size_t width, std::size_t channels) {
  std::uint8_t all = 255;
  for (std::size_t i = 0; i < width; ++i) all &= pixels[i * channels + channels - 1];
  return all == 255;
}

}  // namespace

Image flatten(const ImageView& image, const std::array<std::uint8_t, 3>& background, int threads) {
  Image result(image.width, image.height, image.channels - (has_alpha(image.channels) ? 1 : 0));
  const MutableImageView to = result.view();
  const auto flatten_rows = [&](std::size_t begin, std::size_t end) {
    RgbFlattener rgb(background);
    if (!has_alpha(image.channels)) return copy_rows(image.rows(begin, end - begin), to.rows(begin, end - begin));
    for (std::size_t y = begin; y < end; ++y) {
      if (image.channels == 2) {
        flatten_gray(image.row(y), image.width, background[0], to.row(y));
      } else {
        rgb.flatten(image.row(y), image.width, to.row(y));
      }
    }
  };
  fork_join(image.height, ops::parts_for(image.width * image.height, threads),
            [&](int, std::size_t begin, std::size_t end) { flatten_rows(begin, end); });
  return result;
}

bool is_opaque(const ImageView& image) {
  if (!has_alpha(image.channels)) return true;
  for (std::size_t y = 0; y < image.height; ++y)
    if (!is_opaque_row(image.row(y), image.width, static_cast<std::size_t>(image.channels))) return false;
  return true;
}

}  // namespace gpuhisto
