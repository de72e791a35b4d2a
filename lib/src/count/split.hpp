// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Like luma.hpp, this includes no inline code of the standard library.
#pragma once

#include <cstddef>
#include <cstdint>

#include "count/luma.hpp"

namespace gpuhisto::count {

/// Where the channels of a run of pixels go, each as its own plane; null: not wanted. Red, green and blue: all or none.
struct Planes {
  std::uint8_t* luma = nullptr;
  std::uint8_t* red = nullptr;
  std::uint8_t* green = nullptr;
  std::uint8_t* blue = nullptr;
  std::uint8_t* alpha = nullptr;

  /// The same planes from pixel `by` on.
  Planes from(std::size_t by) const {
    const auto move = [by](std::uint8_t* plane) { return plane ? plane + by : nullptr; };
    return {move(luma), move(red), move(green), move(blue), move(alpha)};
  }
};

/// Splits n pixels of `channels` (2 to 4) interleaved bytes into planes, in order; reads those bytes only.
using SplitFunction = void (*)(const std::uint8_t* pixels, std::size_t n, int channels, const LumaFormula& formula,
                               const Planes& planes);

/// Plain C++, for every CPU.
void split_portable(const std::uint8_t* pixels, std::size_t n, int channels, const LumaFormula& formula,
                    const Planes& planes);
/// Null where this CPU, or this build, has no AVX2.
SplitFunction avx2_split();
/// The fastest that this CPU runs.
SplitFunction best_split();

}  // namespace gpuhisto::count
