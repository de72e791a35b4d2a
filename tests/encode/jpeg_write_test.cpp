// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include <cstdio>
// jpeglib.h needs cstdio's FILE first.
#include <jpeglib.h>

#include "pictures.hpp"

namespace gpuhisto::test {
namespace {

struct Jpeg {
  std::vector<std::uint8_t> pixels;
  std::size_t width = 0, height = 0;
  int channels = 0, horizontal = 0, vertical = 0;
  std::vector<std::uint8_t> exif;
};

// Every complaint of libjpeg is an error here.
Jpeg decode(const std::vector<std::uint8_t>& bytes) {
  jpeg_decompress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  const auto fail = [](j_common_ptr common) {
    char text[JMSG_LENGTH_MAX];
    common->err->format_message(common, text);
    throw std::runtime_error(text);
  };
  errors.error_exit = fail;
  errors.emit_message = [](j_common_ptr common, int level) {
    if (level < 0) common->err->error_exit(common);
  };
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, bytes.data(), bytes.size());
  jpeg_save_markers(&info, JPEG_APP0 + 1, 0xffff);
  jpeg_read_header(&info, TRUE);
  Jpeg out;
  out.horizontal = info.comp_info[0].h_samp_factor;
  out.vertical = info.comp_info[0].v_samp_factor;
  if (info.marker_list) out.exif.assign(info.marker_list->data, info.marker_list->data + info.marker_list->data_length);
  jpeg_start_decompress(&info);
  out.width = info.output_width;
  out.height = info.output_height;
  out.channels = info.output_components;
  const std::size_t row_bytes = out.width * static_cast<std::size_t>(out.channels);
  out.pixels.resize(row_bytes * out.height);
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = out.pixels.data() + row_bytes * info.output_scanline;
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return out;
}

double mean_difference(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

TEST(JpegWrite, EverySize) {
  for (const std::size_t width : {1u, 2u, 7u, 8u, 9u, 17u, 255u, 1000u})
    for (const std::size_t height : {1u, 2u, 8u, 9u, 65u})
      for (const int channels : {1, 3}) {
        const Picture picture = make_picture(Pattern::kPhoto, width, height, channels, 3);
        EncodeOptions options;
        options.quality = 98;
        const Jpeg jpeg = decode(encode_to_memory(picture, Format::kJpeg, options));
        ASSERT_EQ(jpeg.width, width);
        ASSERT_EQ(jpeg.height, height);
        ASSERT_EQ(jpeg.channels, channels);
        EXPECT_LT(mean_difference(jpeg.pixels, picture.packed()), 3.0) << width << "x" << height << "x" << channels;
        EXPECT_TRUE(jpeg.exif.empty());
      }
}

TEST(JpegWrite, ConstantColorSurvives) {
  const Picture picture = make_picture(Pattern::kConstant, 50, 40, 3);
  EXPECT_LT(mean_difference(decode(encode_to_memory(picture, Format::kJpeg)).pixels, picture.packed()), 1.5);
}

TEST(JpegWrite, QualityOrdersSizes) {
  const Picture picture = make_picture(Pattern::kPhoto, 300, 200, 3);
  std::size_t last = 0;
  for (const int quality : {1, 30, 60, 92, 100}) {
    EncodeOptions options;
    options.quality = quality;
    const std::size_t size = encode_to_memory(picture, Format::kJpeg, options).size();
    EXPECT_GT(size, last);
    last = size;
  }
}

TEST(JpegWrite, Subsampling) {
  const Picture picture = make_picture(Pattern::kPhoto, 123, 77, 3);
  EXPECT_EQ(decode(encode_to_memory(picture, Format::kJpeg)).horizontal, 1);  // 4:4:4 unless asked
  for (const auto& [h, v] : {std::pair{1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}, {4, 2}, {2, 4}, {1, 4}, {3, 1}}) {
    EncodeOptions options;
    options.subsampling = {h, v};
    const Jpeg jpeg = decode(encode_to_memory(picture, Format::kJpeg, options));
    EXPECT_EQ(jpeg.horizontal, h);
    EXPECT_EQ(jpeg.vertical, v);
    EXPECT_LT(mean_difference(jpeg.pixels, picture.packed()), 6.0) << h << "x" << v;
  }
}

TEST(JpegWrite, Refusals) {
  const std::uint8_t pixel = 0;
  for (const ImageView view : {ImageView{&pixel, 65501, 1, 1, 0}, ImageView{&pixel, 1, 65501, 1, 0}}) {
    MemorySink sink;
    const Error error = catch_error([&] { encode(view, Format::kJpeg, {}, sink); });
    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
    EXPECT_NE(std::string(error.what()).find("65500"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("PNG"), std::string::npos);
    EXPECT_TRUE(sink.bytes.empty());
  }
  const Picture picture = make_picture(Pattern::kPhoto, 20, 10, 3);
  const auto refuse = [&](auto change) {
    EncodeOptions options;
    change(options);
    return catch_error([&] { encode_to_memory(picture, Format::kJpeg, options); }).kind() == ErrorKind::kUsage;
  };
  EXPECT_TRUE(refuse([](EncodeOptions& o) { o.quality = 0; }));
  EXPECT_TRUE(refuse([](EncodeOptions& o) { o.quality = 101; }));
  EXPECT_TRUE(refuse([](EncodeOptions& o) { o.metadata.icc.resize(255 * 65519 + 1); }));
  EXPECT_TRUE(refuse([](EncodeOptions& o) { o.subsampling = {0, 1}; }));
  EXPECT_TRUE(refuse([](EncodeOptions& o) { o.subsampling = {4, 4}; }));
}

TEST(JpegWrite, LongestSides) {
  EXPECT_EQ(decode(encode_to_memory(make_picture(Pattern::kRamp, 65500, 1, 1), Format::kJpeg)).width, 65500u);
  EXPECT_EQ(decode(encode_to_memory(make_picture(Pattern::kRamp, 1, 65500, 1), Format::kJpeg)).height, 65500u);
}

}  // namespace
}  // namespace gpuhisto::test
