// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// One maker for each reporter; `options` have their defaults filled in.
#pragma once

#include <memory>

#include "gpuhisto/report.hpp"

namespace gpuhisto {

std::unique_ptr<Reporter> make_stats_csv(const ReportOptions& options, std::ostream& out);
std::unique_ptr<Reporter> make_hist_csv(const ReportOptions& options, std::ostream& out);
std::unique_ptr<Reporter> make_json(const ReportOptions& options, std::ostream& out);
std::unique_ptr<Reporter> make_jsonl(const ReportOptions& options, std::ostream& out);
std::unique_ptr<Reporter> make_stats_text(const ReportOptions& options, std::ostream& out);
std::unique_ptr<Reporter> make_hist_text(const ReportOptions& options, std::ostream& out);

}  // namespace gpuhisto
