// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "gpuhisto/clahe.hpp"
#include "ops/kernels.hpp"

namespace gpuhisto::ops {

/// The maps of the four tiles around a cell.
struct CellMaps {
  const Lut* corner[4];                 ///< above left, above right, below left, below right
  alignas(64) std::uint32_t four[256];  ///< a value's entries in them, from the lowest byte on

  void set(const Lut& above_left, const Lut& above_right, const Lut& below_left, const Lut& below_right) {
    const Lut* given[] = {&above_left, &above_right, &below_left, &below_right};
    for (std::size_t i = 0; i < 4; ++i) corner[i] = given[i];
    for (std::size_t v = 0; v < kBins; ++v)
      four[v] = std::uint32_t{above_left[v]} | std::uint32_t{above_right[v]} << 8 | std::uint32_t{below_left[v]} << 16 |
                std::uint32_t{below_right[v]} << 24;
  }
};

/// clahe() by these kernels.
void clahe(const MutableImageView& image, const ClaheOptions& options, const Kernels& kernels);

}  // namespace gpuhisto::ops
