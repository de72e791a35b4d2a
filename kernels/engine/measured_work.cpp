// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "engine/measured_work.hpp"

#include <cstring>
#include <vector>

#include "engine/batch_plan.hpp"
#include "engine/clahe_strips.hpp"
#include "engine/map_strips.hpp"
#include "engine/support_kernels.hpp"

namespace gpuhisto::kernels {
namespace {

void check_bound(std::uint64_t pixels, std::uint64_t bound) {
  if (pixels > bound)
    throw DeviceError(Failure::kUnsupported,
                      "more than " + std::to_string(bound) + " pixels take several launches: measure fewer");
}

std::uint64_t pixel_bytes(const gpuhisto_count& count) {
  return count.key == GPUHISTO_KEY_U32 ? 4 : std::uint64_t{count.channels};
}

bool gapless(const gpuhisto_strip& strip, std::uint64_t pixel) {
  return strip.height <= 1 || strip.row_bytes == strip.width * pixel;
}

}  // namespace

/// One image by one method.
class MethodWork final : public MeasuredWork {
 public:
  MethodWork(Engine& engine, const gpuhisto_count& count) : engine_(engine), task_(task_of(count)) {
    const gpuhisto_strip& strip = count.strips[0];
    task_.mask = static_cast<const std::uint8_t*>(strip.mask);
    task_.mask_pitch = strip.mask_row_bytes;
    const bool flat = !strip.mask && gapless(strip, count.channels);
    task_.view = {static_cast<const std::uint8_t*>(strip.pixels),
                  static_cast<std::uint32_t>(flat ? strip.width * strip.height : strip.width),
                  flat ? 1u : static_cast<std::uint32_t>(strip.height), static_cast<std::size_t>(strip.row_bytes)};
    plan_ = plan_task(count, task_, engine.traits_);
    check_bound(strip.width * strip.height, plan_.policy.bound);
  }
  void launch(std::uint64_t offset, Event* between) override {
    CountTask task = task_;
    task.view.data += offset;
    counts_ = engine_.launch([&](LaunchContext& context) {
      context.between = between;
      plan_.method->run(task, plan_.policy, context);
    });
  }
  bool two_kernels() const override { return plan_.method->two_kernels; }
  void fetch_bins(std::uint64_t* bins) override {
    std::uint32_t counts[kChannels * kBins];
    engine_.download(counts, counts_, sizeof counts);
    for (unsigned i = 0; i < kChannels * kBins; ++i) bins[i] = counts[i];
  }

 private:
  Engine& engine_;
  CountTask task_;
  Plan plan_;
  const std::uint32_t* counts_ = nullptr;
};

/// A strip of keys by one method.
class KeyWork final : public MeasuredWork {
 public:
  KeyWork(Engine& engine, const gpuhisto_count& count) : engine_(engine), task_(key_task_of(count)) {
    const gpuhisto_strip& strip = count.strips[0];
    task_.view = key_view(strip);
    plan_ = plan_keys(count, task_, engine.traits_);
    check_bound(strip.width * strip.height, plan_.policy.bound);
  }
  void launch(std::uint64_t offset, Event* between) override {
    KeyTask task = task_;
    task.view.data += offset;
    counts_ = engine_.launch_keys(task_.bins, [&](LaunchContext& context) {
      context.between = between;
      plan_.method->run(task, plan_.policy, context);
    });
  }
  bool two_kernels() const override { return plan_.method->two_kernels; }
  void fetch_bins(std::uint64_t* bins) override {
    std::vector<std::uint32_t> counts(static_cast<std::size_t>(task_.bins));
    engine_.download(counts.data(), counts_, counts.size() * sizeof counts[0]);
    for (std::size_t i = 0; i < counts.size(); ++i) bins[i] = counts[i];
  }

 private:
  Engine& engine_;
  KeyTask task_;
  KeyPlan plan_;
  const std::uint32_t* counts_ = nullptr;
};

/// Many small images in one launch.
class BatchWork final : public MeasuredWork {
 public:
  BatchWork(Engine& engine, const gpuhisto_count& count)
      : engine_(engine), task_(task_of(count)), plan_(plan_batch(count, engine.traits_)) {
    engine.lane_.bins.reserve(result_words() * sizeof(std::uint32_t));
    const std::size_t bytes = plan_.items.size() * sizeof plan_.items[0];
    on_device_.reserve(bytes);
    engine.upload(on_device_.as<void>(), plan_.items.data(), bytes);
  }
  void launch(std::uint64_t offset, Event*) override {
    per_block::run_batch(task_, plan_.policy, engine_.context(),
                         {on_device_.as<per_block::BatchItem>(), static_cast<unsigned>(plan_.items.size()),
                          engine_.lane_.bins.as<std::uint32_t>(), offset});
  }
  void fetch_bins(std::uint64_t* bins) override {
    std::vector<std::uint32_t> results(result_words());
    engine_.download(results.data(), engine_.lane_.bins.as<void>(), results.size() * sizeof results[0]);
    std::memset(bins, 0, plan_.items.size() * kChannels * kBins * sizeof *bins);
    for (std::size_t i = 0; i < plan_.items.size(); ++i)
      per_block::add_batch_result(task_, results.data() + i * per_block::batch_words(task_),
                                  bins + i * kChannels * kBins);
  }

 private:
  std::size_t result_words() const { return plan_.items.size() * per_block::batch_words(task_); }

