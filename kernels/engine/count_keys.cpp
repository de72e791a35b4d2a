// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Counting of 32-bit keys: strips on the device are cut into launches that 32-bit counters hold; those of the host are
// copied in pieces. One piece after the other: fetching the bins, of which there may be more than keys, waits anyway.
#include <cstdio>
#include <cstring>

#include "device/block_key_bins.hpp"
#include "engine/engine.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr std::size_t kKeyBytes = 4;
constexpr std::size_t kStageBytes = std::size_t{32} << 20;  // of one piece on its way
constexpr std::size_t kFetchWords = std::size_t{1} << 20;   // of the bins, at a time
constexpr std::uint64_t kMostBins = std::uint64_t{1} << 32;

bool gapless(const gpuhisto_strip& strip) { return strip.height <= 1 || strip.row_bytes == strip.width * kKeyBytes; }

}  // namespace

void check_key_request(const gpuhisto_count& request) {
  const auto bad = [](const std::string& why) { throw DeviceError(Failure::kRequest, why); };
  if (request.bin_rule != GPUHISTO_BIN_MODULO && request.bin_rule != GPUHISTO_BIN_RANGE)
    bad("32-bit keys are binned by rule MODULO or RANGE, not " + std::to_string(request.bin_rule));
  if (request.bins_count < 1 || request.bins_count > kMostBins)
    bad("keys have 1 to 2^32 bins, not " + std::to_string(request.bins_count));
  if (request.channels > 1) bad("a key has one channel, not " + std::to_string(request.channels));
  for (std::uint32_t i = 0; i < request.strips_count; ++i) {
    const gpuhisto_strip& strip = request.strips[i];
    if (strip.mask) bad("keys take no mask");
    if (reinterpret_cast<std::uintptr_t>(strip.pixels) % kKeyBytes != 0) bad("keys lie on multiples of 4 bytes");
    if (strip.height <= 1) continue;
    if (strip.row_bytes < strip.width * kKeyBytes)
      bad("rows of " + std::to_string(strip.row_bytes) + " bytes do not hold their keys");
    if (strip.row_bytes % kKeyBytes != 0)
      bad("rows of keys are a multiple of 4 bytes apart, not " + std::to_string(strip.row_bytes));
  }
}

KeyTask key_task_of(const gpuhisto_count& request) {
  KeyTask task;
  task.rule = static_cast<gpuhisto_bin_rule>(request.bin_rule);
  task.bins = request.bins_count;
  return task;
}

KeyPlan plan_keys(const gpuhisto_count& request, const KeyTask& task, const DeviceTraits& device) {
  KeyPlan plan;
  plan.method = &key_method_of(find_method(request.method ? request.method : "auto"));
  if (request.policy) parse_policy(request.policy, plan.policy);
  plan.method->tune(task, device, plan.policy);
  const std::string reason = plan.method->refusal(task, plan.policy, device);
  if (!reason.empty()) throw DeviceError(Failure::kUnsupported, reason);
  return plan;
}

PixelView key_view(const gpuhisto_strip& strip) {
  const bool flat = gapless(strip);
  const std::uint64_t width = flat ? strip.width * strip.height : strip.width;
  const std::uint64_t rows = flat ? 1 : std::min(strip.height, kMostPixels / std::max<std::uint64_t>(1, width));
  PixelView view;
  view.data = static_cast<const std::uint8_t*>(strip.pixels);
  view.width = static_cast<std::uint32_t>(std::min(width, kMostPixels));
  view.rows = static_cast<std::uint32_t>(rows);
  view.pitch = static_cast<std::size_t>(flat ? width * kKeyBytes : strip.row_bytes);
  return view;
}

class KeyCounter {
 public:
  KeyCounter(Engine& engine, gpuhisto_count& request)
      : engine_(engine), request_(request), task_(key_task_of(request)) {}

  void run() {
    const KeyPlan plan = plan_keys(request_, task_, engine_.traits_);  // of no keys: the method and its bound
    most_ = std::max<std::uint64_t>(1, plan.policy.bound);
    for (std::uint32_t i = 0; i < request_.strips_count; ++i) {
      const gpuhisto_strip& strip = request_.strips[i];
      if (strip.width == 0 || strip.height == 0) continue;
      request_.memory == GPUHISTO_ON_HOST ? count_on_host(strip) : count_on_device(strip);
    }
    std::snprintf(request_.counted_by, sizeof request_.counted_by, "%s", plan.method->name);
  }

