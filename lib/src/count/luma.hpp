// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// No standard library beyond <cstdint>: a file compiled for a newer CPU includes this, and an inline function of the
// library compiled there could end up in code that an older CPU runs.
#pragma once

#include <cstdint>

namespace gpuhisto::count {

enum class LumaKind { kWeighted, kAverage, kMaximum };

/// A luma rule as numbers. kWeighted: (red R + green G + blue B + half) >> shift with half = 1 << (shift - 1), every
/// weight below 2^15 and their sum 1 << shift. kAverage: (R + G + B + 1) / 3. kMaximum: max(R, G, B).
struct LumaFormula {
  LumaKind kind;
  std::int16_t red, green, blue;
  int shift;
};

/// The one scalar definition; every vector path is compared with it.
constexpr std::uint8_t luma_value(const LumaFormula& f, int red, int green, int blue) {
  if (f.kind == LumaKind::kAverage) return static_cast<std::uint8_t>((red + green + blue + 1) / 3);
  if (f.kind == LumaKind::kMaximum) {
    const int larger = red > green ? red : green;
    return static_cast<std::uint8_t>(larger > blue ? larger : blue);
  }
  return static_cast<std::uint8_t>((f.red * red + f.green * green + f.blue * blue + (1 << (f.shift - 1))) >> f.shift);
}

}  // namespace gpuhisto::count
