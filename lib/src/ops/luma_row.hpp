// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "count/luma.hpp"

namespace gpuhisto::ops {

/// The luma of `n` RGB (channels = 3) or RGBA (4) pixels.
inline void luma_row(LumaRule rule, int channels, const std::uint8_t* pixels, std::size_t n, std::uint8_t* luma) {
  count::with_luma_rule(rule, [&]<LumaRule kRule>() {
    for (std::size_t i = 0; i < n; ++i, pixels += channels)
      luma[i] = count::luma_value<kRule>(pixels[0], pixels[1], pixels[2]);
  });
}

}  // namespace gpuhisto::ops
