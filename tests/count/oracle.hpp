// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "gpuhisto/histogram.hpp"
#include "gpuhisto/pattern.hpp"

namespace gpuhisto::test {

/// The header's formula, written again.
inline unsigned luma_formula(LumaRule rule, unsigned r, unsigned g, unsigned b) {
  switch (rule) {
    case LumaRule::kBt601:
      return (9798 * r + 19235 * g + 3735 * b + 16384) >> 15;
    case LumaRule::kBt709:
      return (6966 * r + 23436 * g + 2366 * b + 16384) >> 15;
    case LumaRule::kAverage:
      return (r + g + b + 1) / 3;
    case LumaRule::kValue:
      return r > g ? (r > b ? r : b) : (g > b ? g : b);
    case LumaRule::kYcrcb14:
      return (4899 * r + 9617 * g + 1868 * b + 8192) >> 14;
  }
  return 0;
}
inline constexpr LumaRule kLumaRules[] = {LumaRule::kBt601, LumaRule::kBt709, LumaRule::kAverage, LumaRule::kValue,
                                          LumaRule::kYcrcb14};

inline bool counts_pixel(const PixelPredicate& predicate, const ImageView& image, std::size_t x, std::size_t y) {
  const auto& p = predicate;
  if (p.skip_transparent && has_alpha(image.channels) &&
      image.row(y)[(x + 1) * static_cast<std::size_t>(image.channels) - 1] == 0)
    return false;
  if (p.mask && p.mask->row(y)[x] == 0) return false;
  const auto& r = p.rectangle;
  return !r || (x >= r->x && x - r->x < r->width && y >= r->y && y - r->y < r->height);
}

/// The count, one pixel after another.
inline ImageHistogram naive_count(const ImageView& image, const CountSpec& spec) {
  ImageHistogram h;
  h.channels = spec.channels & ChannelSet::of_image(image.channels);
  const auto bump = [&](Channel c, unsigned v) { h[c][v] += h.channels.has(c) ? 1u : 0u; };
  for (std::size_t y = 0; y < image.height; ++y)
    for (std::size_t x = 0; x < image.width; ++x) {
      if (!counts_pixel(spec.predicate, image, x, y)) continue;
      const std::uint8_t* p = image.row(y) + x * static_cast<std::size_t>(image.channels);
      const bool color = has_color(image.channels);
      ++h.pixels;
      bump(Channel::kLuma, color ? luma_formula(spec.luma, p[0], p[1], p[2]) : p[0]);
      if (color) bump(Channel::kRed, p[0]), bump(Channel::kGreen, p[1]), bump(Channel::kBlue, p[2]);
      if (has_alpha(image.channels)) bump(Channel::kAlpha, p[image.channels - 1]);
    }
  return h;
}

inline void expect_same(const ImageHistogram& got, const ImageHistogram& want, const std::string& what) {
  ASSERT_EQ(got.pixels, want.pixels) << what;
  ASSERT_TRUE(got.channels == want.channels) << what;
  for (const Channel c : kChannels)
    for (std::size_t v = 0; v < kBins; ++v)
      ASSERT_EQ(got[c][v], want[c][v]) << what << ", channel " << channel_name(c) << ", bin " << v;
}

/// Pixels of a pattern at a chosen misalignment and pitch; every byte that belongs to no pixel is poison, drawn anew
/// for each, so that a count of padding shows.
class TestImage {
 public:
  struct Shape {
    std::size_t width = 0, height = 0;
    int channels = 1;
    std::size_t padding = 0;       ///< bytes a row has beyond its pixels
    std::size_t misalignment = 0;  ///< of the first byte, from a multiple of 64
  };
  TestImage(const Shape& shape, const PatternSpec& pattern, std::uint64_t seed) {
    const std::size_t row = shape.width * static_cast<std::size_t>(shape.channels);
    const std::size_t pitch = row + shape.padding;
    bytes_.resize(64 + shape.misalignment + pitch * shape.height + 64);
    fill_pattern(bytes_.data(), bytes_.size(), {}, ~seed);
    const auto base = reinterpret_cast<std::uintptr_t>(bytes_.data());
    std::uint8_t* first = bytes_.data() + (64 - base % 64) % 64 + shape.misalignment;
    for (std::size_t y = 0; y < shape.height; ++y) fill_pattern(first + y * pitch, row, pattern, seed, y * row);
    view_ = {first, shape.width, shape.height, shape.channels, pitch};
  }
  const ImageView& view() const { return view_; }

 private:
  std::vector<std::uint8_t> bytes_;
  ImageView view_;
};

}  // namespace gpuhisto::test
