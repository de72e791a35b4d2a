// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "gpuhisto/pattern.hpp"

#ifdef GPUHISTO_BENCH_JPEG
#include <jpeglib.h>
#endif

namespace gpuhisto {

/// The pixels of the JPEG that GPUHISTO_BENCH_PHOTO names, repeated to fill `n` bytes; a pattern where there is none.
inline std::vector<std::uint8_t> photo(std::size_t n, int channels) {
  std::vector<std::uint8_t> pixels(n);
  std::size_t have = 0;
#ifdef GPUHISTO_BENCH_JPEG
  const char* name = std::getenv("GPUHISTO_BENCH_PHOTO");
  if (std::FILE* file = name ? std::fopen(name, "rb") : nullptr) {
    jpeg_decompress_struct jpeg;
    jpeg_error_mgr errors;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&jpeg);
    jpeg_stdio_src(&jpeg, file);
    jpeg_read_header(&jpeg, TRUE);
    jpeg.out_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_start_decompress(&jpeg);
    std::vector<std::uint8_t> row(std::size_t{jpeg.output_width} * static_cast<std::size_t>(channels));
    while (jpeg.output_scanline < jpeg.output_height) {
      std::uint8_t* rows[] = {row.data()};
      jpeg_read_scanlines(&jpeg, rows, 1);
      const std::size_t part = std::min(row.size(), n - have);
      std::copy_n(row.begin(), part, pixels.begin() + static_cast<std::ptrdiff_t>(have));
      have += part;
    }
    jpeg_destroy_decompress(&jpeg);
    std::fclose(file);
  }
#endif
  if (have == 0) fill_pattern(pixels.data(), n, {Pattern::kPhoto, 1}, 7);
  for (std::size_t i = have; have > 0 && i < n; ++i) pixels[i] = pixels[i - have];
  return pixels;
}

}  // namespace gpuhisto
