// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "report/fields.hpp"
#include "report/reporters.hpp"

namespace gpuhisto {

std::unique_ptr<Reporter> make_stats_reporter(ReportFormat format, const ReportOptions& options, std::ostream& out) {
  switch (format) {
    case ReportFormat::kText:
      return make_stats_text(with_defaults(options), out);
    case ReportFormat::kCsv:
      return make_stats_csv(with_defaults(options), out);
    case ReportFormat::kJson:
      return make_json(with_defaults(options), out);
    case ReportFormat::kJsonl:
      return make_jsonl(with_defaults(options), out);
  }
  return nullptr;
}

std::unique_ptr<Reporter> make_hist_reporter(ReportFormat format, const ReportOptions& options, std::ostream& out) {
  ReportOptions with_tables = with_defaults(options);
  with_tables.histograms = true;
  switch (format) {
    case ReportFormat::kText:
      return make_hist_text(with_tables, out);
    case ReportFormat::kCsv:
      return make_hist_csv(with_tables, out);
    case ReportFormat::kJson:
      return make_json(with_tables, out);
    case ReportFormat::kJsonl:
      return make_jsonl(with_tables, out);
  }
  return nullptr;
}

}  // namespace gpuhisto
