// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "bench/rotation.hpp"

#include <algorithm>

namespace gpuhisto::bench {
namespace {

constexpr std::uint64_t kMostCopies = 256;  // the first image of a burst is in the caches: it must not show
constexpr std::uint64_t kAlignment = 256;

}  // namespace

Rotation hot_rotation(std::uint64_t image_bytes) {
  return {1, (image_bytes + kAlignment - 1) / kAlignment * kAlignment, false};
}

Rotation cold_rotation(std::uint64_t image_bytes, std::uint64_t cache_bytes) {
  Rotation rotation = hot_rotation(image_bytes);
  if (image_bytes == 0) return rotation;
  const std::uint64_t wanted = (cache_bytes + rotation.stride - 1) / rotation.stride;
  rotation.copies = std::clamp<std::uint64_t>(wanted, 1, kMostCopies);
  rotation.evict = rotation.copies * rotation.stride < cache_bytes || cache_bytes == 0;
  return rotation;
}

}  // namespace gpuhisto::bench
