// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/compare.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "arguments.hpp"
#include "batch.hpp"
#include "commands.hpp"
#include "exit_code.hpp"
#include "gpuhisto/error.hpp"
#include "output.hpp"
#include "outputs.hpp"
#include "reference.hpp"
#include "report_flags.hpp"
#include "shared_options.hpp"
#include "values.hpp"

namespace gpuhisto::app {
namespace {

struct CompareFlags {
  InputFlags input;
  CommonFlags common;
  ReportFlags report{.format = "", .channels = "", .bins = ""};
  std::string sort;
};

/// The flags that only this command has, as values.
struct Wishes {
  ReportFormat format;
  std::optional<ChannelSet> channels;
  std::optional<std::size_t> bins;
  std::optional<Metric> sort;
};

Wishes parse_wishes(const CompareFlags& flags) {
  Wishes wishes{report_format(flags.report), {}, {}, {}};
  if (!flags.report.channels.empty()) wishes.channels = parse_channels(flags.report.channels);
  if (!flags.report.bins.empty()) wishes.bins = parse_bins(flags.report.bins);
  std::string sort = flags.sort;
  std::replace(sort.begin(), sort.end(), '-', '_');  // as the heading of the text spells it
  if (!sort.empty() && !(wishes.sort = metric_of_name(sort)))
    throw Error(ErrorKind::kUsage,
                "'" + flags.sort + "' is no distance: l1, chi_square, intersection, bhattacharyya or emd");
  return wishes;
}

/// The first input that is not skipped, with its notes or its error told.
FileResult read_reference(Inputs& inputs, const Plan& plan, Console& console) {
  CountOptions alone = plan.count;
  alone.workers = 1;
  for (Input input; inputs.list(input); input = {}) {
    if (inputs.count) --*inputs.count;
    ++inputs.taken;
    FileResult result = count_or_read_later(input, alone, plan.threads).take();
    console.tell(result);
    if (result.status != Status::kSkipped) return result;
  }
  throw Error(ErrorKind::kUsage, "no reference to compare with was found");
}

/// What may be meant: how much an image is like a part of another.
void note_other_pixels(const FileResult& reference, const Plan& plan, Console& console) {
  if (!reference.tables || !reference.tables->counting_told) return;
  const Counting here = counting_of(plan, kBins), there = reference.tables->counting;
  if (here.skip_transparent != there.skip_transparent || here.roi != there.roi || here.mask != there.mask)
    console.note("the reference was counted with another --alpha, --roi or --mask");
}

Channel first_of(ChannelSet channels) {
  for (const Channel channel : kChannels)
    if (channels.has(channel)) return channel;
  return Channel::kLuma;
}

/// Those that are shown. Text shows one where none is named: luma, or the first that the reference has.
ChannelSet shown_channels(const Wishes& wishes, const ImageHistogram& reference) {
  const ChannelSet wanted = wishes.channels.value_or(
      wishes.format == ReportFormat::kText ? ChannelSet().set(first_of(reference.channels)) : ChannelSet::all());
  if ((wanted & reference.channels).empty())
    throw Error(ErrorKind::kInput, "has none of the channels to compare: " + channel_list(wanted));
  return wanted;
}

std::unique_ptr<CompareReporter> make_reporter(const Wishes& wishes, const Plan& plan, const CompareOptions& options,
                                               std::ostream& out) {
  auto reporter = make_compare_reporter(wishes.format, options, out);
  if (!wishes.sort) return reporter;
  const Channel by = first_of(options.counting.channels & options.counts.channels);
  return make_sorted(std::move(reporter), *wishes.sort, by, plan.count.decode.max_memory);
}

/// Compares the rest of the inputs, and reports as report_batch() does.
BatchEnd compare_all(const Inputs& inputs, const Plan& plan, const Reference& reference, CompareReporter& reporter,
                     Console& console) {
  std::vector<Comparison> comparisons;  // of the input whose turn it is
  ComparisonTotal total;
  Batch batch;
  batch.work = [&](const Input& input, int threads) { return count_or_read_later(input, plan.count, threads); };
  batch.judge = [&](FileResult& result) { comparisons = reference.compare(result, plan.count.spec.channels); };
  batch.report = [&](const FileResult&) {
    for (const Comparison& comparison : comparisons) {
      total.add(comparison);
      reporter.result(comparison);
    }
  };
  reporter.begin();
  const BatchEnd end = run_batch(inputs, plan, console, batch);
  total.incomplete = end.incomplete;
  reporter.finish(total);
  return end;
}

int report(const CompareFlags& flags, const Wishes& wishes, const FileResult& first, const Inputs& inputs, Plan& plan,
           Console& console) {
  std::optional<Reference> reference;
  CompareOptions options;
  try {
    reference.emplace(first, plan.count.spec.luma, wishes.bins);
    plan.count.spec.channels = shown_channels(wishes, reference->counts());
  } catch (const Error& error) {
    console.error(first.input, error.what());
    return exit_code_of(error.kind());
  }
  options.counting = counting_of(plan, reference->bins());
  options.reference = first.input;
  options.counts = reference->counts();
  options.header = !flags.report.no_header;
  options.color = colors_report(flags.report);
  const std::string path = unmark(flags.report.output);
  TextOutput out(path);
  const auto reporter = make_reporter(wishes, plan, options, out);
  const BatchEnd end = compare_all(inputs, plan, *reference, *reporter, console);
  if (end.incomplete && end.interrupted && path != "-")
    console.error(printable_name(path) + " is not written");
  else
    out.commit();
  return end.exit;
}

int run_compare(const CompareFlags& flags, const std::vector<std::string>& tail) {
  Console console(console_options(flags.common.message));
  InputOptions named = input_options(flags.input, tail);
  named.references = 1;
  Inputs inputs = never_replaced(list_inputs(named), {unmark(flags.report.output)});
  if (inputs.count && *inputs.count < 2)
    throw Error(ErrorKind::kUsage, "compare takes a reference, and what to compare with it");
  const Wishes wishes = parse_wishes(flags);
  const std::string path = unmark(flags.report.output);
  refuse_inputs_as_outputs(with_mask(named, flags.common), {path});
  enter_sandbox(flags.common, named, {.outputs = {path}}, console);
  Plan plan = make_plan(flags.common, named, console);
  const FileResult first = read_reference(inputs, plan, console);
  if (first.status == Status::kError) return exit_code_of(first.error_kind);
  note_other_pixels(first, plan, console);
  return report(flags, wishes, first, inputs, plan, console);
}

}  // namespace

Run add_compare(CLI::App& app) {
  auto flags = std::make_shared<CompareFlags>();
  add_input_flags(app, flags->input);
  app.get_option("INPUT")->description(
      "The reference, then images or tables of hist to compare with it;\n"
      "'-' is standard input; folders with -r");
  app.remove_option(app.get_option("--shard"));
  add_report_flags(app, flags->report, "text, csv, json, jsonl");
  app.get_option("--channels")->description("all [all; text: luma], or a list of luma, red, green, blue, alpha");
  add_bins_flag(app, flags->report, "Bins of equal width, 1 to 256 [256, or those of a reference that\nis a table]");
  app.add_option("--sort", flags->sort,
                 "Most alike first, by l1, chi_square, intersection,\nbhattacharyya or emd, of the first channel shown")
      ->type_name("DISTANCE")
      ->group("Output");
  add_common_flags(app, flags->common);
  return [flags](const std::vector<std::string>& tail) { return run_compare(*flags, tail); };
}

}  // namespace gpuhisto::app
