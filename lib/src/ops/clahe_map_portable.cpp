// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "ops/clahe_grid.hpp"
#include "ops/clahe_map.hpp"

namespace gpuhisto::ops {
namespace {

float byte_of(std::uint32_t word, unsigned byte) { return static_cast<float>(word >> (8 * byte) & 255); }

}  // namespace

void map_cell_portable(const std::uint8_t* from, std::uint8_t* to, std::size_t count, const CellMaps& maps,
                       const float* right, float below) {
  const float above = 1.0f - below;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t four = maps.four[from[i]];
    const float left = 1.0f - right[i];
    to[i] = rounded((byte_of(four, 0) * left + byte_of(four, 1) * right[i]) * above +
                    (byte_of(four, 2) * left + byte_of(four, 3) * right[i]) * below);
  }
}

}  // namespace gpuhisto::ops
