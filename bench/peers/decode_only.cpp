// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// decode_only [-jN] FILES...: decodes JPEG files to RGB with libjpeg's defaults, a strip of rows at a time, and nothing
// else, on N threads (1 without -j) that each take the next file: the time below which no tool that reads pixels can
// come.
#include <cstdio>
// jpeglib.h needs <cstdio> before it.
#include <jpeglib.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <thread>
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
  const bool threaded = argc > 1 && std::strncmp(argv[1], "-j", 2) == 0;
  const int threads = threaded ? std::max(1, std::atoi(argv[1] + 2)) : 1;
  std::atomic<int> next{threaded ? 2 : 1};
  std::atomic<std::uint64_t> pixels{0};
  std::atomic<bool> good{true};
  const auto work = [&] {
    for (int i; (i = next++) < argc;) {
      std::uint64_t decoded = 0;
      if (!decode(argv[i], decoded)) {
        std::fprintf(stderr, "decode_only: cannot open %s\n", argv[i]);
        good = false;
      }
      pixels += decoded;
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  std::printf("%llu pixels\n", static_cast<unsigned long long>(pixels.load()));
  return good ? 0 : 1;
}
