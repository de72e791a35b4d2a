// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <ostream>

#include "bench/columns.hpp"
#include "report/json_model.hpp"

namespace gpuhisto::bench {
namespace {

Json cell_json(const Cell& cell) {
  if (const auto* word = std::get_if<std::string>(&cell)) return utf8_name(*word);
  return std::visit(
      [](auto number) {
        if constexpr (std::is_same_v<decltype(number), std::monostate>)
          return Json();
        else
          return Json(number);
      },
      std::get<Value>(cell));
}

/// Absent values are left out.
Json line_json(const Group& group, const Line& line) {
  Json json = Json::object();
  for_each_column(group, line, [&](std::string_view name, const Cell& cell) {
    const Json value = cell_json(cell);
    const bool absent = value.is_null() || (value.is_string() && value.get_ref<const std::string&>().empty());
    if (!absent) json[std::string(name)] = value;
  });
  json["hot"] = group.hot;
  return json;
}

class JsonReporter final : public Reporter {
 public:
  explicit JsonReporter(std::ostream& out) : out_(out) {}
  void begin(const Environment& environment) override {
    Json command = Json::array();
    for (const auto& word : environment.command) command.push_back(utf8_name(word));
    Json machines = Json::array();
    for (const auto& machine : environment.machines)
      machines.push_back(
          {{"device", machine.id}, {"device_name", utf8_name(machine.name)}, {"platform", machine.platform}});
    const Json head = {{"schema", kSchema},
                       {"environment",
                        {{"version", environment.version},
                         {"command", command},
                         {"seed", environment.seed},
                         {"threads", environment.threads},
                         {"devices", machines}}}};
    std::string text = to_text(head);
    text.pop_back();  // the document stays open
    emit(out_, text += ",\n\"results\":[");
  }
  void group(const Group& group) override {
    for (const Line& line : group.lines) {
      emit(out_, (first_ ? "\n" : ",\n") + to_text(line_json(group, line)));
      first_ = false;
    }
    for (auto& text : warnings(group)) warnings_.push_back(utf8_name(text));
  }
  void finish(bool complete) override {
    const std::string rest = complete ? "}\n" : ",\n\"incomplete\":true}\n";
    emit(out_, (first_ ? "]" : "\n]") + (",\n\"warnings\":" + to_text(warnings_)) + rest);
  }

 private:
  std::ostream& out_;
  bool first_ = true;
  Json warnings_ = Json::array();
};

}  // namespace

std::unique_ptr<Reporter> make_json_reporter(std::ostream& out) { return std::make_unique<JsonReporter>(out); }

}  // namespace gpuhisto::bench
