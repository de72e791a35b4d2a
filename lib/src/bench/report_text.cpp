// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <functional>
#include <ostream>

#include "bench/wording.hpp"
#include "report/fields.hpp"
#include "report/text_style.hpp"

namespace gpuhisto::bench {
namespace {

using Row = std::vector<std::string>;

/// Cells in aligned columns: the first and the last to the left, numbers to the right.
std::string aligned(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  std::string text;
  for (const Row& row : rows) {
    std::string line = "  ";
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool left = c == 0 || c + 1 == row.size();
      line += (c == 0 ? "" : "  ") + (left ? pad_right(row[c], widths[c]) : pad_left(row[c], widths[c]));
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

/// With about four digits, whatever the size.
std::string digits(double value) {
  return fixed(value, value >= 999.95 ? 0 : value >= 99.995 ? 1 : value >= 9.9995 ? 2 : value > 0 ? 3 : 0);
}

std::string percent_text(double share, int decimals) { return fixed(100 * share, decimals); }

std::string checked(const Line& line) {
  const Verification& check = line.verification;
  if (!line.note.empty() && check.rounds == 0) return "not run";
  if (line.kind != LineKind::kMethod) return "";
  if (!line.note.empty() && !line.mismatch()) return "stopped";
  if (!line.exact) {
    if (check.missing == 0) return "inexact, lost none";
    const double share = static_cast<double>(check.missing) / static_cast<double>(check.expected_total);
    return "inexact, lost " + percent_text(share, share < 0.01 ? 4 : 1) + " %";
  }
  if (check.wrong > 0) return "WRONG in " + std::to_string(check.wrong) + " of " + std::to_string(check.rounds);
  return std::to_string(check.rounds) + " of " + std::to_string(check.rounds);
}

/// The policy of --policy, which all of a device's lines have: told once, above them.
std::string common_policy(const Group& group) {
  std::string policy;
  for (const Line& line : group.lines)
    if (line.kind == LineKind::kMethod && line.label.empty() && group.target.id != "cpu") policy = line.policy;
  return policy;
}

std::string label(const Line& line) {
  if (line.kind == LineKind::kKernel) return "  " + line.kernel;
  if (!line.label.empty()) return line.label;
  return line.method == "cpu" ? name_of(line) : line.method;
}

struct Column {
  std::string header;
  std::function<std::string(const Line&)> cell;
};

bool is_part(const Line& line) { return line.kind == LineKind::kKernel; }

std::string table(const Group& group, const std::vector<Column>& columns, bool with_roofline) {
  std::vector<Row> rows(1);
  for (const Column& column : columns) rows[0].push_back(column.header);
  for (const Line& line : group.lines) {
    const bool roofline = line.kind == LineKind::kRead || line.kind == LineKind::kCopy;
    if (line.kind == LineKind::kEndToEnd || (roofline && !with_roofline)) continue;
    Row& row = rows.emplace_back();
    for (const Column& column : columns) row.push_back(column.cell(line));
  }
  return aligned(rows);
}

bool is_study(const Group& group) {
  return std::any_of(group.lines.begin(), group.lines.end(), [](const Line& line) { return !line.label.empty(); });
}
bool has_published(const Group& group) {
  return std::any_of(group.lines.begin(), group.lines.end(),
                     [](const Line& line) { return line.published.has_value(); });
}

void add_times(const Group& group, std::vector<Column>& columns) {
  const double read = group.read_rate();
  columns.push_back({"median us", [](const Line& line) {
                       return line.time.count > 0 ? digits(line.time.median * 1e6) : std::string();
                     }});
  if (!is_study(group))
    columns.push_back({"GB/s", [](const Line& line) {
                         return line.time.count > 0 && !is_part(line) ? digits(line.bytes_per_second() / 1e9)
                                                                      : std::string();
                       }});
  columns.push_back({group.shape.keys == Keys::kU32 ? "Gkeys/s" : "Gpix/s", [](const Line& line) {
                       return line.pixels_per_second() > 0 && !is_part(line) ? digits(line.pixels_per_second() / 1e9)
                                                                             : std::string();
                     }});
  columns.push_back({"% of read", [read](const Line& line) {
                       const bool shown = line.time.count > 0 && read > 0 && line.kind != LineKind::kCopy;
                       return shown && !is_part(line) ? percent_text(line.bytes_per_second() / read, 1) : std::string();
                     }});
  columns.push_back({"spread %", [](const Line& line) {
                       return line.time.count > 0 && !is_part(line)
                                  ? (line.noisy() ? "~ " : "") + percent_text(line.time.spread, 1)
                                  : std::string();
                     }});
}

void add_launches(const Group& group, std::vector<Column>& columns) {
  const auto add = [&](const char* header, auto cell) {
    columns.push_back({header, [cell](const Line& line) {
                         return line.description.block_threads > 0 ? cell(line.description) : std::string();
                       }});
  };
  add("regs", [](const Description& d) { return std::to_string(d.registers); });
  if (is_study(group)) return;
  add("shared B", [](const Description& d) { return std::to_string(d.shared_bytes); });
  add("occup. %", [](const Description& d) { return percent_text(d.occupancy, 0); });
}

void add_published(const Group& group, std::vector<Column>& columns) {
  if (!has_published(group)) return;
  columns.push_back(
      {"published", [](const Line& line) { return line.published && !is_part(line) ? line.published->figure : ""; }});
  if (group.target.timed)
    columns.push_back({"here : there", [](const Line& line) {
                         if (!line.published || is_part(line) || line.time.count == 0) return std::string();
                         return digits(line.pixels_per_second() / line.published->rate);
                       }});
}

/// Times, for a machine that has them.
std::string timed_table(const Group& group) {
  std::vector<Column> columns = {{is_study(group) ? "step" : "method", label}};
  add_times(group, columns);
  if (group.target.id != "cpu") add_launches(group, columns);
  add_published(group, columns);
  columns.push_back({"exact rounds", checked});
  return table(group, columns, true);
}

/// Counters, for a machine whose times mean nothing.
std::string counted_table(const Group& group) {
  std::vector<Column> columns = {{is_study(group) ? "step" : "method", label}};
  const auto add = [&](const std::string& header, auto cell) {
    columns.push_back(
        {header, [cell](const Line& line) { return line.counters ? cell(*line.counters, line) : std::string(); }});
  };
  const auto ratio = [](std::uint64_t a, std::uint64_t b) {
    return b > 0 ? digits(static_cast<double>(a) / static_cast<double>(b)) : std::string();
  };
  const std::string per = group.shape.keys == Keys::kU32 ? "/key" : "/px";
  add("global" + per, [ratio](const Counters& c, const Line& line) { return ratio(c.global_atomics, line.pixels); });
  add("shared" + per, [ratio](const Counters& c, const Line& line) { return ratio(c.shared_atomics, line.pixels); });
  add("passes", [ratio](const Counters& c, const Line&) { return ratio(c.shared_passes, c.shared_instructions); });
  add("met" + per, [ratio](const Counters& c, const Line& line) { return ratio(c.same_address, line.pixels); });
  add_published(group, columns);
  columns.push_back({"exact rounds", checked});
  return table(group, columns, false);
}

constexpr const char* kTimesLegend =
    "Medians of the rounds, launches back to back. read: reading alone, the limit; copy: bytes read and written; ~: "
    "noisy.\n";
constexpr const char* kCountersLegend =
    "Of one launch: global/, shared/: atomic updates of either memory per pixel or key; passes: how often a wave's\n"
    "access of shared memory is repeated for bank conflicts; met/: lanes that met another of their wave at one "
    "address.\n";

/// Why a line has no figure, and what a figure does not tell.
std::string footnotes(const Group& group) {
  std::string text;
  for (const Line& line : group.lines) {
    if (!line.note.empty() && line.kind != LineKind::kEndToEnd) text += "  " + label(line) + ": " + line.note + "\n";
    if (!line.exact && !group.target.timed && line.note.empty() && line.verification.missing == 0)
      text += "  " + label(line) + ": emulated lanes take turns only at barriers, so none get lost; on a GPU many do\n";
  }
  return text;
}

std::string machines(const Group& group) {
  std::string list;
  for (const Line& line : group.lines)
    if (line.published && list.find(line.published->machine) == std::string::npos)
      list += (list.empty() ? "" : "; ") + line.published->machine;
  if (group.source.empty()) return "";
  return "  study: " + group.source + (list.empty() ? "" : "; published figures: " + list) + "\n";
}

/// What the steps of a study are here.
std::string launches(const Group& group) {
  std::string text;
  for (const Line& line : group.lines) {
    if (line.label.empty() || is_part(line) || line.method == "cpu" || line.policy.empty()) continue;
    text += "    " + line.label + ": " + line.method + " " + line.policy + "\n";
  }
  return text;
}

std::string end_to_end_text(const Group& group) {
  for (const Line& line : group.lines) {
    if (line.kind != LineKind::kEndToEnd) continue;
    const std::string figures =
        " " + digits(line.time.median * 1e6) + " us, " + digits(line.bytes_per_second() / 1e9) + " GB/s";
    return "  with the transfer from host memory: " + line.method + (line.note.empty() ? figures : ": " + line.note) +
           (line.verification.wrong > 0 ? ", WRONG" : "") + "\n";
  }
  return "";
}

class TextReporter final : public Reporter {
 public:
  explicit TextReporter(std::ostream& out) : out_(out) {}
  void begin(const Environment&) override {}
  void group(const Group& group) override {
    std::string text = machine(group);
    if (!group.title.empty()) text += group.title + "\n";
    if (!group.note.empty()) text += "  " + group.note + "\n";
    text += (group.title.empty() ? "" : "  ") + describe_input(group) + (group.hot ? ", hot" : "");
    const std::string policy = common_policy(group);
    text += (policy.empty() ? "" : ", policy " + policy) + "\n";
    text += group.target.timed ? timed_table(group) : counted_table(group);
    text += end_to_end_text(group) + footnotes(group) + machines(group);
    if (std::string list = launches(group); list != launches_) {  // not again and again
      launches_ = list;
      text += list;
    }
    emit(out_, text);
  }
  void finish(bool) override {}

 private:
  /// Named where it changes.
  std::string machine(const Group& group) {
    const std::string name = group.target.id + ": " + group.target.name + "\n";
    std::string text = machine_.empty() ? "" : "\n";
    if (name == machine_) return text;
    machine_ = name;
    return text + name + (group.target.timed ? kTimesLegend : kCountersLegend) + "\n";
  }

  std::ostream& out_;
  std::string machine_, launches_;
};

}  // namespace

std::unique_ptr<Reporter> make_text_reporter(std::ostream& out) { return std::make_unique<TextReporter>(out); }

}  // namespace gpuhisto::bench
