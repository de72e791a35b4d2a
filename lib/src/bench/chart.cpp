// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Results as a chart: a row a method, a bar an input.
#include <algorithm>

#include "bench/wording.hpp"
#include "report/text_style.hpp"

namespace gpuhisto::bench {
namespace {

/// About three digits.
std::string short_number(double value) {
  if (value == 0) return "0";
  if (value < 0.0005) return "<0.001";
  return fixed(value, value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3);
}

bool all_equal(std::span<const Group> groups, std::string (*text)(const Group&)) {
  return std::all_of(groups.begin(), groups.end(),
                     [&](const Group& group) { return text(group) == text(groups.front()); });
}

std::string size_of(const Group& group) {
  return describe_input(group).substr(group.input.name.size() + 2);  // without "NAME, "
}
std::string device_of(const Group& group) { return group.target.id + ", " + group.target.name; }
/// "STUDY" of "STUDY: CASE"; "" where there is none.
std::string study_of(const Group& group) {
  return group.title.substr(0, std::min(group.title.find(": "), group.title.size()));
}

std::string series_name(std::span<const Group> groups, const Group& group) {
  const std::size_t study = group.title.find(": ");
  std::string name = study == std::string::npos ? group.input.name : group.title.substr(study + 2);
  if (group.title.empty() && !all_equal(groups, size_of)) name += ", " + size_of(group);
  if (!all_equal(groups, device_of)) name += ", " + group.target.id;
  return name;
}

Bar bar_of(const Group& group, const Line& line, std::size_t series) {
  Bar bar;
  bar.series = series;
  bar.suspect = line.mismatch() || !line.exact;
  if (group.target.timed) {
    bar.value = line.bytes_per_second() / 1e9;
    bar.text = short_number(bar.value) + " GB/s";
    const double read = group.read_rate();
    if (read > 0) bar.text += ", " + fixed(100 * line.bytes_per_second() / read, 0) + " %";
  } else if (line.counters && line.pixels > 0) {
    bar.value = static_cast<double>(line.counters->global_atomics) / static_cast<double>(line.pixels);
    bar.text = short_number(bar.value);
  }
  if (line.mismatch()) bar.text += " WRONG";
  if (!line.exact) bar.text += " (inexact)";
  return bar;
}

BarRow& row_of(BarChart& chart, const std::string& label) {
  for (BarRow& row : chart.rows)
    if (row.label == label) return row;
  return chart.rows.emplace_back(BarRow{label, {}});
}

}  // namespace

BarChart make_chart(std::span<const Group> groups) {
  BarChart chart;
  if (groups.empty()) return chart;
  const bool timed = groups.front().target.timed;
  chart.title = timed ? "Counting methods" : "What counting methods ask of memory";
  if (const std::string study = study_of(groups.front()); !study.empty()) chart.title = study;
  if (all_equal(groups, device_of)) chart.title += " on " + device_of(groups.front());
  if (all_equal(groups, size_of)) chart.subtitle = size_of(groups.front());
  if (groups.size() == 1) chart.subtitle = describe_input(groups.front());
  chart.caption = timed ? "GB/s, and share of reading alone" : "global atomics per pixel or key";
  for (const Group& group : groups) {
    if (group.target.timed != timed) continue;  // no common axis
    const std::size_t series = chart.series.size();
    chart.series.push_back(series_name(groups, group));
    if (timed && group.read_rate() / 1e9 > chart.limit) {
      chart.limit = group.read_rate() / 1e9;
      chart.limit_text =
          (groups.size() > 1 ? "reading alone, the fastest: " : "reading alone: ") + short_number(chart.limit);
    }
    for (const Line& line : group.lines)
      if (line.kind == LineKind::kMethod && line.note.empty())
        row_of(chart, line.label.empty() ? name_of(line) : line.label).bars.push_back(bar_of(group, line, series));
  }
  return chart;
}

}  // namespace gpuhisto::bench
