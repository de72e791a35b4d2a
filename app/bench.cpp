// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/bench.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <set>

#include "arguments.hpp"
#include "bench_plan.hpp"
#include "commands.hpp"
#include "console.hpp"
#include "exit_code.hpp"
#include "gpuhisto/bench_report.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/method.hpp"
#include "gpuhisto/version.hpp"
#include "output.hpp"
#include "outputs.hpp"
#include "plot_file.hpp"
#include "report_flags.hpp"
#include "values.hpp"

namespace gpuhisto::app {
namespace {

std::unique_ptr<bench::Reporter> make_reporter(const std::string& format, std::ostream& out) {
  if (format == "text") return bench::make_text_reporter(out);
  if (format == "csv") return bench::make_csv_reporter(out);
  if (format == "json") return bench::make_json_reporter(out);
  throw Error(ErrorKind::kUsage, "'" + format + "' is not a format: text, csv or json");
}

/// By --format, else as --output ends.
std::string format_of(const BenchFlags& flags) {
  if (!flags.format.empty()) return flags.format;
  std::string format = format_named_by(unmark(flags.output), "text");
  if (format == "jsonl") throw Error(ErrorKind::kUsage, "bench writes no JSON lines: --format text, csv or json");
  return format;
}

/// The options that were given, as they can be typed again.
std::vector<std::string> command_of(const CLI::App& app) {
  std::vector<std::string> words = {"gpuhisto", "bench"};
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0) continue;
    const std::string name = option->get_name();
    words.push_back(option->get_expected_max() == 0 ? name : name + "=" + unmark(option->results().back()));
  }
  return words;
}

/// Whether the user asked for methods by name, not for all of a device or for a study's.
bool names_methods(const BenchFlags& flags) {
  return flags.preset.empty() && !flags.method.empty() &&
         (',' + unmark(flags.method) + ',').find(",all,") == std::string::npos;
}

/// What did not run to the end though it was asked for: each method that was named, or everything.
int exit_of_missing(const std::vector<bench::Group>& groups, bool named, Console& console) {
  std::set<std::string> missing;
  bool any = false;
  int exit = kExitOk;
  for (const auto& group : groups)
    for (const auto& line : group.lines) {
      if (line.kind != bench::LineKind::kMethod) continue;
      if (line.note.empty()) {
        any = true;
        continue;
      }
      missing.insert("method '" + line.method + (line.verification.rounds > 0 ? "' " : "' did not run: ") + line.note);
      exit = worse(exit, line.memory_short ? kExitFailed : kExitUsage);
    }
  if (any && !named) return kExitOk;
  for (const auto& text : missing) console.error(text);
  return exit;
}

/// Tells what counted wrong, and what to know about the figures.
int tell(const bench::Group& group, Console& console) {
  int exit = kExitOk;
  for (const auto& line : group.lines) {
    if (!line.mismatch()) continue;
    console.error(bench::describe_mismatch(line));
    exit = kExitVerification;
  }
  for (const auto& text : bench::warnings(group)) console.note(text);
  return exit;
}

/// All that memory holds; what it does not hold is told, and the others go on.
int measure(const BenchPlan& plan, bench::Reporter& reporter, std::vector<bench::Group>& groups, Console& console) {
  int exit = kExitOk;
  for (const auto& part : plan.parts)
    for (const auto& request : part.requests) try {
        const bench::Group& group = groups.emplace_back(bench::run(*part.target, request));
        reporter.group(group);
        exit = worse(exit, tell(group, console));
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::kLimit) throw;
        bench::Group group;
        group.input = request.input;
        group.shape = request.shape;
        console.error(bench::describe_input(group) + ": " + error.what());
        exit = worse(exit, exit_code_of(error.kind()));
      }
  return exit;
}

/// None takes the place of the image or of the other.
void check_outputs(const BenchFlags& flags) {
  const std::string plot = unmark(flags.plot), output = unmark(flags.output);
  if (!plot.empty()) refuse_one_output(plot, output.empty() ? "-" : output);
  InputOptions input;
  if (!flags.input.empty()) input.names.push_back(unmark(flags.input));
  refuse_inputs_as_outputs(input, {output, plot});
  if (!plot.empty()) check_writable(plot);
}

int run_bench(const BenchFlags& flags, const std::vector<std::string>& command, const std::vector<std::string>& tail) {
  if (!tail.empty()) throw Error(ErrorKind::kUsage, "bench takes no arguments but options");
  ConsoleOptions options;
  options.quiet = flags.quiet;
  Console console(options);
  check_outputs(flags);
  const std::string plot = unmark(flags.plot), format = format_of(flags);
  const BenchPlan plan = make_bench_plan(flags, console);
  TextOutput out(unmark(flags.output));
  const auto reporter = make_reporter(format, out);
  bench::Environment environment{std::string(version()), command, plan.seed, plan.threads, {}};
  for (const auto& part : plan.parts) environment.machines.push_back(part.target->info());
  reporter->begin(environment);
  std::vector<bench::Group> groups;
  int exit = kExitOk;
  try {
    exit = measure(plan, *reporter, groups, console);
  } catch (...) {
    reporter->finish(false);  // what was measured can be read
    throw;
  }
  reporter->finish(true);
  if (groups.empty()) return exit;  // nothing to be kept
  out.commit();
  const BarChart chart = bench::make_chart(groups);
  if (!plot.empty() && !chart.rows.empty()) write_scene(make_bar_scene(chart), plot, plot_format_of(plot), console);
  return worse(exit, exit_of_missing(groups, names_methods(flags), console));
}

