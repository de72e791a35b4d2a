// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/png_small.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "codecs/byte_fields.hpp"
#include "codecs/png_chunks.hpp"
#include "codecs/png_unfilter.hpp"
#include "metadata/limits.hpp"

namespace gpuhisto {
namespace {

constexpr std::size_t kMostFileBytes = 1024 * 1024;
constexpr std::size_t kMostFilteredBytes = 4 * 1024 * 1024;
constexpr std::size_t kInflateBytes = 16 * 1024;  // a libdeflate_decompressor

constexpr std::size_t kHeaderBytes = 13;
constexpr std::size_t kChunkExtraBytes = 12;  // length, type, checksum

using Bytes = std::span<const std::uint8_t>;

/// Chunks that say nothing about the pixels, wherever they are. Those of animations are not among them.
constexpr std::array kPassedOver = {png_chunk_type("tEXt"), png_chunk_type("zTXt"), png_chunk_type("iTXt"),
                                    png_chunk_type("pHYs"), png_chunk_type("gAMA"), png_chunk_type("cHRM"),
                                    png_chunk_type("sRGB"), png_chunk_type("iCCP"), png_chunk_type("bKGD"),
                                    png_chunk_type("tIME"), png_chunk_type("eXIf"), png_chunk_type("sBIT")};

/// Samples a pixel by colour type; 0: a type with a palette, or none.
int channels_of_type(unsigned type) {
  switch (type) {
    case 0:
      return 1;
    case 2:
      return 3;
    case 4:
      return 2;
    case 6:
      return 4;
    default:
      return 0;
  }
}

struct Layout {
  std::uint64_t width = 0, height = 0;
  int channels = 0;
  Bytes pixels;  ///< the zlib stream, in `joined` unless one chunk has all of it
  std::vector<std::uint8_t> joined;
  PngChunks chunks;

