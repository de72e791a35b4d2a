// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <ostream>

#include "bench/columns.hpp"
#include "report/fields.hpp"

namespace gpuhisto::bench {
namespace {

class CsvReporter final : public Reporter {
 public:
  explicit CsvReporter(std::ostream& out) : out_(out) {}
  void begin(const Environment&) override {
    std::string text;
    for_each_column({}, {},
                    [&](std::string_view name, const Cell&) { text += (text.empty() ? "" : ",") + std::string(name); });
    emit(out_, text + "\n");
  }
  void group(const Group& group) override {
    std::string text;
    for (const Line& line : group.lines) {
      bool first = true;
      for_each_column(group, line, [&](std::string_view, const Cell& cell) {
        if (!first) text += ',';
        first = false;
        if (const auto* word = std::get_if<std::string>(&cell))
          append_csv_field(text, *word);
        else
          append_value(text, std::get<Value>(cell));
      });
      text += '\n';
    }
    emit(out_, text);
  }
  void finish(bool) override {}

 private:
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<Reporter> make_csv_reporter(std::ostream& out) { return std::make_unique<CsvReporter>(out); }

}  // namespace gpuhisto::bench
