// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// JSON and JSON lines of comparisons, in the manner of json_report.cpp.
#include "report/compare_reporters.hpp"
#include "report/fields.hpp"
#include "report/json_model.hpp"
#include "report/names.hpp"

namespace gpuhisto {
namespace {

Json named(const std::string& name) {
  Json json = {{"input", utf8_name(name)}};
  if (!is_utf8(name)) json["input_base64"] = to_base64(name);
  return json;
}

Json head_json(const CompareOptions& options) {
  Json reference = named(options.reference);
  reference["pixels"] = options.counts.pixels;
  return {{"schema", kSchema}, {"counting", counting_json(options.counting)}, {"reference", std::move(reference)}};
}

Json comparison_json(const Comparison& comparison) {
  Json json = named(comparison.input);
  json["status"] = status_name(comparison.status);
  if (comparison.status != Status::kOk) json["error"] = utf8_name(comparison.error);
  json["flags"] = comparison.flags.names();
  if (comparison.status != Status::kOk) return json;
  json["pixels"] = comparison.pixels;
  Json channels = Json::object();
  for (const Channel channel : kChannels) {
    const auto& distances = comparison.channels[static_cast<std::size_t>(channel)];
    if (!distances) continue;
    Json numbers = Json::object();
    for (const Metric metric : kMetrics) numbers[std::string(metric_name(metric))] = distance(*distances, metric);
    channels[std::string(channel_name(channel))] = std::move(numbers);
  }
  json["channels"] = std::move(channels);
  return json;
}

Json total_json(const ComparisonTotal& total) {
  Json json = Json::object();
  if (total.incomplete) json["incomplete"] = true;
  json["files"] = {{"ok", total.ok}, {"failed", total.failed}, {"flagged", total.flagged}, {"skipped", total.skipped}};
  return json;
}

class CompareJson final : public CompareReporter {
 public:
  CompareJson(const CompareOptions& options, std::ostream& out) : head_(to_text(head_json(options))), out_(out) {}

  void begin() override { emit(out_, head_.substr(0, head_.size() - 1) + ",\"results\":["); }
  void result(const Comparison& comparison) override {
    emit(out_, (first_ ? "\n" : ",\n") + to_text(comparison_json(comparison)));
    first_ = false;
  }
  void finish(const ComparisonTotal& total) override {
    emit(out_, (first_ ? "]" : "\n]") + (",\n\"total\":" + to_text(total_json(total))) + "}\n");
  }

 private:
  std::string head_;
  std::ostream& out_;
  bool first_ = true;
};

class CompareJsonLines final : public CompareReporter {
 public:
  CompareJsonLines(const CompareOptions& options, std::ostream& out) : head_(head_json(options)), out_(out) {}

  void begin() override {}
  void result(const Comparison& comparison) override { write("result", comparison_json(comparison)); }
  void finish(const ComparisonTotal& total) override { write("total", total_json(total)); }

 private:
  void write(const char* key, Json&& value) {
    Json line = head_;
    line[key] = std::move(value);
    emit(out_, to_text(line) + '\n');
  }

  Json head_;
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<CompareReporter> make_compare_json(const CompareOptions& options, std::ostream& out) {
  return std::make_unique<CompareJson>(options, out);
}
std::unique_ptr<CompareReporter> make_compare_jsonl(const CompareOptions& options, std::ostream& out) {
  return std::make_unique<CompareJsonLines>(options, out);
}

}  // namespace gpuhisto