  std::uint64_t row_bytes() const { return width * static_cast<unsigned>(channels); }
  std::uint64_t filtered_bytes() const { return height * (row_bytes() + 1); }
};

bool has_signature(Bytes file) {
  return file.size() >= kPngSignature.size() && std::equal(kPngSignature.begin(), kPngSignature.end(), file.begin());
}

/// The payload of IHDR, in full.
bool read_header(Bytes header, Layout& layout) {
  layout.width = u32be(header, 0);
  layout.height = u32be(header, 4);
  layout.channels = channels_of_type(header[9]);
  const bool plain = header[8] == 8 && header[10] == 0 && header[11] == 0 && header[12] == 0;
  if (!plain || layout.channels == 0 || layout.width == 0 || layout.height == 0) return false;
  return layout.width <= kMostFilteredBytes && layout.height <= kMostFilteredBytes &&
         layout.filtered_bytes() <= kMostFilteredBytes;
}

/// Adds a chunk of pixels. The stream may lie in several, one behind the other.
void add_pixels(Bytes payload, Layout& layout) {
  if (layout.pixels.empty()) {
    layout.pixels = payload;
    return;
  }
  if (layout.joined.empty()) layout.joined.assign(layout.pixels.begin(), layout.pixels.end());
  layout.joined.insert(layout.joined.end(), payload.begin(), payload.end());
  layout.pixels = layout.joined;
}

/// Whether `file` is whole and keeps the rules, checksums included, down to its last byte.
bool read_chunks(Bytes file, Layout& layout) {
  constexpr std::uint32_t kHeader = png_chunk_type("IHDR"), kPixels = png_chunk_type("IDAT"),
                          kEnd = png_chunk_type("IEND");
  std::uint32_t before = 0;
  for (Bytes rest = file.subspan(kPngSignature.size()); rest.size() >= kChunkExtraBytes;) {
    const std::size_t length = u32be(rest, 0);
    const std::uint32_t type = u32be(rest, 4);
    if (length > rest.size() - kChunkExtraBytes) return false;
    const Bytes payload = rest.subspan(8, length);
    if (libdeflate_crc32(0, rest.data() + 4, length + 4) != u32be(rest, length + 8)) return false;
    rest = rest.subspan(length + kChunkExtraBytes);

    if (before == 0) {
      if (type != kHeader || length != kHeaderBytes || !read_header(payload, layout)) return false;
    } else if (type == kPixels) {
      if (length == 0 || (!layout.pixels.empty() && before != kPixels)) return false;
      add_pixels(payload, layout);
    } else if (type == kEnd) {
      return length == 0 && rest.empty() && !layout.pixels.empty();
    } else if (std::find(kPassedOver.begin(), kPassedOver.end(), type) == kPassedOver.end()) {
      return false;
    }
    before = type;
  }
  return false;
}

/// libdeflate does not hold a stream to the window that its first byte promises; zlib does.
bool window_is_wide_enough(Bytes stream, std::size_t inflated) {
  constexpr unsigned kWidest = 7;
  const unsigned window = stream[0] >> 4;
  return window == kWidest || (window < kWidest && inflated <= std::size_t{256} << window);
}

/// Exactly `inflated` bytes from all of `stream`, with slack behind them, or nothing.
std::vector<std::uint8_t> inflate(Bytes stream, std::size_t inflated) {
  if (!window_is_wide_enough(stream, inflated)) return {};
  const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> decompressor(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  if (!decompressor) return {};
  std::vector<std::uint8_t> bytes(inflated + kPngSlack);
  std::size_t used = 0;
  const libdeflate_result result = libdeflate_zlib_decompress_ex(decompressor.get(), stream.data(), stream.size(),
                                                                 bytes.data(), inflated, &used, nullptr);
  if (result != LIBDEFLATE_SUCCESS || used != stream.size()) return {};
  return bytes;
}

class SmallPngDecoder : public Decoder {
 public:
  SmallPngDecoder(Layout& layout, std::vector<std::uint8_t> filtered, std::uint64_t memory)
      : filtered_(std::move(filtered)),
        row_bytes_(static_cast<std::size_t>(layout.row_bytes())),
        above_(row_bytes_ + kPngSlack) {
    info_.format = Format::kPng;
    info_.width = layout.width;
    info_.height = layout.height;
    info_.channels = layout.channels;
    info_.orientation = layout.chunks.orientation;
    info_.memory = memory;
    metadata_ = layout.chunks.take_kept();
  }

  /// Undoes the filters on the way, in place.
  std::size_t read_rows(std::uint8_t* rows, std::size_t row_bytes, std::size_t count) override {
    const std::size_t n = std::min(count, static_cast<std::size_t>(info_.height) - row_);
    for (std::size_t i = 0; i < n; ++i, ++row_) {
      while (unfiltered_ <= row_) unfilter_next();
      std::memcpy(rows + i * row_bytes, filter(row_) + 1, row_bytes_);
    }
    return n;
  }

 private:
  std::uint8_t* filter(std::size_t row) { return filtered_.data() + row * (row_bytes_ + 1); }

  /// One row, or two.
  void unfilter_next() {
    std::uint8_t* const next = filter(unfiltered_);
    std::uint8_t* const second = unfiltered_ + 1 < info_.height ? next + row_bytes_ + 1 : nullptr;
    const std::uint8_t* const above = unfiltered_ > 0 ? next - row_bytes_ : above_.data();
    const auto channels = static_cast<std::size_t>(info_.channels);
    if (second && *next == kPngPaeth && *second == kPngPaeth) {
      png_unfilter_paeth_pair(next + 1, second + 1, above, row_bytes_, channels);
      unfiltered_ += 2;
    } else {
      // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): filtered_ holds every row
      png_unfilter(*next, next + 1, above, row_bytes_, channels);
      ++unfiltered_;
    }
  }

  std::vector<std::uint8_t> filtered_;  // each row behind the byte that names its filter
  std::size_t row_bytes_, row_ = 0, unfiltered_ = 0;
  std::vector<std::uint8_t> above_;  // the first row
};

}  // namespace

std::unique_ptr<Decoder> open_small_png(ByteSource& source, const DecodeOptions& options) {
  const Bytes file = source.peek_rest(kMostFileBytes);
  Layout layout;
  if (!has_signature(file) || !read_chunks(file, layout)) return nullptr;
  const auto inflated = static_cast<std::size_t>(layout.filtered_bytes());
  const std::uint64_t memory = std::max(file.size(), 2 * ByteSource::kPeekLimit) + layout.joined.size() +
                               kInflateBytes + inflated + layout.row_bytes();
  if (layout.height > options.max_pixels / layout.width || memory > options.max_memory) return nullptr;

  std::vector<std::uint8_t> filtered = inflate(layout.pixels, inflated);
  if (filtered.empty()) return nullptr;
  const std::size_t stride = static_cast<std::size_t>(layout.row_bytes()) + 1;
  for (std::size_t at = 0; at < inflated; at += stride)
    if (filtered[at] >= kPngFilters) return nullptr;
  layout.chunks = PngChunks(metadata_limit(options));
  layout.chunks.feed(file);
  source.consume(file.size());
  return std::make_unique<SmallPngDecoder>(layout, std::move(filtered), memory);
}

}  // namespace gpuhisto
