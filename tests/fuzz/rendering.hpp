// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <sstream>
#include <vector>

#include "fuzz/fuzz.hpp"
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

}  // namespace gpuhisto::fuzz
