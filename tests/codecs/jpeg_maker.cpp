// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/jpeg_maker.hpp"

#include <cmath>
#include <random>

namespace gpuhisto::testing {
namespace {

Bytes pixels_of(const JpegWish& wish, int components) {
  std::mt19937 random(7);
  Bytes pixels;
  for (int y = 0; y < wish.height; ++y)
    for (int x = 0; x < wish.width; ++x)
      for (int c = 0; c < components; ++c) {
        if (wish.level) {
          pixels.push_back(static_cast<std::uint8_t>(wish.level(x, y)));
          continue;
        }
        const double wave = 128 + 90 * std::sin(0.21 * x + c) * std::cos(0.17 * y - c);
        const int noise =
            wish.flat || y >= wish.flat_from ? -static_cast<int>(wave) + 99 : static_cast<int>(random() % 31);
        pixels.push_back(static_cast<std::uint8_t>(static_cast<int>(wave) + noise));
      }
  return pixels;
}

void set_up(jpeg_compress_struct& codec, const JpegWish& wish) {
  codec.image_width = static_cast<JDIMENSION>(wish.width);
  codec.image_height = static_cast<JDIMENSION>(wish.height);
  codec.input_components = wish.input == JCS_GRAYSCALE ? 1 : wish.input == JCS_CMYK ? 4 : 3;
  codec.in_color_space = wish.input;
  jpeg_set_defaults(&codec);
  jpeg_set_colorspace(&codec, wish.stored);
  jpeg_set_quality(&codec, wish.quality, TRUE);
  if (!wish.adobe) codec.write_Adobe_marker = FALSE;
  codec.comp_info[0].h_samp_factor = wish.horizontal;
  codec.comp_info[0].v_samp_factor = wish.vertical;
  codec.restart_in_rows = wish.restart_rows;
  codec.arith_code = wish.arithmetic ? TRUE : FALSE;
  if (wish.progressive) jpeg_simple_progression(&codec);
  if (wish.scans.empty()) return;
  codec.scan_info = wish.scans.data();
  codec.num_scans = static_cast<int>(wish.scans.size());
}

}  // namespace

Bytes make_jpeg(const JpegWish& wish) {
  jpeg_compress_struct codec{};
  jpeg_error_mgr errors{};
  codec.err = jpeg_std_error(&errors);
  jpeg_create_compress(&codec);
  unsigned char* out = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&codec, &out, &size);
  set_up(codec, wish);
  jpeg_start_compress(&codec, TRUE);
  for (const Bytes& s : wish.segments)
    jpeg_write_marker(&codec, s[0], s.data() + 1, static_cast<unsigned>(s.size() - 1));
  Bytes pixels = pixels_of(wish, codec.input_components);
  const auto row_bytes = static_cast<std::size_t>(wish.width * codec.input_components);
  while (codec.next_scanline < codec.image_height) {
    JSAMPROW row = pixels.data() + codec.next_scanline * row_bytes;
    jpeg_write_scanlines(&codec, &row, 1);
  }
  jpeg_finish_compress(&codec);
  Bytes file(out, out + size);
  jpeg_destroy_compress(&codec);
  std::free(out);
  return file;
}

Bytes plain_libjpeg(const Bytes& file) {
  jpeg_decompress_struct codec{};
  jpeg_error_mgr errors{};
  codec.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&codec);
  jpeg_mem_src(&codec, file.data(), static_cast<unsigned long>(file.size()));
  jpeg_read_header(&codec, TRUE);
  jpeg_start_decompress(&codec);
  const auto row_bytes =
      static_cast<std::size_t>(codec.output_width) * static_cast<std::size_t>(codec.output_components);
  Bytes pixels(row_bytes * codec.output_height);
  while (codec.output_scanline < codec.output_height) {
    JSAMPROW row = pixels.data() + codec.output_scanline * row_bytes;
    jpeg_read_scanlines(&codec, &row, 1);
  }
  jpeg_finish_decompress(&codec);
  jpeg_destroy_decompress(&codec);
  return pixels;
}

}  // namespace gpuhisto::testing
