// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// What encode() writes is read back by libpng, which treats every complaint as an error here, and by zlib.
#include <gtest/gtest.h>
#include <png.h>
#include <zlib.h>

#include "encode/png_filter.hpp"
#include "pictures.hpp"

namespace gpuhisto::test {
namespace {

struct Decoded {
  std::vector<std::uint8_t> pixels;
  std::size_t width = 0, height = 0;
  int channels = 0;
};

struct Input {
  const std::vector<std::uint8_t>& bytes;
  std::size_t at = 0;
};

void read_from(png_structp png, png_bytep to, std::size_t count) {
  auto& input = *static_cast<Input*>(png_get_io_ptr(png));
  if (count > input.bytes.size() - input.at) png_error(png, "truncated");
  std::memcpy(to, input.bytes.data() + input.at, count);
  input.at += count;
}

Decoded decode_strictly(const std::vector<std::uint8_t>& bytes) {
  const auto fail = [](png_structp, png_const_charp text) { throw std::runtime_error(text); };
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, fail, fail);
  png_infop info = png_create_info_struct(png);
  struct Guard {
    png_structp* png;
    png_infop* info;
    ~Guard() { png_destroy_read_struct(png, info, nullptr); }
  } guard{&png, &info};
  Input input{bytes};
  png_set_read_fn(png, &input, read_from);
  png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_read_info(png, info);
  EXPECT_EQ(png_get_bit_depth(png, info), 8);
  EXPECT_EQ(png_get_interlace_type(png, info), PNG_INTERLACE_NONE);
  Decoded out{{}, png_get_image_width(png, info), png_get_image_height(png, info), png_get_channels(png, info)};
  const std::size_t row_bytes = png_get_rowbytes(png, info);
  out.pixels.resize(row_bytes * out.height);
  for (std::size_t y = 0; y < out.height; ++y) png_read_row(png, out.pixels.data() + y * row_bytes, nullptr);
  png_read_end(png, nullptr);
  EXPECT_EQ(input.at, bytes.size()) << "bytes behind IEND";
  return out;
}

void expect_round_trip(const Picture& picture, int threads) {
  SCOPED_TRACE(testing::Message() << picture.width << "x" << picture.height << "x" << picture.channels << ", "
                                  << threads << " threads");
  EncodeOptions options;
  options.threads = threads;
  const Decoded decoded = decode_strictly(encode_to_memory(picture, Format::kPng, options));
  ASSERT_EQ(decoded.width, picture.width);
  ASSERT_EQ(decoded.height, picture.height);
  ASSERT_EQ(decoded.channels, picture.channels);
  ASSERT_TRUE(decoded.pixels == picture.packed());
}

TEST(PngWrite, EverySmallSizeAndPattern) {
  for (const std::size_t width : {1u, 2u, 3u, 5u, 16u, 17u, 31u, 64u, 255u, 257u})
    for (const std::size_t height : {1u, 2u, 3u, 9u, 64u})
      for (int channels = 1; channels <= 4; ++channels)
        for (const Pattern pattern : kPatterns)
          expect_round_trip(make_picture(pattern, width, height, channels, width % 4), 2);
}

TEST(PngWrite, LargerThanOneStrip) {
  for (int channels = 1; channels <= 4; ++channels) {
    for (const Pattern pattern : kPatterns) expect_round_trip(make_picture(pattern, 701, 501, channels, 5), 3);
    for (const auto& [width, height] : {std::pair{1u, 140000u}, {140000u, 2u}, {300001u, 1u}, {3u, 70001u}})
      expect_round_trip(make_picture(height % 2 ? Pattern::kPhoto : Pattern::kTiles, width, height, channels), 3);
  }
}

// The block types change between strips: quiet, noisy and constant parts in one stream.
TEST(PngWrite, MixedParts) {
  for (int channels = 1; channels <= 4; ++channels) {
    Picture picture = make_picture(Pattern::kPhoto, 640, 900, channels);
    const Picture noise = make_picture(Pattern::kNoise, 640, 300, channels);
    std::memcpy(picture.bytes.data(), noise.bytes.data(), noise.bytes.size());
    std::memset(picture.bytes.data() + 600 * picture.row_bytes, 9, 200 * picture.row_bytes);
    expect_round_trip(picture, 2);
  }
}

TEST(PngWrite, SameBytesForAnyNumberOfThreads) {
  for (const Pattern pattern : {Pattern::kPhoto, Pattern::kSparse}) {
    const Picture picture = make_picture(pattern, 1500, 1100, 3);
    EncodeOptions options;
    const auto one = encode_to_memory(picture, Format::kPng, options);
    for (options.threads = 2; options.threads <= 8; ++options.threads)
      EXPECT_TRUE(encode_to_memory(picture, Format::kPng, options) == one) << options.threads;
    options.threads = 0;
    EXPECT_TRUE(encode_to_memory(picture, Format::kPng, options) == one);
  }
}

TEST(PngWrite, FailingSinkStopsAllThreads) {
  const Picture picture = make_picture(Pattern::kNoise, 1500, 1100, 3);
  for (int threads = 1; threads <= 8; ++threads)
    for (const std::size_t room : {0u, 10u, 60u, 300000u, 2000000u}) {
      FullSink sink(room);
      EncodeOptions options;
      options.threads = threads;
      const Error error = catch_error([&] { encode(picture.view(), Format::kPng, options, sink); });
      EXPECT_EQ(error.kind(), ErrorKind::kIo);
      EXPECT_STREQ(error.what(), "no space left on device");
    }
}

TEST(PngWrite, RefusesTooLongSides) {
  const std::uint8_t pixel = 0;
  const ImageView view{&pixel, std::size_t{1} << 31, 1, 1, std::size_t{1} << 31};
  MemorySink sink;
  const Error error = catch_error([&] { encode(view, Format::kPng, {}, sink); });
  EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
  EXPECT_NE(std::string(error.what()).find("2147483647"), std::string::npos);
  EXPECT_TRUE(sink.bytes.empty());
}

// RFC 2083, section 6, byte by byte.
int predict(PngFilter filter, int left, int up, int corner) {
  const int p = left + up - corner, a = std::abs(p - left), b = std::abs(p - up), c = std::abs(p - corner);
  switch (filter) {
    case PngFilter::kNone:
      return 0;
    case PngFilter::kSub:
      return left;
    case PngFilter::kUp:
      return up;
    case PngFilter::kAverage:
      return (left + up) / 2;
    case PngFilter::kPaeth:
      return a <= b && a <= c ? left : b <= c ? up : corner;
  }
  return 0;
}

TEST(PngFilter, EqualsTheDefinition) {
  for (const PngFilter filter :
       {PngFilter::kNone, PngFilter::kSub, PngFilter::kUp, PngFilter::kAverage, PngFilter::kPaeth})
    for (std::size_t pixel = 1; pixel <= 4; ++pixel)
      for (std::size_t width = 1; width <= 200; ++width) {
        const Picture rows = make_picture(Pattern::kNoise, width, 2, static_cast<int>(pixel));
        const std::uint8_t *above = rows.view().row(0), *row = rows.view().row(1);
        std::vector<std::uint8_t> out(width * pixel + 1, 0xA5);
        apply_filter(filter, {row, above, width * pixel, pixel}, out.data());
        for (std::size_t i = 0; i < width * pixel; ++i) {
          const bool first = i < pixel;
          const int expected =
              row[i] - predict(filter, first ? 0 : row[i - pixel], above[i], first ? 0 : above[i - pixel]);
          ASSERT_EQ(out[i], static_cast<std::uint8_t>(expected))
              << static_cast<int>(filter) << " " << width << " " << i;
        }
        ASSERT_EQ(out.back(), 0xA5);
      }
}

// All 2^24 neighbourhoods.
TEST(PngFilter, PaethExhaustively) {
  std::vector<std::uint8_t> above(2 * 65536), row(2 * 65536), out(2 * 65536);
  for (int corner = 0; corner < 256; ++corner) {
    for (std::size_t i = 0; i < 65536; ++i) {
      above[2 * i] = static_cast<std::uint8_t>(corner);
      above[2 * i + 1] = static_cast<std::uint8_t>(i);
      row[2 * i] = static_cast<std::uint8_t>(i >> 8);
      row[2 * i + 1] = 0;
    }
    apply_filter(PngFilter::kPaeth, {row.data(), above.data(), row.size(), 1}, out.data());
    for (std::size_t i = 0; i < 65536; ++i)
      ASSERT_EQ(out[2 * i + 1],
                static_cast<std::uint8_t>(-predict(PngFilter::kPaeth, row[2 * i], above[2 * i + 1], corner)));
  }
}

}  // namespace
}  // namespace gpuhisto::test
