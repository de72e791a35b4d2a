// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// decode_only FILES...: decodes JPEG files to RGB with libjpeg's defaults, a strip of rows at a time, and nothing else:
// the time below which no tool that reads pixels on one thread can come.
#include <cstdio>
// jpeglib.h needs <cstdio> before it.
#include <jpeglib.h>

#include <cstdint>
#include <vector>

namespace {

constexpr JDIMENSION kStripRows = 16;

bool decode(const char* name, std::uint64_t& pixels) {
  std::FILE* file = std::fopen(name, "rb");
  if (file == nullptr) return false;
  jpeg_decompress_struct decoder;
  jpeg_error_mgr errors;  // the default one ends the program on damage
  decoder.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&decoder);
  jpeg_stdio_src(&decoder, file);
  jpeg_read_header(&decoder, TRUE);
  decoder.out_color_space = JCS_RGB;
  jpeg_start_decompress(&decoder);
  const std::size_t row_bytes = std::size_t{decoder.output_width} * 3;
  std::vector<JSAMPLE> strip(row_bytes * kStripRows);
  std::vector<JSAMPROW> rows(kStripRows);
  for (std::size_t y = 0; y < kStripRows; ++y) rows[y] = strip.data() + y * row_bytes;
  while (decoder.output_scanline < decoder.output_height) {
    JDIMENSION filled = 0;
    while (filled < kStripRows && decoder.output_scanline < decoder.output_height)
      filled += jpeg_read_scanlines(&decoder, rows.data() + filled, kStripRows - filled);
  }
  pixels += std::uint64_t{decoder.output_width} * decoder.output_height;
  jpeg_finish_decompress(&decoder);
  jpeg_destroy_decompress(&decoder);
  std::fclose(file);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t pixels = 0;
  for (int i = 1; i < argc; ++i) {
    if (decode(argv[i], pixels)) continue;
    std::fprintf(stderr, "decode_only: cannot open %s\n", argv[i]);
    return 1;
  }
  std::printf("%llu pixels\n", static_cast<unsigned long long>(pixels));
  return 0;
}
