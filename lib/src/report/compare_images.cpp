// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <vector>

#include "core/memory_limit.hpp"
#include "gpuhisto/compare.hpp"
#include "report/compare_reporters.hpp"

namespace gpuhisto {
namespace {

class Sorted final : public CompareReporter {
 public:
  Sorted(std::unique_ptr<CompareReporter> reporter, Metric metric, Channel channel, std::uint64_t max_bytes)
      : reporter_(std::move(reporter)), metric_(metric), channel_(channel), max_bytes_(max_bytes) {}

  void begin() override { reporter_->begin(); }
  void result(const Comparison& comparison) override {
    held_ += 2 * sizeof(Comparison) + comparison.input.size() + comparison.error.size();  // 2: a vector that grows
    check_max_memory("sorting the results", held_, max_bytes_);
    comparisons_.push_back(comparison);
  }
  void finish(const ComparisonTotal& total) override {
    std::stable_sort(comparisons_.begin(), comparisons_.end(), [this](const Comparison& a, const Comparison& b) {
      const auto& one = a.channels[static_cast<std::size_t>(channel_)];
      const auto& other = b.channels[static_cast<std::size_t>(channel_)];
      if (!one || !other) return one.has_value() && !other;
      return more_alike(metric_, distance(*one, metric_), distance(*other, metric_));
    });
    for (const Comparison& comparison : comparisons_) reporter_->result(comparison);
    reporter_->finish(total);
  }

 private:
  std::unique_ptr<CompareReporter> reporter_;
  Metric metric_;
  Channel channel_;
  std::uint64_t max_bytes_, held_ = 0;
  std::vector<Comparison> comparisons_;
};

}  // namespace

Comparison compare_images(const ImageHistogram& reference, const ImageHistogram& other, ChannelSet wanted) {
  Comparison comparison;
  comparison.pixels = other.pixels;
  const ChannelSet asked = reference.channels & wanted, both = asked & other.channels;
  for (const Channel channel : kChannels) {
    if (!both.has(channel)) continue;
    auto& distances = comparison.channels[static_cast<std::size_t>(channel)];
    distances = compare_histograms(reference[channel], other[channel]);
    if (!distances) comparison.error = "has no pixel to compare";
  }
  if (both.empty()) comparison.error = "has none of the channels to compare: " + channel_list(asked);
  if (!comparison.error.empty()) comparison.status = Status::kError;
  return comparison;
}

void ComparisonTotal::add(const Comparison& comparison) {
  if (comparison.status == Status::kOk) {
    ++ok;
    flagged += comparison.flags.any();
  } else {
    ++(comparison.status == Status::kError ? failed : skipped);
  }
}

std::unique_ptr<CompareReporter> make_compare_reporter(ReportFormat format, const CompareOptions& options,
                                                       std::ostream& out) {
  switch (format) {
    case ReportFormat::kText:
      return make_compare_text(options, out);
    case ReportFormat::kCsv:
      return make_compare_csv(options, out);
    case ReportFormat::kJson:
      return make_compare_json(options, out);
    case ReportFormat::kJsonl:
      return make_compare_jsonl(options, out);
  }
  return nullptr;
}

std::unique_ptr<CompareReporter> make_sorted(std::unique_ptr<CompareReporter> reporter, Metric metric, Channel channel,
                                             std::uint64_t max_bytes) {
  return std::make_unique<Sorted>(std::move(reporter), metric, channel, max_bytes);
}

}  // namespace gpuhisto
