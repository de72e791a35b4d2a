// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "count/formula.hpp"
#include "count/split.hpp"

namespace gpuhisto::ops {

/// The luma of `n` RGB (channels = 3) or RGBA (4) pixels.
inline void luma_row(LumaRule rule, int channels, const std::uint8_t* pixels, std::size_t n, std::uint8_t* luma) {
  count::Planes planes;
  planes.luma = luma;
  count::best_split()(pixels, n, channels, count::luma_formula(rule), planes);
}

}  // namespace gpuhisto::ops
