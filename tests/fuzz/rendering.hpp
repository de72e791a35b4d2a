// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <sstream>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/report.hpp"

namespace gpuhisto::fuzz {

enum class Kind { kStats, kHist };
inline constexpr ReportFormat kFormats[] = {ReportFormat::kText, ReportFormat::kCsv, ReportFormat::kJson,
                                            ReportFormat::kJsonl};

/// What hist could have written them from.
inline std::vector<FileResult> results_of(const std::vector<Table>& tables) {
  std::vector<FileResult> results(tables.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    results[i].input = tables[i].input;
    results[i].histogram = tables[i].histogram;
  }
  return results;
}

/// What stats or hist prints.
inline std::string render(Kind kind, ReportFormat format, const ReportOptions& options,
                          const std::vector<FileResult>& results, const Total& total) {
  std::ostringstream out;
  const auto reporter =
      kind == Kind::kStats ? make_stats_reporter(format, options, out) : make_hist_reporter(format, options, out);
  reporter->begin();
  for (const auto& result : results) reporter->result(result);
  reporter->finish(total, results.size() != 1);
  return out.str();
}

inline bool same_counts(const ImageHistogram& a, const ImageHistogram& b) {
  return a.channels == b.channels && a.counts == b.counts;
}

/// What hist wrote of results that all have counts, read again.
inline void check_read_again(const std::string& text, const std::vector<FileResult>& results) {
  const TableFile file = read_tables(*open_memory(bytes_of(text)), std::uint64_t{1} << 28);
  require(file.tables.size() >= results.size(), "every table is written");
  for (std::size_t i = 0; i < results.size(); ++i) {
    require(file.tables[i].input == results[i].input, "a name is read as it was written");
    require(same_counts(file.tables[i].histogram, results[i].histogram), "counts are read as they were written");
  }
}

}  // namespace gpuhisto::fuzz
