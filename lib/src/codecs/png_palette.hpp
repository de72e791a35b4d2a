// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <png.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace gpuhisto {

/// Turns palette indices into colours. Done here and not by libpng, whose check misses the first index beyond the
/// palette.
class PngPalette {
 public:
  /// After the header has been read. A palette may be shorter than the indices are wide.
  void load(png_structp png, png_infop info);
  bool has_alpha() const { return has_alpha_; }
  /// Writes 4 bytes a pixel with alpha, else 3. `indices` has one byte a pixel.
  void expand(const std::uint8_t* indices, std::uint8_t* to, std::size_t pixels);
  /// An index beyond the palette was seen; it became opaque black, as everywhere.
  bool exceeded() const { return highest_ >= size_; }

 private:
  using Color = std::array<std::uint8_t, 4>;

  std::array<Color, 256> colors_;
  int size_ = 256, highest_ = 0;
  bool has_alpha_ = false;
};

}  // namespace gpuhisto
