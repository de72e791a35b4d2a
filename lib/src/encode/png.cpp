// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// PNG in strips: each is filtered and compressed on its own and becomes one IDAT chunk; the chunks together are one
// zlib stream. A strip's size depends on the image alone, so the bytes do not depend on the number of threads.
#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "codecs/byte_fields.hpp"
#include "encode/deflate_piece.hpp"
#include "encode/encoders.hpp"
#include "encode/png_chunk.hpp"
#include "encode/png_filter.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/parallel.hpp"

namespace gpuhisto {
namespace {

constexpr std::size_t kStripBytes = 256 * 1024;
constexpr std::uint64_t kMaxSide = 0x7fffffff;
constexpr std::array<std::uint8_t, 2> kZlibHeader = {0x78, 0x01};  // deflate, 32 KiB window, fastest
constexpr std::array<std::uint8_t, 2> kLastBlock = {0x03, 0x00};   // final, fixed codes, end of block

using Buffer = std::vector<std::uint8_t>;

Buffer make_head(const ImageView& image) {
  constexpr std::array<std::uint8_t, 4> kColorTypes = {0, 4, 2, 6};  // gray, gray+alpha, RGB, RGBA
  Buffer header;
  begin_png_chunk(header, png_chunk_type("IHDR"));
  put32be(header, static_cast<std::uint32_t>(image.width));
  put32be(header, static_cast<std::uint32_t>(image.height));
  header.insert(header.end(), {8, kColorTypes[static_cast<std::size_t>(image.channels - 1)], 0, 0, 0});
  end_png_chunk(header);
  header.insert(header.begin(), kPngSignature.begin(), kPngSignature.end());
  return header;
}

/// One strip's chunk and what the whole stream's checksum needs.
struct Strip {
  Buffer filtered, chunk;
  std::uint32_t adler = 1;
};

class PngWriter {
 public:
  PngWriter(const ImageView& image, const EncodeOptions& options, ByteSink& sink)
      : image_(image),
        options_(options),
        sink_(sink),
        row_bytes_(image.width * static_cast<std::size_t>(image.channels)),
        strip_rows_(std::max<std::size_t>(1, kStripBytes / (row_bytes_ + 1))),
        strips_((image.height - 1) / strip_rows_ + 1),
        zeros_(row_bytes_) {}

  void write() {
    send(make_head(image_));
    send(png_metadata_chunks(options_.metadata));
    if (strips_ == 1 && image_.height * (row_bytes_ + 1) <= PieceCompressor::kPieceBytes)
      write_small();
    else
      write_strips(options_.threads);
    Buffer end;
    begin_png_chunk(end, png_chunk_type("IEND"));
    end_png_chunk(end);
    send(end);
  }

 private:
  void send(const Buffer& bytes) { sink_.write(bytes.data(), bytes.size()); }

  void filter(std::size_t first, std::size_t count, Buffer& to) const {
    to.resize(count * (row_bytes_ + 1));
    const PngFilter filter = choose_filter(image_, first, count, zeros_.data());
    std::uint8_t* out = to.data();
    for (std::size_t y = first; y < first + count; ++y, out += row_bytes_) {
      const std::uint8_t* above = y == 0 ? zeros_.data() : image_.row(y - 1);
      *out++ = static_cast<std::uint8_t>(filter);
      apply_filter(filter, {image_.row(y), above, row_bytes_, static_cast<std::size_t>(image_.channels)}, out);
    }
  }

  void write_small() {
    Buffer filtered, chunk;
    filter(0, image_.height, filtered);
    const Buffer stream = compress_small(filtered);
    begin_png_chunk(chunk, png_chunk_type("IDAT"));
    chunk.insert(chunk.end(), stream.begin(), stream.end());
    end_png_chunk(chunk);
    send(chunk);
  }

  void write_strips(int threads) {
    const auto most = static_cast<int>(std::min<std::size_t>(strips_, 4096));
    const int workers = std::clamp(threads, 1, most);
    fork_join(static_cast<std::size_t>(workers), workers, [this](int, std::size_t, std::size_t) { work(); });
    Buffer last;
    begin_png_chunk(last, png_chunk_type("IDAT"));
    last.insert(last.end(), kLastBlock.begin(), kLastBlock.end());
    put32be(last, adler_);
    end_png_chunk(last);
    send(last);
  }

  // Takes strips until none is left. A worker holds one strip; it waits for its turn to write.
  void work() {
    try {
      PieceCompressor compressor;
      Strip strip;
      for (std::size_t i = next_++; i < strips_; i = next_++) {
        compress(i, compressor, strip);
        if (!write_in_turn(i, strip)) return;
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failed_ = true;
      turn_came_.notify_all();
      throw;
    }
  }

  void compress(std::size_t index, PieceCompressor& compressor, Strip& strip) const {
    const std::size_t first = index * strip_rows_;
    filter(first, std::min(strip_rows_, image_.height - first), strip.filtered);
    begin_png_chunk(strip.chunk, png_chunk_type("IDAT"));
    if (index == 0) strip.chunk.insert(strip.chunk.end(), kZlibHeader.begin(), kZlibHeader.end());
    compressor.append(strip.filtered, strip.chunk);
    end_png_chunk(strip.chunk);
    strip.adler = libdeflate_adler32(1, strip.filtered.data(), strip.filtered.size());
  }

  // False when another worker failed. The sink is called under the lock: by one thread at a time, in order.
  bool write_in_turn(std::size_t index, const Strip& strip) {
    std::unique_lock lock(mutex_);
    turn_came_.wait(lock, [&] { return failed_ || turn_ == index; });
    if (failed_) return false;
    send(strip.chunk);
    adler_ =
        static_cast<std::uint32_t>(adler32_combine(adler_, strip.adler, static_cast<z_off_t>(strip.filtered.size())));
    ++turn_;
    turn_came_.notify_all();
    return true;
  }

  const ImageView image_;
  const EncodeOptions& options_;
  ByteSink& sink_;
  const std::size_t row_bytes_, strip_rows_, strips_;
  const Buffer zeros_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::condition_variable turn_came_;
  std::size_t turn_ = 0;
  std::uint32_t adler_ = 1;
  bool failed_ = false;
};

}  // namespace

void encode_png(const ImageView& image, const EncodeOptions& options, ByteSink& sink) {
  if (image.width > kMaxSide || image.height > kMaxSide)
    throw Error(ErrorKind::kUnsupported, "a side of a PNG has at most 2147483647 pixels; PAM allows more");
  PngWriter(image, options, sink).write();
}

}  // namespace gpuhisto
