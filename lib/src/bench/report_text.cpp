// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
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
  return fixed(value, value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : value > 0 ? 3 : 0);
}

std::string percent_text(double share, int decimals) { return fixed(100 * share, decimals); }

std::string checked(const Line& line) {
  const Verification& check = line.verification;
  if (!line.note.empty()) return line.note;
  if (line.kind != LineKind::kMethod) return "";
  if (!line.exact) {
    if (check.missing == 0) return "inexact, lost nothing this time";
    const double share = static_cast<double>(check.missing) / static_cast<double>(check.expected_total);
    return "inexact, lost " + percent_text(share, share < 0.01 ? 4 : 1) + " %";
  }
  if (check.wrong > 0) return "WRONG";
  return std::to_string(check.rounds) + " of " + std::to_string(check.rounds);
}

std::string label(const Line& line) {
  if (line.kind == LineKind::kKernel) return "  " + line.kernel;
  return name_of(line);
}

/// Times, for a machine that has them.
std::string timed_table(const Group& group) {
  const double read = group.read_rate();
  const bool device = group.target.id != "cpu";
  std::vector<Row> rows = {{"method", "median us", "GB/s", "Gpix/s", "% of read", "spread %"}};
  if (group.shape.keys == Keys::kU32) rows[0][3] = "Gkeys/s";
  if (device) rows[0].insert(rows[0].end(), {"regs", "shared B", "occup. %"});
  rows[0].push_back("exact rounds");
  for (const Line& line : group.lines) {
    if (line.kind == LineKind::kEndToEnd) continue;
    Row row = {label(line), "", "", "", "", ""};
    const bool part = line.kind == LineKind::kKernel;
    if (line.time.count > 0) row[1] = digits(line.time.median * 1e6);
    if (line.time.count > 0 && !part) {
      row[2] = digits(line.bytes_per_second() / 1e9);
      if (line.pixels > 0) row[3] = digits(line.pixels_per_second() / 1e9);
      if (read > 0 && line.kind != LineKind::kCopy) row[4] = percent_text(line.bytes_per_second() / read, 1);
      row[5] = (line.noisy() ? "~ " : "") + percent_text(line.time.spread, 1);
    }
    const Description& d = line.description;
    const bool described = d.block_threads > 0;
    if (device)
      row.insert(row.end(),
                 {described ? std::to_string(d.registers) : "", described ? std::to_string(d.shared_bytes) : "",
                  described ? percent_text(d.occupancy, 0) : ""});
    row.push_back(checked(line));
    rows.push_back(std::move(row));
  }
  return aligned(rows);
}

/// Counters, for a machine whose times mean nothing.
std::string counted_table(const Group& group) {
  std::vector<Row> rows = {
      {"method", "global atomics", "shared atomics", "passes per shared access", "same address %", "exact rounds"}};
  for (const Line& line : group.lines) {
    if (line.kind != LineKind::kMethod) continue;
    Row row = {label(line), "", "", "", "", checked(line)};
    if (line.counters) {
      const Counters& c = *line.counters;
      row[1] = std::to_string(c.global_atomics);
      row[2] = std::to_string(c.shared_atomics);
      if (c.shared_instructions > 0)
        row[3] = fixed(static_cast<double>(c.shared_passes) / static_cast<double>(c.shared_instructions), 2);
      if (c.shared_atomics > 0)
        row[4] = percent_text(static_cast<double>(c.same_address) / static_cast<double>(c.shared_atomics), 1);
    }
    rows.push_back(std::move(row));
  }
  return aligned(rows);
}

std::string end_to_end_text(const Group& group) {
  for (const Line& line : group.lines)
    if (line.kind == LineKind::kEndToEnd)
      return "  with the transfer from host memory: " + line.method + " " + digits(line.time.median * 1e6) + " us, " +
             digits(line.bytes_per_second() / 1e9) + " GB/s" + (line.verification.wrong > 0 ? ", WRONG" : "") + "\n";
  return "";
}

std::string heading(const Group& group) {
  std::string text = describe_input(group);
  if (group.hot) text += ", hot";
  text += " on " + group.target.id + " (" + group.target.name + ")";
  if (!group.target.timed) text += ": what one launch does to memory";
  return text + "\n";
}

class TextReporter final : public Reporter {
 public:
  explicit TextReporter(std::ostream& out) : out_(out) {}
  void begin(const Environment&) override {}
  void group(const Group& group) override {
    std::string text = first_ ? "" : "\n";
    first_ = false;
    text += heading(group);
    text += group.target.timed ? timed_table(group) : counted_table(group);
    text += end_to_end_text(group);
    emit(out_, text);
  }
  void finish() override {}

 private:
  std::ostream& out_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<Reporter> make_text_reporter(std::ostream& out) { return std::make_unique<TextReporter>(out); }

}  // namespace gpuhisto::bench
