// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// JSON: one document, but written result by result, each on a line of its own. JSON lines: a document a line.
#include "report/fields.hpp"
#include "report/json_model.hpp"
#include "report/reporters.hpp"

namespace gpuhisto {
namespace {

class JsonReport : public Reporter {
 public:
  JsonReport(const ReportOptions& options, std::ostream& out) : options_(options), out_(out) {}

  void begin() override {
    const Json head = {{"schema", kSchema}, {"counting", counting_json(options_.counting)}};
    std::string text = to_text(head);
    text.pop_back();  // the document stays open
    emit(out_, text += ",\"results\":[");
  }
  void result(const FileResult& result) override {
    if (options_.total_only) return;
    emit(out_, (first_ ? "\n" : ",\n") + to_text(result_json(result, options_)));
    first_ = false;
  }
  void finish(const Total& total, bool) override {
    emit(out_, (first_ ? "]" : "\n]") + (",\n\"total\":" + to_text(total_json(total, options_))) + "}\n");
  }

 private:
  ReportOptions options_;
  std::ostream& out_;
  bool first_ = true;
};

class JsonLines : public Reporter {
 public:
  JsonLines(const ReportOptions& options, std::ostream& out) : options_(options), out_(out) {}

  void begin() override {}
  void result(const FileResult& result) override {
    if (!options_.total_only) write("result", result_json(result, options_));
  }
  void finish(const Total& total, bool) override { write("total", total_json(total, options_)); }

 private:
  void write(const char* key, Json&& value) {
    Json line = {{"schema", kSchema}, {"counting", counting_json(options_.counting)}};
    line[key] = std::move(value);
    emit(out_, to_text(line) + '\n');
  }

  ReportOptions options_;
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<Reporter> make_json(const ReportOptions& options, std::ostream& out) {
  return std::make_unique<JsonReport>(options, out);
}
std::unique_ptr<Reporter> make_jsonl(const ReportOptions& options, std::ostream& out) {
  return std::make_unique<JsonLines>(options, out);
}

}  // namespace gpuhisto
