// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <memory>

#include "arguments.hpp"
#include "batch.hpp"
#include "commands.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/report.hpp"
#include "outputs.hpp"
#include "plot_file.hpp"
#include "report_flags.hpp"
#include "shard.hpp"
#include "shared_options.hpp"
#include "values.hpp"

namespace gpuhisto::app {
namespace {

struct HistFlags {
  InputFlags input;
  CommonFlags common;
  ReportFlags report{.format = "", .usual = "csv"};
  std::string plot;
  bool cumulative = false;
};

/// The plot's file, "" when none is wanted. What is wrong with the name is told before the work.
std::string plot_path(const HistFlags& flags) {
  std::string path = unmark(flags.plot);
  if (path.empty()) return path;
  plot_format_of(path);
  refuse_one_output(path, unmark(flags.report.output));
  return path;
}

void plot_total(const HistFlags& flags, const std::vector<std::string>& names, const Total& total, const Plan& plan,
                const std::string& path, Console& console) {
  PlotOptions options;
  options.channels = plan.count.spec.channels;
  options.cumulative = flags.cumulative;
  options.title = total.ok != 1       ? std::to_string(total.ok) + " images"
                  : names.size() == 1 ? plot_title(names.front())
                                      : "1 image";
  options.bins = parse_bins(flags.report.bins);
  write_scene(make_histogram_scene(total.histogram, options), path, plot_format_of(path), console);
}

int run_hist(const HistFlags& flags, const std::vector<std::string>& tail) {
  Console console(console_options(flags.common.message));
  const InputOptions named = input_options(flags.input, tail);
  const Inputs inputs = shard_of(never_replaced(list_inputs(named), {unmark(flags.report.output), unmark(flags.plot)}),
                                 flags.input.shard, console);
  const ReportFormat format = report_format(flags.report);
  check_total_flags(flags.report, format);
  const std::string plot = plot_path(flags);
  SandboxNeeds needs{.outputs = {unmark(flags.report.output), plot}};
  if (!plot.empty()) needs.modules = modules_to_draw(plot_format_of(plot));
  refuse_inputs_as_outputs(with_mask(named, flags.common), needs.outputs);
  enter_sandbox(flags.common, named, needs, console);
  if (!plot.empty()) check_writable(plot);
  Plan plan = make_plan(flags.common, named, console);
  ReportOptions options = report_options(flags.report, plan);
  options.histograms = true;
  options.cumulative = flags.cumulative;
  Total total;
  const auto make = [&](std::ostream& out) { return make_hist_reporter(format, options, out); };
  const int exit = report_batch(inputs, plan, console, flags.report, make, &total);
  if (!plot.empty() && total.incomplete)
    console.error(printable_name(plot) + " is not drawn: the total is incomplete");
  else if (!plot.empty() && total.ok > 0)
    plot_total(flags, named.names, total, plan, plot, console);
  return exit;
}

}  // namespace

Run add_hist(CLI::App& app) {
  auto flags = std::make_shared<HistFlags>();
  add_input_flags(app, flags->input);
  add_report_flags(app, flags->report, "csv, json, jsonl, text");
  add_total_flags(app, flags->report);
  app.add_flag("--cumulative", flags->cumulative, "Running sums instead of counts")->group("Output");
  add_bins_flag(app, flags->report, "Bins of equal width, 1 to 256: value v is in bin v*N/256,\nrounded down [256]");
  app.add_option("--plot", flags->plot, "Draw the histogram (of all images together) as .png or .svg too")
      ->type_name("FILE")
      ->group("Output");
  add_common_flags(app, flags->common);
  return [flags](const std::vector<std::string>& tail) { return run_hist(*flags, tail); };
}

}  // namespace gpuhisto::app
