// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Windows bitmap with a BITMAPINFOHEADER: 8 bits with a gray palette, or 24 bits; rows from bottom to top.
#include <algorithm>
#include <cstring>
#include <vector>

#include "encode/encoders.hpp"
#include "gpuhisto/error.hpp"
#include "metadata/resolution.hpp"

namespace gpuhisto {
namespace {

constexpr std::size_t kHeaderBytes = 14 + 40;
constexpr std::size_t kPaletteBytes = 256 * 4;
constexpr std::uint64_t kMaxSide = 0x7fffffff;         // sides are signed 32-bit
constexpr std::uint64_t kMaxFile = 0xffffffff;         // the file's size is unsigned 32-bit
constexpr PerMetre kDefaultResolution = {2835, 2835};  // 72 dpi

class LittleEndian {
 public:
  void put(std::uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

void write_header(const ImageView& image, std::uint64_t pixel_bytes, PerMetre resolution, ByteSink& sink) {
  const bool gray = image.channels == 1;
  const auto offset = static_cast<std::uint32_t>(kHeaderBytes + (gray ? kPaletteBytes : 0));
  LittleEndian out;
  out.put(0x4d42, 2);  // "BM"
  out.put(static_cast<std::uint32_t>(offset + pixel_bytes), 4);
  out.put(0, 4);
  out.put(offset, 4);
  out.put(40, 4);
  out.put(static_cast<std::uint32_t>(image.width), 4);
  out.put(static_cast<std::uint32_t>(image.height), 4);
  out.put(1, 2);
  out.put(gray ? 8 : 24, 2);
  out.put(0, 4);  // not compressed
  out.put(static_cast<std::uint32_t>(pixel_bytes), 4);
  out.put(resolution.x, 4);
  out.put(resolution.y, 4);
  out.put(gray ? 256 : 0, 4);
  out.put(0, 4);
  for (std::uint32_t v = 0; gray && v < 256; ++v) out.put(v * 0x010101u, 4);
  sink.write(out.bytes().data(), out.bytes().size());
}

void convert_row(const ImageView& image, std::size_t y, std::uint8_t* to) {
  const std::uint8_t* from = image.row(y);
  if (image.channels == 1) {
    std::memcpy(to, from, image.width);
    return;
  }
  for (std::size_t x = 0; x < image.width; ++x) {
    to[3 * x] = from[3 * x + 2];
    to[3 * x + 1] = from[3 * x + 1];
    to[3 * x + 2] = from[3 * x];
  }
}

}  // namespace

void encode_bmp(const ImageView& image, const EncodeOptions& options, ByteSink& sink) {
  if (image.width > kMaxSide || image.height > kMaxSide)
    throw Error(ErrorKind::kUnsupported, "a side of a BMP has at most 2147483647 pixels; PNM allows more");
  const std::uint64_t stride = (std::uint64_t{image.width} * static_cast<std::uint64_t>(image.channels) + 3) / 4 * 4;
  if (stride > (kMaxFile - kHeaderBytes - kPaletteBytes) / image.height)
    throw Error(ErrorKind::kUnsupported, "a BMP has at most 4294967295 bytes; PNG and PNM may be larger");
  const std::optional<Resolution>& resolution = options.metadata.resolution;
  write_header(image, stride * image.height,
               resolution ? per_metre(*resolution).value_or(kDefaultResolution) : kDefaultResolution, sink);

  constexpr std::size_t kBufferBytes = 256 * 1024;
  const auto row_bytes = static_cast<std::size_t>(stride);
  const std::size_t rows = std::max<std::size_t>(1, kBufferBytes / row_bytes);
  std::vector<std::uint8_t> buffer(rows * row_bytes);  // zeros, so the padding stays 0
  std::size_t used = 0;
  for (std::size_t y = image.height; y-- > 0;) {
    convert_row(image, y, buffer.data() + used * row_bytes);
    if (++used < rows && y > 0) continue;
    sink.write(buffer.data(), used * row_bytes);
    used = 0;
  }
}

}  // namespace gpuhisto
