// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "report_flags.hpp"

#include <unistd.h>

#include "arguments.hpp"
#include "batch.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/report.hpp"
#include "output.hpp"
#include "values.hpp"

namespace gpuhisto::app {

void add_report_flags(CLI::App& app, ReportFlags& flags, const std::string& formats) {
  app.add_option("--format", flags.format, formats + "\n[" + flags.usual + ", unless -o ends in .csv, .json or .jsonl]")
      ->type_name("NAME")
      ->group("Output");
  app.add_option("--channels", flags.channels, "all [all], or a list of luma, red, green, blue, alpha")
      ->type_name("LIST")
      ->group("Output");
  app.add_option("-o,--output", flags.output, "Write to FILE, which appears whole or not at all [standard output]")
      ->type_name("FILE")
      ->group("Output");
  app.add_flag("--no-header", flags.no_header, "CSV without its first line")->group("Output");
}

void add_total_flags(CLI::App& app, ReportFlags& flags) {
  app.add_flag("--total-only", flags.total_only, "Only the total over all images")->group("Output");
  app.add_flag("--no-total", flags.no_total, "CSV and text: only the images, not their total")->group("Output");
}

void check_total_flags(const ReportFlags& flags, ReportFormat format) {
  if (!flags.no_total) return;
  if (flags.total_only) throw Error(ErrorKind::kUsage, "--total-only and --no-total leave nothing to tell");
  if (format == ReportFormat::kJson || format == ReportFormat::kJsonl)
    throw Error(ErrorKind::kUsage, "--no-total is for CSV and text: in JSON nothing is mistaken for the total");
}

void add_bins_flag(CLI::App& app, ReportFlags& flags, const std::string& help) {
  app.add_option("--bins", flags.bins, help)->type_name("N")->group("Output");
}

ReportFormat parse_report_format(const std::string& text, const std::string& formats) {
  if (text == "text") return ReportFormat::kText;
  if (text == "csv") return ReportFormat::kCsv;
  if (text == "json") return ReportFormat::kJson;
  if (text == "jsonl" && formats.find("jsonl") != std::string::npos) return ReportFormat::kJsonl;
  throw Error(ErrorKind::kUsage, "'" + text + "' is not a format: " + formats);
}

std::string format_named_by(const std::string& output, const std::string& usual) {
  for (const std::string format : {"csv", "json", "jsonl"})
    if (output.ends_with('.' + format)) return format;
  return usual;
}

ReportFormat report_format(const ReportFlags& flags) {
  return parse_report_format(flags.format.empty() ? format_named_by(unmark(flags.output), flags.usual) : flags.format);
}

bool colors_report(const ReportFlags& flags) { return flags.output == "-" && color_allowed(STDOUT_FILENO); }

Counting counting_of(const Plan& plan, std::size_t bins) {
  const CountSpec& spec = plan.count.spec;
  return {.luma = spec.luma,
          .skip_transparent = spec.predicate.skip_transparent,
          .channels = spec.channels,
          .roi = spec.predicate.rectangle,
          .mask = plan.mask_name,
          .bins = bins};
}

ReportOptions report_options(const ReportFlags& flags, Plan& plan) {
  ReportOptions options;
  plan.count.spec.channels = parse_channels(flags.channels);
  options.counting = counting_of(plan, parse_bins(flags.bins));
  options.header = !flags.no_header;
  options.total_only = flags.total_only;
  options.color = colors_report(flags);
  return options;
}

int report_batch(const Inputs& inputs, const Plan& plan, Console& console, const ReportFlags& flags,
                 const std::function<std::unique_ptr<Reporter>(std::ostream&)>& make_reporter, Total* total) {
  const std::string path = unmark(flags.output);
  TextOutput out(path);
  const auto reporter = make_reporter(out);
  Total sum;
  std::uint64_t inputs_seen = 0;
  reporter->begin();
  const BatchEnd end = count_batch(inputs, plan, console, [&](const FileResult& result) {
    ++inputs_seen;
    sum.add(result);
    reporter->result(result);
    out.flush();
  });
  if (inputs.shard) sum.shard = inputs.shard->set();
  sum.incomplete = end.incomplete;
  reporter->finish(sum, !flags.no_total && (inputs_seen > 1 || sum.incomplete));
  if (total) *total = sum;
  if (end.incomplete && end.interrupted && path != "-") {
    console.error(printable_name(path) + " is not written");
    return end.exit;
  }
  out.commit();
  return end.exit;
}

}  // namespace gpuhisto::app
