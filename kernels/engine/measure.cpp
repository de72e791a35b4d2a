// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Times of kernels, by events of the device's own clock.
#include <optional>

#include "engine/map_strips.hpp"
#include "engine/support_kernels.hpp"

namespace gpuhisto::kernels {

/// One measurement: what to launch, prepared once, launched many times.
class Measurement {
 public:
  Measurement(Engine& engine, gpuhisto_measure& request) : engine_(engine), request_(request) {
    if (request.what == GPUHISTO_MEASURE_METHOD || request.what == GPUHISTO_MEASURE_READ)
      prepare_count();
    else if (request.what == GPUHISTO_MEASURE_COPY || request.what == GPUHISTO_MEASURE_APPLY)
      prepare_apply();
    else
      throw DeviceError(Failure::kRequest, "there is no measurement " + std::to_string(request.what));
  }

  void run() {
    const std::uint32_t burst = std::max(1u, request_.burst);
    Event begin, end, between;
    launch_burst(1, &between);
    engine_.stream_.wait();
    double second = 0, total = 0;
    for (std::uint32_t round = 0; round < request_.rounds; ++round) {
      begin.record(engine_.stream_);
      launch_burst(burst, burst == 1 ? &between : nullptr);
      end.record(engine_.stream_);
      end.wait();
      const float milliseconds = end.since(begin);
      request_.milliseconds[round] = milliseconds / static_cast<float>(burst);
      if (two_kernels_ && burst == 1) {
        second += end.since(between);
        total += milliseconds;
      }
    }
    request_.second_kernel = total > 0 ? static_cast<float>(second / total) : 0;
    if (request_.bins && request_.what == GPUHISTO_MEASURE_METHOD) fetch_bins();
  }

 private:
  void prepare_count() {
    if (!request_.count || request_.count->strips_count != 1 || request_.count->memory != GPUHISTO_ON_DEVICE)
      throw DeviceError(Failure::kRequest, "one strip on the device is measured at a time");
    const gpuhisto_count& count = *request_.count;
    check_request(count);
    const gpuhisto_strip& strip = count.strips[0];
    task_ = task_of(count);
    task_.mask = static_cast<const std::uint8_t*>(strip.mask);
    task_.mask_pitch = strip.mask_row_bytes;
    const bool flat = !strip.mask && (strip.height == 1 || strip.row_bytes == strip.width * count.channels);
    const std::uint64_t width = flat ? strip.width * strip.height : strip.width;
    task_.view = {static_cast<const std::uint8_t*>(strip.pixels), static_cast<std::uint32_t>(width),
                  flat ? 1u : static_cast<std::uint32_t>(strip.height), static_cast<std::size_t>(strip.row_bytes)};
    bytes_ = static_cast<std::size_t>(flat ? width * count.channels : strip.height * strip.row_bytes);
    plan_ = plan_task(count, task_, engine_.traits_);
    if (strip.width * strip.height > plan_.policy.bound)
      throw DeviceError(Failure::kUnsupported, "more than " + std::to_string(plan_.policy.bound) +
                                                   " pixels take several launches: measure fewer");
    two_kernels_ = plan_.method == &per_block_partial_method();
  }

  void prepare_apply() {
    if (!request_.apply || request_.apply->strips_count != 1 || request_.apply->memory != GPUHISTO_ON_DEVICE)
      throw DeviceError(Failure::kRequest, "one strip on the device is measured at a time");
    const gpuhisto_apply_strip& strip = request_.apply->strips[0];
    bytes_ = static_cast<std::size_t>(strip.width * strip.height) * request_.apply->channels;
    mapper_.emplace(engine_, *request_.apply);
  }

  void launch_burst(std::uint32_t burst, Event* between) {
    for (std::uint32_t i = 0; i < burst; ++i) launch_one(i * request_.stride, between);
  }

  void launch_one(std::uint64_t offset, Event* between) {
    if (request_.what == GPUHISTO_MEASURE_METHOD) {
      CountTask task = task_;
      task.view.data += offset;
      LaunchContext context = engine_.context();
      context.between = between;
      plan_.method->run(task, plan_.policy, context);
    } else if (request_.what == GPUHISTO_MEASURE_READ) {
      read_bytes(task_.view.data + offset, bytes_, engine_.bins_.as<std::uint32_t>(), engine_.traits_, engine_.stream_);
    } else if (request_.what == GPUHISTO_MEASURE_COPY) {
      const gpuhisto_apply_strip& strip = request_.apply->strips[0];
      GPUHISTO_CHECK(hipMemcpyAsync(strip.to, strip.from, bytes_, hipMemcpyDeviceToDevice, engine_.stream_.get()));
    } else {
      mapper_->map_on_device(request_.apply->strips[0]);
    }
  }

  void fetch_bins() {
    std::uint32_t counts[kChannels * kBins];
    engine_.download(counts, engine_.bins_.as<void>(), sizeof counts);
    for (unsigned i = 0; i < kChannels * kBins; ++i) request_.bins[i] = counts[i];
  }

  Engine& engine_;
  gpuhisto_measure& request_;
  CountTask task_;
  Plan plan_;
  std::size_t bytes_ = 0;
  bool two_kernels_ = false;
  std::optional<StripMapper> mapper_;
};

void Engine::measure(gpuhisto_measure& request) {
  if (request.rounds > 0 && !request.milliseconds)
    throw DeviceError(Failure::kRequest, "there is no room for the times");
  Measurement(*this, request).run();
}

}  // namespace gpuhisto::kernels
