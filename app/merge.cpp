// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/merge.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <set>
#include <utility>

#include "arguments.hpp"
#include "commands.hpp"
#include "console.hpp"
#include "exit_code.hpp"
#include "gpuhisto/error.hpp"
#include "output.hpp"
#include "outputs.hpp"
#include "report_flags.hpp"
#include "shared_options.hpp"
#include "values.hpp"

namespace gpuhisto::app {
namespace {

struct MergeFlags {
  std::vector<std::string> names;
  ReportFlags report;
  MessageFlags message;
  std::string percentiles = "1,5,95,99", sandbox;
  bool histograms = false, partial = false;
};

ReportOptions merge_options(const MergeFlags& flags) {
  ReportOptions options;
  options.counting.channels = parse_channels(flags.report.channels);
  options.percentiles = parse_percentiles(flags.percentiles);
  options.header = !flags.report.no_header;
  options.total_only = true;
  options.color = colors_report(flags.report);
  return options;
}

/// Adds the file; what is wrong with it is told, and returned as an exit code.
int add_table(Merge& merge, const std::string& name, Console& console) {
  const std::string shown = name == "-" ? "standard input" : printable_name(name);
  try {
    const auto source = open_file(name, [&] { console.note(shown + ": waiting for a writer"); });
    merge.add(*source, shown);
    return kExitOk;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kUsage)
      console.error(error.what());  // names the files
    else
      console.error(name, error.what());
    return exit_code_of(error.kind());
  }
}

void write_total(const Merge& merge, ReportOptions options, ReportFormat format, const MergeFlags& flags,
                 Console& console) {
  const ChannelSet shown = options.counting.channels;
  options.counting = merge.counting();
  options.counting.channels = options.counting.channels & shown;
  if (options.counting.channels.empty() && !merge.counting().channels.empty())
    throw Error(ErrorKind::kUsage, "of the channels of --channels none was counted: the tables have " +
                                       channel_list(merge.counting().channels));
  options.statistics = options.counting.bins == kBins;
  if (!options.statistics && !flags.histograms)
    console.note("tables of " + std::to_string(options.counting.bins) +
                 (options.counting.bins == 1 ? " bin" : " bins") + " have no statistics: --histograms gives the sums");
  Total total = merge.total();
  if (total.incomplete && flags.histograms && format == ReportFormat::kCsv) {
    total.incomplete = false;  // or there would be no rows
    console.note("the rows are the sums of counting that was cut, which this CSV does not say");
  }
  TextOutput out(unmark(flags.report.output));
  const auto reporter =
      flags.histograms ? make_hist_reporter(format, options, out) : make_stats_reporter(format, options, out);
  reporter->begin();
  reporter->finish(total, true);
  out.commit();
}

/// A file that is named twice, by whatever names, would be added twice.
void refuse_one_table_twice(const std::vector<std::string>& names) {
  std::set<std::pair<dev_t, ino_t>> seen;
  refuse_reading_twice({.names = names, .files_from = {}});
  for (const auto& name : names) {
    struct stat status {};
    const int failed = name == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(name.c_str(), &status);
    if (failed != 0 || seen.emplace(status.st_dev, status.st_ino).second) continue;
    throw Error(ErrorKind::kUsage, (name == "-" ? "standard input" : printable_name(name)) + " is named twice");
  }
}

int run_merge(const MergeFlags& flags, const std::vector<std::string>& tail) {
  Console console(console_options(flags.message));
  const auto names = names_of(flags.names, tail);
  if (names.empty()) throw Error(ErrorKind::kUsage, "no table: name JSON or JSON lines that stats or hist wrote");
  refuse_one_table_twice(names);
  const ReportFormat format = report_format(flags.report);
  const ReportOptions options = merge_options(flags);
  const InputOptions inputs{.names = names, .files_from = {}};
  refuse_inputs_as_outputs(inputs, {unmark(flags.report.output)});
  enter_sandbox(parse_sandbox(flags.sandbox), inputs, {.outputs = {unmark(flags.report.output)}}, console);
  Merge merge(flags.partial ? Merge::Accept::kPartial : Merge::Accept::kWhole);
  int exit = kExitOk;
  for (const auto& name : names) exit = worse(exit, add_table(merge, name, console));
  if (exit != kExitOk) return exit;  // a sum of some of them would pass for that of all
  for (const auto& name : merge.of_unknown_shard()) {
    if (merge.has_all_shards())
      throw Error(ErrorKind::kUsage, name + " was cut, and all shards are there without it: it would be added twice");
    if (names.size() > 1) console.note(name + " ends before it tells which shard it is of");
  }
  const std::string missing = merge.missing();
  if (!missing.empty()) {
    const std::string text = "shards missing, of " + std::to_string(merge.total().shard->count) + ": " + missing;
    if (!flags.partial) {
      console.error(text + "; --partial adds the others");
      return kExitFailed;
    }
    console.note(text);
  }
  write_total(merge, options, format, flags, console);
  const std::uint64_t failed = merge.total().failed;
  if (failed == 0) return kExitOk;
  console.error(std::to_string(failed) + (failed == 1 ? " input" : " inputs") + " had failed; the rest is added");
  return kExitFailed;
}

}  // namespace

Run add_merge(CLI::App& app) {
  auto flags = std::make_shared<MergeFlags>();
  app.add_option("TABLE", flags->names, "JSON or JSON lines of stats or hist; '-' is standard input")->type_name("");
  app.add_flag("--partial", flags->partial, "Add what is there: without missing shards, and of runs that were stopped")
      ->group("Input");
  add_report_flags(app, flags->report, "text, csv, json, jsonl");
  app.add_flag("--histograms", flags->histograms, "Text and CSV: the rows of hist, not statistics")->group("Output");
  app.add_option("--percentiles", flags->percentiles, "Percentiles to give [1,5,95,99]")
      ->type_name("LIST")
      ->group("Output");
  add_message_flags(app, flags->message);
  add_sandbox_flag(app, flags->sandbox);
  return [flags](const std::vector<std::string>& tail) { return run_merge(*flags, tail); };
}

}  // namespace gpuhisto::app
