// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Counting of strips: on the device they are cut into launches that 32-bit counters hold; on the host they are cut into
// pieces that fit a pair of buffers, so that the copy of one overlaps the counting of the other; and small ones share a
// launch.
#include <cstdio>
#include <cstring>

#include "engine/engine.hpp"
#include "methods/per_block/batch.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr std::size_t kStageBytes = std::size_t{32} << 20;     // of one piece on its way
constexpr std::size_t kSmallestStage = std::size_t{64} << 10;  // below that, memory is really out
constexpr std::size_t kAlign = 128;                            // of images in a piece

std::size_t rounded(std::size_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

}  // namespace

class StripCounter {
 public:
  StripCounter(Engine& engine, gpuhisto_count& request)
      : engine_(engine), request_(request), channels_(request.channels) {}

  void run() {
    engine_.results_.reserve(kMostPending * kResultBytes);
    for (std::uint32_t i = 0; i < request_.strips_count; ++i) {
      if (request_.strips[i].width == 0 || request_.strips[i].height == 0) continue;
      if (request_.memory == GPUHISTO_ON_HOST)
        i = count_on_host(i);
      else
        count_on_device(request_.strips[i]);
    }
    fetch();
    if (!counted_by_) counted_by_ = &find_method(request_.method ? request_.method : "auto");
    std::snprintf(request_.counted_by, sizeof request_.counted_by, "%s", counted_by_->name);
  }

 private:
  /// Makes room for one more result behind the pending ones.
  void make_room() {
    if (pending_.size() == kMostPending || engine_.ring_.position() == 0) fetch();
    if (pending_.empty()) first_pending_ = engine_.ring_.position();
  }

  /// Adds the pending launches' counts to their 64-bit bins.
  void fetch() {
    if (pending_.empty()) return;
    GPUHISTO_CHECK(hipMemcpyAsync(engine_.results_.as<void>(), engine_.ring_.at(first_pending_),
                                  pending_.size() * kResultBytes, hipMemcpyDeviceToHost, engine_.stream_.get()));
    engine_.stream_.wait();
    const std::uint32_t* from = engine_.results_.as<std::uint32_t>();
    for (std::uint64_t* bins : pending_)
      for (std::size_t i = 0; i < kResultWords; ++i) bins[i] += *from++;
    pending_.clear();
  }

  void launch_one(const CountTask& task, std::uint64_t* bins) {
    const Plan plan = plan_task(request_, task, engine_.traits_);
    counted_by_ = plan.method;
    make_room();
    engine_.launch([&](LaunchContext& context) { plan.method->run(task, plan.policy, context); });
    pending_.push_back(bins);
  }

  /// Pixels that one launch of this task may have.
  std::uint64_t bound(const CountTask& task) {
    CountTask any = task;
    any.view = {nullptr, 1, 1, 0};
    return std::max<std::uint64_t>(1, plan_task(request_, any, engine_.traits_).policy.bound);
  }

  void count_on_device(const gpuhisto_strip& strip) {
    CountTask task = task_of(request_);
    task.mask = static_cast<const std::uint8_t*>(strip.mask);
    task.mask_pitch = strip.mask_row_bytes;
    const std::uint64_t most = bound(task);
    const auto* data = static_cast<const std::uint8_t*>(strip.pixels);
    const bool gapless = strip.height == 1 || strip.row_bytes == strip.width * channels_;
    if (gapless && !task.mask) return count_flat(task, data, strip.width * strip.height, most, strip.bins);
    if (strip.width > most) {
      for (std::uint64_t y = 0; y < strip.height; ++y) {
        CountTask row = task;
        if (row.mask) row.mask += y * strip.mask_row_bytes;
        count_flat(row, data + y * strip.row_bytes, strip.width, most, strip.bins);
      }
      return;
    }
    for (std::uint64_t y = 0; y < strip.height;) {
      const std::uint64_t rows = std::min(strip.height - y, most / strip.width);
      task.view = {data + y * strip.row_bytes, static_cast<std::uint32_t>(strip.width),
                   static_cast<std::uint32_t>(rows), static_cast<std::size_t>(strip.row_bytes)};
      launch_one(task, strip.bins);
      y += rows;
      if (task.mask) task.mask += rows * strip.mask_row_bytes;
    }
  }

  /// Pixels without gaps.
  void count_flat(CountTask task, const std::uint8_t* data, std::uint64_t pixels, std::uint64_t most,
                  std::uint64_t* bins) {
    for (std::uint64_t done = 0; done < pixels;) {
      const std::uint64_t now = std::min(pixels - done, most);
      task.view = {data + done * channels_, static_cast<std::uint32_t>(now), 1,
                   static_cast<std::size_t>(now * channels_)};
      launch_one(task, bins);
      done += now;
      if (task.mask) task.mask += now;
    }
  }

  // --- host strips

  /// The next of the two stages, free, with room for that much, or as much as memory allows.
  Engine::Stage& next_stage(std::size_t bytes) {
    Engine::Stage& stage = engine_.stages_[turn_ ^= 1];
    if (stage.busy) stage.done.wait();
    stage.busy = false;
    std::size_t wanted = std::min(rounded(bytes), stage_bytes_);
    for (;;) {
      try {
        stage.pinned.reserve(wanted);
        stage.device.reserve(wanted);
        return stage;
      } catch (const DeviceError& error) {
        if (error.failure() != Failure::kMemory || wanted <= kSmallestStage) throw;
        wanted = rounded(wanted / 2);
        stage_bytes_ = wanted;
      }
    }
  }

