// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Slow, plain definitions that the tests compare with; nothing of the library's own arithmetic is used.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

#include "gpuhisto/equalize.hpp"

namespace gpuhisto::test {

__extension__ using Wide = __int128;

/// Equalisation of whole images, by counts of their own.
struct EqualizeOptions {
  ToneMode mode = ToneMode::kLuma;
  PixelPredicate predicate = {};
  int threads = 1;
};
inline ImageHistogram equalize(const MutableImageView& image, const EqualizeOptions& options) {
  return apply_operation(image, Equalization(options.mode), options.predicate, options.threads);
}

inline constexpr std::uint8_t kPoison = 0xa5;
using Sizes = std::initializer_list<std::size_t>;

/// An image with rows further apart than their pixels need, in a buffer of poison.
struct PaddedImage {
  std::vector<std::uint8_t> buffer;
  MutableImageView view;

  PaddedImage(std::size_t width, std::size_t height, int channels, std::size_t offset = 0, std::size_t padding = 0) {
    const std::size_t pitch = width * static_cast<std::size_t>(channels) + padding;
    buffer.assign(offset + pitch * height + 64, kPoison);
    view = {buffer.data() + offset, width, height, channels, pitch};
  }
  PaddedImage(const PaddedImage& other) : buffer(other.buffer), view(other.view) {
    view.data = buffer.data() + (other.view.data - other.buffer.data());
  }

  PaddedImage& operator=(const PaddedImage&) = delete;

  std::uint8_t* pixel(std::size_t x, std::size_t y) {
    return view.row(y) + x * static_cast<std::size_t>(view.channels);
  }

  /// visit(pixel), row by row.
  template <typename Visit>
  void for_each(const Visit& visit) {
    for (std::size_t y = 0; y < view.height; ++y)
      for (std::size_t x = 0; x < view.width; ++x) visit(pixel(x, y));
  }

  /// Values from `low` to `high`; a third of the alphas are 0, a third 255.
  void fill(std::mt19937& random, int low = 0, int high = 255) {
    std::uniform_int_distribution<int> value(low, high), alpha(-255, 510);
    for (std::size_t y = 0; y < view.height; ++y)
      for (std::size_t x = 0; x < view.width; ++x) {
        for (int c = 0; c < view.channels; ++c) pixel(x, y)[c] = static_cast<std::uint8_t>(value(random));
        if (has_alpha(view.channels))
          pixel(x, y)[view.channels - 1] = static_cast<std::uint8_t>(std::clamp(alpha(random), 0, 255));
      }
  }
};

inline bool counts(const PixelPredicate& predicate, const ImageView& image, std::size_t x, std::size_t y) {
  const std::uint8_t* pixel = image.row(y) + x * static_cast<std::size_t>(image.channels);
  if (predicate.skip_transparent && has_alpha(image.channels) && pixel[image.channels - 1] == 0) return false;
  if (predicate.mask && predicate.mask->row(y)[x] == 0) return false;
  if (!predicate.rectangle) return true;
  const Rectangle& r = *predicate.rectangle;
  return x >= r.x && x - r.x < r.width && y >= r.y && y - r.y < r.height;
}

/// True when `value` is 255 * above / range to the nearest integer, of two equally near ones the even one.
inline bool is_rounded(int value, Wide above, Wide range) {
  const Wide twice_off = 2 * 255 * above - 2 * value * range;  // off by twice_off / (2 * range)
  const Wide distance = twice_off < 0 ? -twice_off : twice_off;
  return distance < range || (distance == range && value % 2 == 0);
}

inline Lut slow_lut(const Histogram& histogram) {
  Lut lut{};
  std::size_t lowest = 0;
  while (lowest < 256 && histogram[lowest] == 0) ++lowest;
  Wide range = 0;
  for (std::size_t v = lowest + 1; v < 256; ++v) range += histogram[v];
  Wide above = 0;
  for (std::size_t v = 0; v < 256; ++v) {
    if (v > lowest) above += histogram[v];
    int value = 0;
    while (range > 0 && !is_rounded(value, above, range)) ++value;
    lut[v] = static_cast<std::uint8_t>(range == 0 ? static_cast<int>(v) : value);
  }
  return lut;
}

inline int slow_y(const std::uint8_t* p) { return (4899 * p[0] + 9617 * p[1] + 1868 * p[2] + 8192) / 16384; }

/// floor((x + 8192) / 16384), without shifting negative numbers.
inline int slow_descale(int x) {
  const int sum = x + 8192 + (1 << 24);
  return sum / 16384 - (1 << 10);
}

inline void slow_replace_luma(std::uint8_t* p, const Lut& lut) {
  const auto clip = [](int v) { return std::min(255, std::max(0, v)); };
  const int y = slow_y(p), mapped = lut[static_cast<std::size_t>(y)];
  const int cr = clip(128 + slow_descale((p[0] - y) * 11682)) - 128;
  const int cb = clip(128 + slow_descale((p[2] - y) * 9241)) - 128;
  p[0] = static_cast<std::uint8_t>(clip(mapped + slow_descale(22987 * cr)));
  p[1] = static_cast<std::uint8_t>(clip(mapped + slow_descale(-11698 * cr - 5636 * cb)));
  p[2] = static_cast<std::uint8_t>(clip(mapped + slow_descale(29049 * cb)));
}

}  // namespace gpuhisto::test
