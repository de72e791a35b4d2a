// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace gpuhisto::testing {

/// `count` bytes in 0..below-1, the same for the same seed.
inline std::vector<std::uint8_t> random_bytes(std::size_t count, std::uint32_t seed, std::uint32_t below = 256) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> bytes(count);
  for (auto& b : bytes) b = static_cast<std::uint8_t>(random() % below);
  return bytes;
}

}  // namespace gpuhisto::testing
