// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "count/split.hpp"

namespace gpuhisto::count {
namespace {

// A loop each, with nothing to decide inside, so that compilers vectorise what their CPU allows.

void split_luma(const std::uint8_t* pixels, std::size_t n, std::size_t step, const LumaFormula& formula,
                std::uint8_t* luma) {
  const LumaFormula f = formula;  // a copy: stores through a byte pointer could change the original
  if (f.kind == LumaKind::kWeighted) {
    const int half = 1 << (f.shift - 1);
    for (std::size_t i = 0; i < n; ++i, pixels += step)
      luma[i] =
          static_cast<std::uint8_t>((f.red * pixels[0] + f.green * pixels[1] + f.blue * pixels[2] + half) >> f.shift);
    return;
  }
  for (std::size_t i = 0; i < n; ++i, pixels += step) luma[i] = luma_value(f, pixels[0], pixels[1], pixels[2]);
}

void pick(const std::uint8_t* pixels, std::size_t n, std::size_t step, std::uint8_t* plane) {
  for (std::size_t i = 0; i < n; ++i) plane[i] = pixels[i * step];
}

}  // namespace

void split_portable(const std::uint8_t* pixels, std::size_t n, int channels, const LumaFormula& formula,
                    const Planes& planes) {
  const auto step = static_cast<std::size_t>(channels);
  const bool color = channels >= 3;
  if (planes.luma && color) split_luma(pixels, n, step, formula, planes.luma);
  if (planes.luma && !color) pick(pixels, n, step, planes.luma);
  if (planes.red && color) {
    pick(pixels, n, step, planes.red);
    pick(pixels + 1, n, step, planes.green);
    pick(pixels + 2, n, step, planes.blue);
  }
  if (planes.alpha) pick(pixels + step - 1, n, step, planes.alpha);
}

SplitFunction best_split() {
  static const SplitFunction best = avx2_split() ? avx2_split() : &split_portable;
  return best;
}

}  // namespace gpuhisto::count
