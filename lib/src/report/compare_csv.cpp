// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "report/compare_reporters.hpp"
#include "report/fields.hpp"

namespace gpuhisto {
namespace {

/// A row an image and channel; one without numbers for an input that failed.
class CompareCsv final : public CompareReporter {
 public:
  CompareCsv(const CompareOptions& options, std::ostream& out) : header_(options.header), out_(out) {}

  void begin() override {
    if (!header_) return;
    std::string text = "file,status,channel";
    for (const Metric metric : kMetrics) (text += ',') += metric_name(metric);
    emit(out_, text += '\n');
  }

  void result(const Comparison& comparison) override {
    if (comparison.status == Status::kSkipped) return;
    std::string head, text;
    append_csv_field(head, comparison.input);
    (head += ',') += status_name(comparison.status);
    for (const Channel channel : kChannels) {
      const auto& distances = comparison.channels[static_cast<std::size_t>(channel)];
      if (!distances || comparison.status != Status::kOk) continue;
      (text += head + ',') += channel_name(channel);
      for (const Metric metric : kMetrics) append_value(text += ',', distance(*distances, metric));
      text += '\n';
    }
    emit(out_, text.empty() ? head + std::string(1 + kMetrics.size(), ',') + '\n' : text);
  }

  void finish(const ComparisonTotal&) override {}

 private:
  bool header_;
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<CompareReporter> make_compare_csv(const CompareOptions& options, std::ostream& out) {
  return std::make_unique<CompareCsv>(options, out);
}

}  // namespace gpuhisto
