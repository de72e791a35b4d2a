// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/png_palette.hpp"

#include <algorithm>
#include <cstring>

namespace gpuhisto {

void PngPalette::load(png_structp png, png_infop info) {
  png_colorp stored = nullptr;
  png_bytep alphas = nullptr;
  int alpha_count = 0;
  png_get_PLTE(png, info, &stored, &size_);
  has_alpha_ = png_get_tRNS(png, info, &alphas, &alpha_count, nullptr) != 0;
  colors_.fill({0, 0, 0, 255});
  for (int i = 0; i < std::min(size_, 256); ++i) {
    const png_color& c = stored[i];
    const png_byte alpha = has_alpha_ && i < alpha_count ? alphas[i] : png_byte{255};
    colors_[static_cast<std::size_t>(i)] = {c.red, c.green, c.blue, alpha};
  }
}

void PngPalette::expand(const std::uint8_t* indices, std::uint8_t* to, std::size_t pixels) {
  if (size_ < 256) highest_ = std::max<int>(highest_, *std::max_element(indices, indices + pixels));
  const std::size_t bytes = has_alpha_ ? 4 : 3;
  // Four bytes are stored for three-byte pixels too; the next pixel covers the surplus, and the last one has none.
  for (std::size_t i = 0; i + 1 < pixels; ++i, to += bytes) std::memcpy(to, colors_[indices[i]].data(), 4);
  if (pixels > 0) std::memcpy(to, colors_[indices[pixels - 1]].data(), bytes);
}

}  // namespace gpuhisto
