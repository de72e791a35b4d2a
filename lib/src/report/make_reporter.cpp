// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/error.hpp"
#include "report/fields.hpp"
#include "report/reporters.hpp"

namespace gpuhisto {

std::unique_ptr<Reporter> make_stats_reporter(ReportFormat format, const ReportOptions& options, std::ostream& out) {
  if (format == ReportFormat::kCsv) return make_stats_csv(with_defaults(options), out);
  throw Error(ErrorKind::kUnsupported, "this build reports in CSV only");
}

std::unique_ptr<Reporter> make_hist_reporter(ReportFormat format, const ReportOptions& options, std::ostream& out) {
  if (format == ReportFormat::kCsv) return make_hist_csv(with_defaults(options), out);
  throw Error(ErrorKind::kUnsupported, "this build reports in CSV only");
}

}  // namespace gpuhisto