 private:
  using Bytes = const std::uint8_t*;

  static gpuhisto_strip part(const gpuhisto_strip& strip, std::uint64_t first_row, std::uint64_t rows) {
    gpuhisto_strip cut = strip;
    cut.pixels = static_cast<Bytes>(strip.pixels) + first_row * strip.row_bytes;
    cut.height = rows;
    return cut;
  }
  /// Keys without gaps, from the first-th on.
  static gpuhisto_strip run_of(const gpuhisto_strip& strip, std::uint64_t first, std::uint64_t keys) {
    return {static_cast<Bytes>(strip.pixels) + first * kKeyBytes, keys, 1, keys * kKeyBytes, nullptr, 0, strip.bins};
  }

  /// Calls use() with pieces of at most so many keys: runs of keys, or whole rows if a row is no more.
  template <typename Use>
  void cut(const gpuhisto_strip& strip, std::uint64_t most, Use use) {
    if (gapless(strip)) {
      const std::uint64_t keys = strip.width * strip.height;
      for (std::uint64_t done = 0; done < keys; done += most) use(run_of(strip, done, std::min(most, keys - done)));
    } else if (strip.width > most) {
      for (std::uint64_t y = 0; y < strip.height; ++y) cut(part(strip, y, 1), most, use);
    } else {
      const std::uint64_t rows = most / strip.width;
      for (std::uint64_t y = 0; y < strip.height; y += rows) use(part(strip, y, std::min(rows, strip.height - y)));
    }
  }

  void count_on_device(const gpuhisto_strip& strip) {
    cut(strip, most_, [&](const gpuhisto_strip& piece) {
      task_.view = key_view(piece);
      const KeyPlan plan = plan_keys(request_, task_, engine_.traits_);
      add_counts(engine_.launch_keys(task_.bins,
                                     [&](LaunchContext& context) { plan.method->run(task_, plan.policy, context); }),
                 strip.bins);
    });
  }

  /// Adds the launch's counts to their 64-bit bins.
  void add_counts(const std::uint32_t* on_device, std::uint64_t* bins) {
    const auto bins_count = static_cast<std::size_t>(task_.bins);
    engine_.lane_.results.reserve(sizeof(std::uint32_t) * std::min(bins_count, kFetchWords));
    const std::uint32_t* counts = engine_.lane_.results.as<std::uint32_t>();
    for (std::size_t first = 0; first < bins_count; first += kFetchWords) {
      const std::size_t words = std::min(kFetchWords, bins_count - first);
      GPUHISTO_CHECK(hipMemcpyAsync(engine_.lane_.results.as<void>(), on_device + first, sizeof(std::uint32_t) * words,
                                    hipMemcpyDeviceToHost, engine_.lane_.stream.get()));
      engine_.lane_.stream.wait();
      for (std::size_t i = 0; i < words; ++i) bins[first + i] += counts[i];
    }
  }

  void count_on_host(const gpuhisto_strip& strip) {
    const std::uint64_t bytes = strip.width * strip.height * kKeyBytes;
    Stage& stage = engine_.stages_[0];
    const std::size_t room = stage.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, kStageBytes)));
    cut(strip, room / kKeyBytes, [&](const gpuhisto_strip& piece) {  // the last one's launch has ended
      const auto row = static_cast<std::size_t>(piece.width * kKeyBytes);
      for (std::uint64_t y = 0; y < piece.height; ++y)
        std::memcpy(stage.pinned() + y * row, static_cast<Bytes>(piece.pixels) + y * piece.row_bytes, row);
      stage.send(row * piece.height, engine_.lane_.stream);
      gpuhisto_strip on_device = piece;
      on_device.pixels = stage.device();
      on_device.row_bytes = row;
      count_on_device(on_device);
    });
  }

  Engine& engine_;
  gpuhisto_count& request_;
  KeyTask task_;
  std::uint64_t most_ = 0;
};

void count_keys(Engine& engine, gpuhisto_count& request) { KeyCounter(engine, request).run(); }

}  // namespace gpuhisto::kernels
