// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <vector>

namespace gpuhisto::test {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr unsigned kColorStep = 61;  // the whole cube takes minutes there
#else
inline constexpr unsigned kColorStep = 1;
#endif

/// All colours in order, every kColorStep-th.
inline std::vector<std::uint8_t> color_cube() {
  std::vector<std::uint8_t> image;
  for (unsigned color = 0; color < 1u << 24; color += kColorStep)
    for (unsigned c = 0; c < 3; ++c) image.push_back(static_cast<std::uint8_t>(color >> (8 * c)));
  return image;
}

}  // namespace gpuhisto::test
