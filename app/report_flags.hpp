// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include "console.hpp"
#include "gpuhisto/report.hpp"
#include "inputs.hpp"
#include "shared_options.hpp"

namespace gpuhisto::app {

/// What stats and hist share of their output.
struct ReportFlags {
  std::string format;  ///< as given; "": by the ending of the output's name, else the usual one
  std::string usual = "text";
  std::string channels = "all";
  std::string output = "-", bins = "256";
  bool no_header = false, total_only = false, no_total = false;
};
void add_report_flags(CLI::App& app, ReportFlags& flags, const std::string& formats);
void add_total_flags(CLI::App& app, ReportFlags& flags);
/// Throws Error(kUsage) for what leaves nothing to report, or is not for this format.
void check_total_flags(const ReportFlags& flags, ReportFormat format);
void add_bins_flag(CLI::App& app, ReportFlags& flags, const std::string& help);
/// `formats` names those that the command writes. Throws Error(kUsage) for any other.
ReportFormat parse_report_format(const std::string& text, const std::string& formats = "text, csv, json or jsonl");
/// "csv", "json" or "jsonl" by the ending of a file's name; `usual` where it tells nothing.
std::string format_named_by(const std::string& output, const std::string& usual);
ReportFormat report_format(const ReportFlags& flags);
bool colors_report(const ReportFlags& flags);
/// What a report tells of how the plan counts.
Counting counting_of(const Plan& plan, std::size_t bins);
/// Sets the plan's channels too.
ReportOptions report_options(const ReportFlags& flags, Plan& plan);

/// Counts all inputs and reports them; `total` (may be null) gets the sum. Returns the exit code. Interrupted by a
/// signal, a report on standard output is ended, marked as incomplete, but a file is left as it was.
int report_batch(const Inputs& inputs, const Plan& plan, Console& console, const ReportFlags& flags,
                 const std::function<std::unique_ptr<Reporter>(std::ostream&)>& make_reporter, Total* total = nullptr);

}  // namespace gpuhisto::app
