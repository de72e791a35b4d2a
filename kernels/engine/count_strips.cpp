// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Counting of strips at once. Those on the host are cut into pieces that fit a pair of buffers, so that the copy of one
// overlaps the counting of the other; small ones share a launch.
#include <cstdio>
#include <cstring>

#include "engine/engine.hpp"
#include "methods/per_block/batch.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr std::size_t kStageBytes = std::size_t{32} << 20;  // of one piece on its way
constexpr std::size_t kAlign = 128;                         // of images in a piece

std::size_t rounded(std::size_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

}  // namespace

class StripCounter {
 public:
  StripCounter(Engine& engine, gpuhisto_count& request)
      : engine_(engine),
        request_(request),
        channels_(request.channels),
        counter_(engine.traits_, engine.lane_, request) {}

  void run() {
    for (std::uint32_t i = 0; i < request_.strips_count; ++i) {
      if (request_.strips[i].width == 0 || request_.strips[i].height == 0) continue;
      if (request_.memory == GPUHISTO_ON_HOST)
        i = count_on_host(i);
      else
        counter_.count(request_.strips[i]);
    }
    counter_.fetch_and_add();
    name_method(request_, counter_);
  }

 private:
  struct Room {
    Stage& stage;
    std::size_t bytes;
  };
  /// The next of the two stages, free, with room for that much, or as much as memory allows.
  Room next_stage(std::size_t bytes) {
    Stage& stage = engine_.stages_[turn_ ^= 1];
    const std::size_t wanted = std::min(rounded(bytes), stage_bytes_), room = stage.reserve(wanted);
    if (room < wanted) stage_bytes_ = room;
    return {stage, room};
  }

  /// Counts strip i, and with it those after it that share its launch. Returns the last one counted.
  std::uint32_t count_on_host(std::uint32_t i) {
    std::uint32_t end = i + 1;
    std::size_t bytes = 0;
    while (counter_.batchable(request_.strips[i]) && end < request_.strips_count && end - i < kMostPending &&
           counter_.batchable(request_.strips[end]) && bytes < stage_bytes_ / 2) {
      bytes += rounded(request_.strips[end].width * request_.strips[end].height * channels_);
      ++end;
    }
    if (end - i > 1) return count_batch(i, end);
    count_large(request_.strips[i]);
    return i;
  }

  /// Rows of a strip, without gaps.
  void pack(std::uint8_t* to, const gpuhisto_strip& strip, std::uint64_t first, std::uint64_t rows) const {
    const std::size_t row = static_cast<std::size_t>(strip.width) * channels_;
    const auto* from = static_cast<const std::uint8_t*>(strip.pixels) + first * strip.row_bytes;
    if (strip.row_bytes == row) return static_cast<void>(std::memcpy(to, from, row * rows));
    for (std::uint64_t y = 0; y < rows; ++y) std::memcpy(to + y * row, from + y * strip.row_bytes, row);
  }

  std::uint32_t count_batch(std::uint32_t begin, std::uint32_t end) {
    const std::size_t list_bytes = rounded((end - begin) * sizeof(per_block::BatchItem));
    std::size_t bytes = list_bytes;
    for (std::uint32_t i = begin; i < end; ++i)
      bytes += rounded(request_.strips[i].width * request_.strips[i].height * channels_);
    const auto [stage, room] = next_stage(bytes);
    if (room < bytes) {  // memory is short: one at a time
      for (std::uint32_t i = begin; i < end; ++i) count_large(request_.strips[i]);
      return end - 1;
    }
    auto* items = stage.pinned<per_block::BatchItem>();
    std::size_t at = list_bytes;
    for (std::uint32_t i = begin; i < end; ++i) {
      const gpuhisto_strip& strip = request_.strips[i];
      const std::uint64_t pixels = strip.width * strip.height;
      items[i - begin] = {stage.device() + at, static_cast<std::uint32_t>(pixels), 0};
      if (pixels > 0) pack(stage.pinned() + at, strip, 0, strip.height);
      at += rounded(pixels * channels_);
    }
    stage.send(bytes, engine_.lane_.stream);
    counter_.count_batch(stage.device<per_block::BatchItem>(), request_.strips + begin, end - begin);
    stage.close(engine_.lane_.stream);
    return end - 1;
  }

