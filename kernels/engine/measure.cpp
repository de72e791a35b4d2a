// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Times of kernels, by events of the device's own clock.
#include "engine/measured_work.hpp"

#if !defined(__HIPCC__) && !defined(__CUDACC__)
#include "emulated/config.hpp"
#endif

namespace gpuhisto::kernels {

#if defined(GPUHISTO_PLATFORM_EMULATED)
namespace {
/// While it lives, the device counts accesses from 0.
struct Watching {
  Watching() {
    emulated::config().count_accesses = true;
    emulated::reset_access_counts();
  }
  ~Watching() { emulated::config().count_accesses = false; }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;
};
}  // namespace
#endif

class Measurement {
 public:
  Measurement(Engine& engine, gpuhisto_measure& request)
      : engine_(engine), request_(request), work_(make_measured_work(engine, request)) {}

  void run() {
    if (request_.counters) count_accesses();
    const std::uint32_t burst = std::max(1u, request_.burst);
    Event begin, end, between;
    // Before each round goes a launch of the image that the round ends with. While it runs, the host gets ahead, so
    // that the round does not begin with the device waiting for the host; and of the caches it leaves what the round
    // before left.
    const std::uint64_t last = (burst - 1) * request_.stride;
    work_->launch(last, &between);
    double second = 0, total = 0;
    for (std::uint32_t round = 0; round < request_.rounds; ++round) {
      if (round > 0) work_->launch(last, nullptr);
      begin.record(engine_.lane_.stream);
      for (std::uint32_t i = 0; i < burst; ++i) work_->launch(i * request_.stride, burst == 1 ? &between : nullptr);
      end.record(engine_.lane_.stream);
      end.wait();
      const float milliseconds = end.since(begin);
      request_.milliseconds[round] = milliseconds / static_cast<float>(burst);
      if (work_->two_kernels() && burst == 1) {
        second += end.since(between);
        total += milliseconds;
      }
    }
    request_.second_kernel = total > 0 ? static_cast<float>(second / total) : 0;
    if (request_.bins) work_->fetch_bins(request_.bins);
  }

 private:
  /// A launch of its own: watching it takes long, and only the emulated device can.
  void count_accesses() {
    gpuhisto_counters& counters = *request_.counters;
    if (counters.size < sizeof counters)
      throw DeviceError(Failure::kRequest, "the counters are smaller than this version's");
    counters = {};
    counters.size = sizeof counters;
#if defined(GPUHISTO_PLATFORM_EMULATED)
    const Watching watching;
    work_->launch(0, nullptr);
    engine_.lane_.stream.wait();
    const emulated::AccessCounts seen = emulated::access_counts();
    counters.known = 1;
    counters.global_atomics = seen.global_atomics;
    counters.shared_atomics = seen.shared_atomics;
    counters.shared_instructions = seen.shared_instructions;
    counters.shared_passes = seen.shared_passes;
    counters.same_address = seen.same_address;
#endif
  }

  Engine& engine_;
  gpuhisto_measure& request_;
  std::unique_ptr<MeasuredWork> work_;
};

void Engine::measure(gpuhisto_measure& request) {
  if (request.rounds > 0 && !request.milliseconds)
    throw DeviceError(Failure::kRequest, "there is no room for the times");
  Measurement(*this, request).run();
}

}  // namespace gpuhisto::kernels
