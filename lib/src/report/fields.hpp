// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// What all reports share: the names of the numbers, in one order, and how numbers become text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gpuhisto/report.hpp"

namespace gpuhisto {

using Value = std::variant<std::monostate, std::uint64_t, int, double>;  ///< monostate: absent

struct Field {
  std::string_view name;
  Value value;
};
/// Calls use(Field) for each statistic in the order of the CSV's columns, percentiles last. `percentiles` are those
/// that `statistics` was computed with.
template <class Use>
void for_each_field(const ChannelStatistics& s, const std::vector<Percentile>& percentiles, const Use& use) {
  const auto value = [](const auto& optional) { return optional ? Value(*optional) : Value(); };
  use(Field{"count", s.count});
  use(Field{"min", value(s.min)});
  use(Field{"max", value(s.max)});
  use(Field{"mean", value(s.mean)});
  use(Field{"std", value(s.std)});
  use(Field{"variance", value(s.variance)});
  use(Field{"mean01", value(s.mean01)});
  use(Field{"std01", value(s.std01)});
  use(Field{"median", value(s.median)});
  use(Field{"mode", value(s.mode)});
  use(Field{"entropy", value(s.entropy)});
  use(Field{"skewness", value(s.skewness)});
  use(Field{"kurtosis", value(s.kurtosis)});
  use(Field{"at0", value(s.at0)});
  use(Field{"at255", value(s.at255)});
  for (std::size_t i = 0; i < percentiles.size(); ++i) {
    const std::string name = "p" + percentiles[i].text;
    use(Field{name, value(s.percentiles[i])});
  }
}

/// Appends the shortest text that reads back as the same number, '.' in every locale; nothing when absent.
void append_value(std::string& out, const Value& value);
void append_number(std::string& out, std::uint64_t number);

std::string_view status_name(Status status);  ///< "ok", "error", "skipped"
/// "incomplete", or "error" when an input failed, or "ok".
std::string_view total_status_name(const Total& total);

/// Of a channel, as the options tell: its count alone where they have no statistics.
ChannelStatistics statistics_of(const Histogram& histogram, const ReportOptions& options);

/// The channels to show, in the order of the enum.
std::vector<Channel> shown_channels(const ImageHistogram& histogram, ChannelSet wanted);

/// The options with the default percentiles 1, 5, 95, 99 where none are given.
ReportOptions with_defaults(ReportOptions options);

/// Appends a CSV field, quoted as RFC 4180 asks: only where it must be.
void append_csv_field(std::string& out, std::string_view field);
inline constexpr std::string_view kHistHeader = "file,value,luma,red,green,blue,alpha";

/// Hands a finished piece of the report to the stream and on to its reader.
void emit(std::ostream& out, std::string_view piece);

}  // namespace gpuhisto
