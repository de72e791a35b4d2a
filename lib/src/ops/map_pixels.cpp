// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "ops/map_pixels.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "count/selection.hpp"
#include "gpuhisto/parallel.hpp"
#include "ops/luma_row.hpp"
#include "ops/parts.hpp"

namespace gpuhisto::ops {
namespace {

/// Pixels worked on at a time: with their Y, their new Y and a copy for the predicate, well inside a first-level cache.
constexpr std::size_t kChunk = 1024;

class RunMapper {
 public:
  RunMapper(const PixelMap& map, int channels, const Kernels& kernels)
      : map_(map), channels_(static_cast<std::size_t>(channels)), kernels_(kernels) {}

  /// `mask`: a byte a pixel, zero keeps the pixel as it is; or null.
  void map(std::uint8_t* pixels, std::size_t count, const std::uint8_t* mask, bool skip_transparent) {
    const bool all = mask == nullptr && !skip_transparent;
    if (all && map_.kind == PixelMap::Kind::kChannels) return kernels_.map(pixels, count, map_.channels);
    for (std::size_t at = 0; at < count; at += kChunk) {
      const std::size_t size = std::min(kChunk, count - at);
      std::uint8_t* chunk = pixels + at * channels_;
      if (!all) std::memcpy(stored_, chunk, size * channels_);
      if (mask != nullptr) std::memcpy(keys_, mask + at, size);
      map_chunk(chunk, size);
      if (mask != nullptr) restore(chunk, size, keys_, 1);
      if (skip_transparent) restore(chunk, size, stored_ + channels_ - 1, channels_);
    }
  }

 private:
  void map_chunk(std::uint8_t* chunk, std::size_t size) {
    if (map_.kind == PixelMap::Kind::kChannels) return kernels_.map(chunk, size, map_.channels);
    luma_row(LumaRule::kYcrcb14, static_cast<int>(channels_), chunk, size, y_);
    std::memcpy(new_y_, y_, size);
    kernels_.map(new_y_, size, map_.luma);
    kernels_.replace_luma(chunk, size, static_cast<int>(channels_), y_, new_y_);
  }

  /// Puts back the stored pixels whose key byte, the first of every `step`, is zero.
  void restore(std::uint8_t* chunk, std::size_t size, const std::uint8_t* keys, std::size_t step) const {
    switch (channels_) {
      case 1:
        return restore_pixels<1>(chunk, size, keys, step);
      case 2:
        return restore_pixels<2>(chunk, size, keys, step);
      case 3:
        return restore_pixels<3>(chunk, size, keys, step);
      default:
        return restore_pixels<4>(chunk, size, keys, step);
    }
  }

  /// No branch on the key: masks may be noise.
  template <std::size_t kChannels>
  void restore_pixels(std::uint8_t* chunk, std::size_t size, const std::uint8_t* keys, std::size_t step) const {
    for (std::size_t i = 0; i < size; ++i) {
      std::array<std::uint8_t, kChannels> pixel;
      std::memcpy(pixel.data(), (keys[i * step] == 0 ? stored_ : chunk) + i * kChannels, kChannels);
      std::memcpy(chunk + i * kChannels, pixel.data(), kChannels);
    }
  }

  const PixelMap& map_;
  std::size_t channels_;
  const Kernels& kernels_;
  std::uint8_t stored_[kChunk * 4];
  std::uint8_t keys_[kChunk];  // a copy, because a gray image may be its own mask
  std::uint8_t y_[kChunk];
  std::uint8_t new_y_[kChunk];
};

}  // namespace

void map_pixels(const MutableImageView& image, const PixelMap& map, const PixelPredicate& predicate,
                const Kernels& kernels, int threads) {
  count::Range columns{0, image.width}, rows{0, image.height};
  if (const auto& rectangle = predicate.rectangle) {
    columns = count::clip(0, image.width, rectangle->x, rectangle->width);
    rows = count::clip(0, image.height, rectangle->y, rectangle->height);
  }
  if (columns.size() == 0 || rows.size() == 0) return;
  const auto step = static_cast<std::size_t>(image.channels);
  const bool skip_transparent = predicate.skip_transparent && has_alpha(image.channels);
  const bool gapless = image.row_bytes == columns.size() * step && !predicate.mask;
  fork_join(
      rows.size(), parts_for(columns.size() * rows.size(), threads), [&](int, std::size_t begin, std::size_t end) {
        RunMapper mapper(map, image.channels, kernels);
        if (gapless)  // narrow images: the rows are one run
          return mapper.map(image.row(rows.begin + begin), columns.size() * (end - begin), nullptr, skip_transparent);
        for (std::size_t y = rows.begin + begin; y < rows.begin + end; ++y) {
          const std::uint8_t* mask = predicate.mask ? predicate.mask->row(y) + columns.begin : nullptr;
          mapper.map(image.row(y) + columns.begin * step, columns.size(), mask, skip_transparent);
        }
      });
}

}  // namespace gpuhisto::ops
