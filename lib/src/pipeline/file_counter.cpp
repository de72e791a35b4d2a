// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "pipeline/file_counter.hpp"

#include <utility>

#include "gpuhisto/backend.hpp"
#include "gpuhisto/method.hpp"

namespace gpuhisto {

bool device_is_lost(const CountOptions& options) { return options.device_lost && *options.device_lost; }

void lose_device(const CountOptions& options, const std::string& note, FileResult& result) {
  if (!options.device_lost)
    result.notes.push_back(note);
  else if (!options.device_lost->exchange(true) && options.on_device_lost)
    options.on_device_lost(note);
}

std::shared_ptr<Device> device_of(const CountOptions& options) {
  if (device_is_lost(options)) return nullptr;
  if (options.device != "cpu") return open_device(options.device);
  return options.device_start ? options.device_start->device() : nullptr;
}

namespace {

/// Strips go to the CPU until there is a device, then there.
class SwitchingHistogrammer final : public Histogrammer {
 public:
  using Switch = std::function<std::unique_ptr<Histogrammer>()>;  ///< null: not yet

  SwitchingHistogrammer(std::unique_ptr<Histogrammer> first, Switch second)
      : now_(std::move(first)), switch_(std::move(second)) {}

  void count(const ImageView& strip, std::uint64_t first_row) override {
    if (!earlier_) {
      if (auto next = switch_()) earlier_ = std::exchange(now_, std::move(next));
    }
    now_->count(strip, first_row);
  }
  ImageHistogram finish() override { return finish_later()(); }
  std::function<ImageHistogram()> finish_later() override {
    if (!earlier_) return now_->finish_later();
    return [counts = earlier_->finish(), later = now_->finish_later()]() mutable {
      counts.add(later());
      return counts;
    };
  }

 private:
  std::unique_ptr<Histogrammer> now_, earlier_;
  Switch switch_;
};

}  // namespace

FileCounter::FileCounter(const CountOptions& options, int channels, const CountSpec& spec, int threads)
    : options_(options) {
  if (const auto device = device_of(options)) {
    histogrammer_ = on_device(device, channels, spec);
    return;
  }
  const auto start = device_is_lost(options) ? nullptr : options.device_start;
  histogrammer_ = make_cpu_histogrammer(channels, spec, threads);
  may_wait_ = start && !start->ended();
  if (may_wait_)
    histogrammer_ = std::make_unique<SwitchingHistogrammer>(
        std::move(histogrammer_), [this, start, channels, spec]() -> std::unique_ptr<Histogrammer> {
          const auto device = start->device();
          return device ? on_device(device, channels, spec) : nullptr;
        });
}

std::unique_ptr<Histogrammer> FileCounter::on_device(std::shared_ptr<Device> device, int channels,
                                                     const CountSpec& spec) {
  outcome_->device = device->info().id;
  const std::string method = options_.device == "cpu" ? "per-block" : options_.method;
  outcome_->method = counting_method(method, spec.predicate, channels);
  DeviceCounting counting;
  counting.device = std::move(device);
  counting.method = method;
  counting.policy = options_.policy;
  counting.on_failure = options_.on_device_failure;
  counting.on_lost = [outcome = outcome_](const std::string& why) { outcome->lost = why; };
  return make_device_histogrammer(channels, spec, counting);
}

void FileCounter::finish(FileResult& result) {
  if (const auto rest = finish_later(result)) rest(result);
}

std::function<void(FileResult&)> FileCounter::finish_later(FileResult& result) {
  const auto complete = [outcome = outcome_, options = options_](FileResult& finished) {
    finished.device = outcome->lost ? "cpu" : outcome->device;
    finished.method = outcome->lost ? "cpu" : outcome->method;
    if (outcome->lost) lose_device(options, "the CPU counted the rest: " + *outcome->lost, finished);
  };
  if (may_wait_)
    return [counts = histogrammer_->finish_later(), complete](FileResult& finished) {
      finished.histogram = counts();
      complete(finished);
    };
  result.histogram = histogrammer_->finish();
  complete(result);
  return nullptr;
}

}  // namespace gpuhisto
