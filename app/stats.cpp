// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <unistd.h>

#include <memory>

#include "arguments.hpp"
#include "batch.hpp"
#include "commands.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/report.hpp"
#include "output.hpp"
#include "outputs.hpp"
#include "report_flags.hpp"
#include "shard.hpp"
#include "shared_options.hpp"
#include "terminal_output.hpp"
#include "values.hpp"

namespace gpuhisto::app {
namespace {

struct StatsFlags {
  InputFlags input;
  CommonFlags common;
  ReportFlags report;
  std::string percentiles = "1,5,95,99";
  bool histograms = false;
};

/// A few lines; a file is no terminal.
TerminalOptions sketch_options(TerminalOptions terminal, bool color) {
  constexpr int kRows = 6;
  terminal.rows = kRows;
  terminal.color = color;
  return terminal;
}

int run_stats(const StatsFlags& flags, const std::vector<std::string>& tail) {
  Console console(console_options(flags.common.message));
  const InputOptions named = input_options(flags.input, tail);
  const Inputs inputs =
      shard_of(never_replaced(list_inputs(named), {unmark(flags.report.output)}), flags.input.shard, console);
  const ReportFormat format = report_format(flags.report);
  check_total_flags(flags.report, format);
  if (parse_bins(flags.report.bins) != kBins && (format == ReportFormat::kText || format == ReportFormat::kCsv))
    throw Error(ErrorKind::kUsage,
                "--bins is for the histograms in JSON, statistics are of all levels; hist has tables of bins");
  refuse_inputs_as_outputs(with_mask(named, flags.common), {unmark(flags.report.output)});
  // Before the sandbox, which lets no file of the locale be read.
  const TerminalOptions terminal = flags.common.message.verbose ? terminal_options() : TerminalOptions{};
  enter_sandbox(flags.common, named, {.outputs = {unmark(flags.report.output)}}, console);
  Plan plan = make_plan(flags.common, named, console);
  ReportOptions options = report_options(flags.report, plan);
  options.percentiles = parse_percentiles(flags.percentiles);
  options.histograms = flags.histograms;
  if (flags.common.message.verbose) options.sketch = sketch_options(terminal, options.color);
  return report_batch(inputs, plan, console, flags.report,
                      [&](std::ostream& out) { return make_stats_reporter(format, options, out); });
}

}  // namespace

Run add_stats(CLI::App& app) {
  auto flags = std::make_shared<StatsFlags>();
  add_input_flags(app, flags->input);
  add_report_flags(app, flags->report, "text, csv, json, jsonl");
  add_total_flags(app, flags->report);
  app.add_flag("--histograms", flags->histograms, "JSON: each image's histograms too")->group("Output");
  add_bins_flag(app, flags->report,
                "JSON: histograms of N bins of equal width, 1 to 256 [256];\nthe statistics stay those of the levels");
  app.add_option("--percentiles", flags->percentiles, "Percentiles to give [1,5,95,99]")
      ->type_name("LIST")
      ->group("Output");
  add_common_flags(app, flags->common);
  app.get_option("--verbose")->description("Tell how the work is done; in text, sketch each histogram");
  return [flags](const std::vector<std::string>& tail) { return run_stats(*flags, tail); };
}

}  // namespace gpuhisto::app