  Engine& engine_;
  CountTask task_;
  BatchPlan plan_;
  DeviceBuffer on_device_;
};

/// Reads the bytes of a strip, or of a batch of neighbours.
class ReadWork final : public MeasuredWork {
 public:
  ReadWork(Engine& engine, const gpuhisto_count& count) : engine_(engine) {
    engine.lane_.bins.reserve(sizeof(std::uint32_t));
    const std::uint64_t pixel = pixel_bytes(count);
    const gpuhisto_strip& first = count.strips[0];
    data_ = static_cast<const std::uint8_t*>(first.pixels);
    if (count.strips_count == 1 && !gapless(first, pixel)) {
      bytes_ = first.height * first.row_bytes;
      return;
    }
    for (std::uint32_t i = 0; i < count.strips_count; ++i) {
      const gpuhisto_strip& strip = count.strips[i];
      if (strip.pixels != data_ + bytes_ || !gapless(strip, pixel))
        throw DeviceError(Failure::kUnsupported, "only strips without gaps between them are read in one launch");
      bytes_ += strip.width * strip.height * pixel;
    }
  }
  void launch(std::uint64_t offset, Event*) override {
    read_bytes(data_ + offset, static_cast<std::size_t>(bytes_), engine_.lane_.bins.as<std::uint32_t>(),
               engine_.traits_, engine_.lane_.stream);
  }

 private:
  Engine& engine_;
  const std::uint8_t* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

namespace {

/// Maps a strip.
class TablesWork final : public MeasuredWork {
 public:
  TablesWork(Engine& engine, const gpuhisto_apply& apply) : mapper_(engine, apply), strip_(apply.strips[0]) {}
  void launch(std::uint64_t, Event*) override { mapper_.map_on_device(strip_); }

 private:
  StripMapper mapper_;
  gpuhisto_apply_strip strip_;
};

/// CLAHE of an image; the second kernel is the one that maps.
class ClaheWork final : public MeasuredWork {
 public:
  ClaheWork(Engine& engine, const gpuhisto_apply& apply) : mapper_(engine, apply), strip_(apply.strips[0]) {
    mapper_.prepare(strip_);
  }
  void launch(std::uint64_t, Event* between) override { mapper_.map_on_device(strip_, between); }
  bool two_kernels() const override { return true; }

 private:
  ClaheMapper mapper_;
  gpuhisto_apply_strip strip_;
};

/// Copies as many bytes as the strip has.
class CopyWork final : public MeasuredWork {
 public:
  CopyWork(const gpuhisto_apply& apply, hipStream_t stream) : strip_(apply.strips[0]), stream_(stream) {
    bytes_ = static_cast<std::size_t>(strip_.width * strip_.height) * apply.channels;
  }
  void launch(std::uint64_t, Event*) override {
    GPUHISTO_CHECK(hipMemcpyAsync(strip_.to, strip_.from, bytes_, hipMemcpyDeviceToDevice, stream_));
  }

 private:
  gpuhisto_apply_strip strip_;
  std::size_t bytes_ = 0;
  hipStream_t stream_;
};

std::unique_ptr<MeasuredWork> make_count_work(Engine& engine, const gpuhisto_measure& request) {
  if (!request.count || request.count->strips_count == 0 || request.count->memory != GPUHISTO_ON_DEVICE)
    throw DeviceError(Failure::kRequest, "what is measured lies on the device, in one strip at least");
  const gpuhisto_count& count = *request.count;
  if (count.size < sizeof count) throw DeviceError(Failure::kRequest, "the count is smaller than this version's");
  check_request(count);
  if (request.what == GPUHISTO_MEASURE_READ) return std::make_unique<ReadWork>(engine, count);
  if (count.key == GPUHISTO_KEY_U32) {
    if (count.strips_count > 1) throw DeviceError(Failure::kUnsupported, "keys are measured one strip at a time");
    return std::make_unique<KeyWork>(engine, count);
  }
  if (count.strips_count > 1) return std::make_unique<BatchWork>(engine, count);
  return std::make_unique<MethodWork>(engine, count);
}

}  // namespace

std::unique_ptr<MeasuredWork> make_measured_work(Engine& engine, const gpuhisto_measure& request) {
  if (request.what == GPUHISTO_MEASURE_METHOD || request.what == GPUHISTO_MEASURE_READ)
    return make_count_work(engine, request);
  if (request.what != GPUHISTO_MEASURE_COPY && request.what != GPUHISTO_MEASURE_APPLY)
    throw DeviceError(Failure::kRequest, "there is no measurement " + std::to_string(request.what));
  if (!request.apply || request.apply->strips_count != 1 || request.apply->memory != GPUHISTO_ON_DEVICE)
    throw DeviceError(Failure::kRequest, "one strip on the device is mapped or copied at a time");
  const gpuhisto_apply& apply = *request.apply;
  if (request.what == GPUHISTO_MEASURE_COPY) return std::make_unique<CopyWork>(apply, engine.stream());
  if (apply.strips[0].width == 0 || apply.strips[0].height == 0)
    throw DeviceError(Failure::kRequest, "there is nothing to map");
  if (apply.kind == GPUHISTO_APPLY_TILES) return std::make_unique<ClaheWork>(engine, apply);
  return std::make_unique<TablesWork>(engine, apply);
}

}  // namespace gpuhisto::kernels