  void send(Engine::Stage& stage, std::size_t bytes) {
    GPUHISTO_CHECK(hipMemcpyAsync(stage.device.as<void>(), stage.pinned.as<void>(), bytes, hipMemcpyHostToDevice,
                                  engine_.stream_.get()));
  }
  void close(Engine::Stage& stage) {
    stage.done.record(engine_.stream_);
    stage.busy = true;
  }

  bool batchable(const gpuhisto_strip& strip) const {
    const bool production = !request_.method || &find_method(request_.method) == &per_block_method();
    const bool free_choice = !request_.policy || !*request_.policy;
    return production && free_choice && !strip.mask && strip.width * strip.height <= per_block::kMostBatchedPixels;
  }

  /// Counts strip i, and with it those after it that share its launch. Returns the last one counted.
  std::uint32_t count_on_host(std::uint32_t i) {
    std::uint32_t end = i + 1;
    std::size_t bytes = 0;
    while (batchable(request_.strips[i]) && end < request_.strips_count && end - i < kMostPending &&
           batchable(request_.strips[end]) && bytes < stage_bytes_ / 2) {
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
    Engine::Stage& stage = next_stage(bytes);
    if (stage.device.bytes() < bytes) {  // memory is short: one at a time
      for (std::uint32_t i = begin; i < end; ++i) count_large(request_.strips[i]);
      return end - 1;
    }
    engine_.bins_.reserve(kMostPending * kResultBytes);
    auto* items = stage.pinned.as<per_block::BatchItem>();
    std::size_t at = list_bytes;
    for (std::uint32_t i = begin; i < end; ++i) {
      const gpuhisto_strip& strip = request_.strips[i];
      const std::uint64_t pixels = strip.width * strip.height;
      items[i - begin] = {stage.device.as<std::uint8_t>() + at, static_cast<std::uint32_t>(pixels), 0};
      if (pixels > 0) pack(stage.pinned.as<std::uint8_t>() + at, strip, 0, strip.height);
      at += rounded(pixels * channels_);
    }
    send(stage, bytes);
    const CountTask task = task_of(request_);
    KernelPolicy policy;
    per_block::tune_batch(task, engine_.traits_, policy);
    counted_by_ = &per_block_method();
    per_block::run_batch(task, policy, engine_.context(),
                         {stage.device.as<per_block::BatchItem>(), end - begin, engine_.bins_.as<std::uint32_t>(), 0});
    close(stage);
    fetch_batch(task, begin, end);
    return end - 1;
  }

  void fetch_batch(const CountTask& task, std::uint32_t begin, std::uint32_t end) {
    const std::size_t words = per_block::batch_words(task);
    const auto* results = engine_.results_.as<std::uint32_t>();
    GPUHISTO_CHECK(hipMemcpyAsync(engine_.results_.as<void>(), engine_.bins_.as<void>(),
                                  (end - begin) * words * sizeof(std::uint32_t), hipMemcpyDeviceToHost,
                                  engine_.stream_.get()));
    engine_.stream_.wait();
    for (std::uint32_t i = begin; i < end; ++i)
      per_block::add_batch_result(task, results + (i - begin) * words, request_.strips[i].bins);
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
      Engine::Stage& stage = next_stage(static_cast<std::size_t>((units - done) * unit_bytes) + 2 * kAlign);
      const std::uint64_t room = (stage.device.bytes() - kAlign) / unit_bytes;
      if (room == 0) return count_large_rows(strip, done);
      const std::uint64_t now = std::min(units - done, room);
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
  void count_piece(Engine::Stage& stage, const gpuhisto_strip& piece) {
    const std::size_t bytes = static_cast<std::size_t>(piece.width * piece.height) * channels_;
    pack(stage.pinned.as<std::uint8_t>(), piece, 0, piece.height);
    gpuhisto_strip on_device = piece;
    on_device.pixels = stage.device.as<std::uint8_t>();
    on_device.row_bytes = piece.width * channels_;
    std::size_t sent = bytes;
    if (piece.mask) {
      const std::size_t at = rounded(bytes);
      for (std::uint64_t y = 0; y < piece.height; ++y)
        std::memcpy(stage.pinned.as<std::uint8_t>() + at + y * piece.width,
                    offset(piece.mask, y * piece.mask_row_bytes), static_cast<std::size_t>(piece.width));
      on_device.mask = stage.device.as<std::uint8_t>() + at;
      on_device.mask_row_bytes = piece.width;
      sent = at + static_cast<std::size_t>(piece.width * piece.height);
    }
    send(stage, sent);
    count_on_device(on_device);
    close(stage);
  }

  Engine& engine_;
  gpuhisto_count& request_;
  const std::size_t channels_;
  std::vector<std::uint64_t*> pending_;  // where the counts of each launch go
  unsigned first_pending_ = 0;           // their place in the ring
  const Method* counted_by_ = nullptr;
  std::size_t stage_bytes_ = kStageBytes;
  unsigned turn_ = 0;
};

void Engine::count(gpuhisto_count& request) {
  check_request(request);
  if (request.key == GPUHISTO_KEY_U32) return count_keys(*this, request);
  StripCounter(*this, request).run();
}

}  // namespace gpuhisto::kernels
