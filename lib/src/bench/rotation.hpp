// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>

namespace gpuhisto::bench {

/// How a run keeps caches from serving what it counts: one burst counts several images, each by one launch.
struct Rotation {
  std::uint64_t copies = 1;  ///< different images
  std::uint64_t stride = 0;  ///< bytes from one to the next
  bool evict = false;        ///< all of them together fit into a cache: it is emptied before each burst
};
/// `cache_bytes` as in TargetInfo.
Rotation cold_rotation(std::uint64_t image_bytes, std::uint64_t cache_bytes);
/// One image, again and again.
Rotation hot_rotation(std::uint64_t image_bytes);

}  // namespace gpuhisto::bench