  /// A strip of any size, in pieces of whole rows; rows longer than a stage are cut.
  void count_large(const gpuhisto_strip& strip) {
    const std::size_t pixel = channels_ + (strip.mask ? 1u : 0u);  // bytes in the stage
    const std::uint64_t per_row = strip.width * pixel;
    if (per_row > stage_bytes_ && strip.height > 1) {
      for (std::uint64_t y = 0; y < strip.height; ++y) count_large(row_of(strip, y));
      return;
    }
    const std::uint64_t units = strip.height == 1 ? strip.width : strip.height;  // pixels or rows
    const std::uint64_t unit_bytes = strip.height == 1 ? pixel : per_row;
    for (std::uint64_t done = 0; done < units;) {
      const auto [stage, room] = next_stage(static_cast<std::size_t>((units - done) * unit_bytes) + 2 * kAlign);
      const std::uint64_t now = std::min<std::uint64_t>(units - done, (room - kAlign) / unit_bytes);
      if (now == 0) return count_large_rows(strip, done);
      count_piece(stage, strip.height == 1 ? part_of(strip, done, now) : rows_of(strip, done, now));
      done += now;
    }
  }
  /// When a stage turned out smaller than a row.
  void count_large_rows(const gpuhisto_strip& strip, std::uint64_t first) {
    for (std::uint64_t y = first; y < strip.height; ++y) count_large(row_of(strip, y));
  }

  static const void* offset(const void* base, std::uint64_t bytes) {
    return base ? static_cast<const std::uint8_t*>(base) + bytes : nullptr;
  }
  gpuhisto_strip rows_of(gpuhisto_strip strip, std::uint64_t first, std::uint64_t rows) const {
    strip.pixels = offset(strip.pixels, first * strip.row_bytes);
    strip.mask = offset(strip.mask, first * strip.mask_row_bytes);
    strip.height = rows;
    return strip;
  }
  gpuhisto_strip row_of(const gpuhisto_strip& strip, std::uint64_t y) const { return rows_of(strip, y, 1); }
  gpuhisto_strip part_of(gpuhisto_strip strip, std::uint64_t first, std::uint64_t pixels) const {
    strip.pixels = offset(strip.pixels, first * channels_);
    strip.mask = offset(strip.mask, first);
    strip.width = pixels;
    return strip;
  }

  /// Uploads a piece that fits its stage, and counts it.
  void count_piece(Stage& stage, const gpuhisto_strip& piece) {
    const std::size_t bytes = static_cast<std::size_t>(piece.width * piece.height) * channels_;
    pack(stage.pinned(), piece, 0, piece.height);
    gpuhisto_strip on_device = piece;
    on_device.pixels = stage.device();
    on_device.row_bytes = piece.width * channels_;
    std::size_t sent = bytes;
    if (piece.mask) {
      const std::size_t at = rounded(bytes);
      for (std::uint64_t y = 0; y < piece.height; ++y)
        std::memcpy(stage.pinned() + at + y * piece.width, offset(piece.mask, y * piece.mask_row_bytes),
                    static_cast<std::size_t>(piece.width));
      on_device.mask = stage.device() + at;
      on_device.mask_row_bytes = piece.width;
      sent = at + static_cast<std::size_t>(piece.width * piece.height);
    }
    stage.send(sent, engine_.lane_.stream);
    counter_.count(on_device);
    stage.close(engine_.lane_.stream);
  }

  Engine& engine_;
  gpuhisto_count& request_;
  const std::size_t channels_;
  LaneCounter counter_;
  std::size_t stage_bytes_ = kStageBytes;
  unsigned turn_ = 0;
};

void Engine::count(gpuhisto_count& request) {
  check_request(request);
  if (request.key == GPUHISTO_KEY_U32) return count_keys(*this, request);
  StripCounter(*this, request).run();
}

}  // namespace gpuhisto::kernels