std::string method_help() {
  std::vector<std::string> words = {"What to measure: all [all]", "or a list of cpu"};
  for (const auto& method : methods())
    if (method.needs_gpu) words.emplace_back(method.name);
  return in_lines(words) +
         ".\nall is every method of the device, cpu is added by name.\n"
         "unsafe-nonatomic, which loses counts, runs by name only.\n"
         "GPUHISTO_METHOD plays no part";
}

std::string pattern_help() {
  std::vector<std::string> words = {"all", "or a list of " + std::string(kPatterns[0].name)};
  for (const auto& pattern : std::span(kPatterns).subspan(1)) words.emplace_back(pattern.name);
  return in_lines(words) + "\n[uniform,photo,constant; keys: uniform,zipf,constant]";
}

std::string preset_help() {
  std::vector<std::string> words = {"Repeat a published study beside its figures"};
  for (const auto& preset : bench::presets()) words.emplace_back(preset.name);
  words[0] += ": " + words[1];
  words.erase(words.begin() + 1);
  return in_lines(words);
}

void add_what(CLI::App& app, BenchFlags& flags) {
  constexpr const char* kGroup = "Methods";
  app.add_option("--preset", flags.preset, preset_help())->type_name("NAME")->group(kGroup);
  app.add_option("--method", flags.method, method_help())->type_name("LIST")->group(kGroup);
  app.add_option("--policy", flags.policy,
                 "How the device's methods launch, such as block=256,replicas=1;\ndocs/devices.md lists the keys")
      ->type_name("KEY=VALUE,...")
      ->group(kGroup);
  app.add_option("--device", flags.device,
                 "auto [auto] (a GPU, else the CPU), cpu, gpu, gpu:N, or emulated, which\n"
                 "counts atomics and bank conflicts instead of time; GPUHISTO_DEVICE")
      ->type_name("NAME")
      ->group(kGroup);
  app.add_option("-j,--threads", flags.threads,
                 "Method cpu runs with 1, 2, 4, ... up to N threads, 0 = all cores [0];\nGPUHISTO_THREADS")
      ->type_name("N")
      ->group(kGroup);
}

void add_input(CLI::App& app, BenchFlags& flags) {
  constexpr const char* kGroup = "Input";
  app.add_option("--pattern", flags.pattern, pattern_help())->type_name("LIST")->group(kGroup);
  app.add_option("--pixels", flags.pixels,
                 "Sizes, such as 1000000, 1M, 16Mi or 2^20 [GPU: 2^28, keys 2^26;\n"
                 "CPU: 2^24, keys 2^22; emulated: 2^16, keys 2^14]")
      ->type_name("LIST")
      ->group(kGroup);
  app.add_option("--channels", flags.channels, "gray, rgb, rgb+luma [gray; of an --input all that it has]")
      ->type_name("KIND")
      ->group(kGroup);
  app.add_option("--batch", flags.batch, "N images of W x H pixels, counted together, such as 256x256x4096")
      ->type_name("WxHxN")
      ->group(kGroup);
  app.add_option("--input", flags.input, "Count an image instead of patterns")->type_name("IMAGE")->group(kGroup);
}

void add_keys(CLI::App& app, BenchFlags& flags) {
  constexpr const char* kGroup = "Beyond 8 bits";
  app.add_option("--keys", flags.keys, "u8 [u8], or u32: 32-bit keys instead of pixels")
      ->type_name("KIND")
      ->group(kGroup);
  app.add_option("--bins", flags.bins, "Of u32: from 1 up [256], or auto: the largest key + 1")
      ->type_name("N")
      ->group(kGroup);
  app.add_option("--map", flags.map, "Of u32: mod (key mod bins) [mod], or range (keys without a bin are left out)")
      ->type_name("RULE")
      ->group(kGroup);
  app.add_option("--key-range", flags.key_range,
                 "Of u32: keys are below N [mod: 2^32; range: bins; auto: the number of keys]")
      ->type_name("N")
      ->group(kGroup);
}

void add_measuring(CLI::App& app, BenchFlags& flags) {
  constexpr const char* kGroup = "Measuring";
  app.add_option("--rounds", flags.rounds, "Rounds at least, each with fresh values and verified [5]")
      ->type_name("N")
      ->group(kGroup);
  app.add_option("--min-time", flags.min_time, "Go on with rounds until S seconds have passed, for each input")
      ->type_name("S")
      ->group(kGroup);
  app.add_option("--seed", flags.seed, "Of the first round's values; each round takes the next [1]")
      ->type_name("N")
      ->group(kGroup);
  app.add_flag("--hot", flags.hot, "Count one image again and again, from the caches if they hold it")->group(kGroup);
}

void add_output(CLI::App& app, BenchFlags& flags) {
  constexpr const char* kGroup = "Output";
  app.add_option("--format", flags.format, "text, csv, json [as -o ends: .csv, .json; else text]")
      ->type_name("NAME")
      ->group(kGroup);
  app.add_option("-o,--output", flags.output, "Write to FILE, which appears whole or not at all [standard output]")
      ->type_name("FILE")
      ->group(kGroup);
  app.add_option("--plot", flags.plot, "Draw the results as .png or .svg too")->type_name("FILE")->group(kGroup);
  app.add_flag("-q,--quiet", flags.quiet, "Errors only")->group(kGroup);
}

}  // namespace

Run add_bench(CLI::App& app) {
  auto flags = std::make_shared<BenchFlags>();
  add_what(app, *flags);
  add_input(app, *flags);
  add_keys(app, *flags);
  add_measuring(app, *flags);
  add_output(app, *flags);
  return [flags, &app](const std::vector<std::string>& tail) { return run_bench(*flags, command_of(app), tail); };
}

}  // namespace gpuhisto::app
