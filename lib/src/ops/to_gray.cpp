// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <cstring>

#include "gpuhisto/convert.hpp"
#include "gpuhisto/parallel.hpp"
#include "ops/luma_row.hpp"
#include "ops/parts.hpp"

namespace gpuhisto {
namespace {

/// RGBA -> gray+alpha, by way of a run of lumas that stays in the first-level cache.
void gray_with_alpha(const std::uint8_t* from, std::size_t count, LumaRule rule, std::uint8_t* to) {
  constexpr std::size_t kChunk = 1024;
  std::uint8_t luma[kChunk];
  for (std::size_t at = 0; at < count; at += kChunk, from += 4 * kChunk, to += 2 * kChunk) {
    const std::size_t size = std::min(kChunk, count - at);
    ops::luma_row(rule, 4, from, size, luma);
    for (std::size_t i = 0; i < size; ++i) {
      to[2 * i] = luma[i];
      to[2 * i + 1] = from[4 * i + 3];
    }
  }
}

}  // namespace

void to_gray(const ImageView& image, const MutableImageView& gray, LumaRule rule, int threads) {
  const bool alpha = has_alpha(image.channels);
  const std::size_t pixel_bytes = alpha ? 2 : 1;
  fork_join(image.height, ops::parts_for(image.width * image.height, threads),
            [&](int, std::size_t begin, std::size_t end) {
              for (std::size_t y = begin; y < end; ++y) {
                if (!has_color(image.channels)) {
                  std::copy_n(image.row(y), image.width * pixel_bytes, gray.row(y));
                } else if (alpha) {
                  gray_with_alpha(image.row(y), image.width, rule, gray.row(y));
                } else {
                  ops::luma_row(rule, image.channels, image.row(y), image.width, gray.row(y));
                }
              }
            });
}

Image to_gray(const ImageView& image, LumaRule rule, int threads) {
  Image gray(image.width, image.height, has_alpha(image.channels) ? 2 : 1);
  to_gray(image, gray.view(), rule, threads);
  return gray;
}

}  // namespace gpuhisto
