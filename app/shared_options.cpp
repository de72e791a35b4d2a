// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "shared_options.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>

#include "arguments.hpp"
#include "available_memory.hpp"
#include "environment.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/method.hpp"
#include "gpuhisto/parallel.hpp"
#include "gpuhisto/report.hpp"
#include "open_files.hpp"
#include "take_mask.hpp"
#include "values.hpp"

namespace gpuhisto::app {
namespace {

/// Of as much of the list as it takes to see that a GPU pays, or as can be looked at before anyone notices.
std::optional<Estimate> estimate_of(const InputOptions& options, Purpose purpose, int threads) {
  constexpr std::size_t kAtOnce = 1000;
  constexpr std::uint64_t kSampled = 8;  // asking for a file's size takes longer than listing it
  constexpr std::chrono::milliseconds kLongest{50};
  if (options.names.empty() && options.files_from.empty()) return std::nullopt;  // as the command will say
  std::error_code error;
  // What comes from a pipe can be read only once.
  if (!options.files_from.empty() && !std::filesystem::is_regular_file(options.files_from, error)) return std::nullopt;
  const auto start = std::chrono::steady_clock::now();
  const Inputs inputs = list_inputs(options);
  Work work;
  work.equalizes = purpose == Purpose::kEqualize;
  for (bool more = true; more && std::chrono::steady_clock::now() - start < kLongest;) {
    std::vector<std::string> names;
    Input input;
    const std::uint64_t every = work.files < kAtOnce ? 1 : kSampled;  // of a short list all, of a long one a sample
    for (std::size_t i = 0; i < kAtOnce && (more = inputs.list(input)); ++i)
      if (i % every == 0) names.push_back(input.name);
    if (const auto known = known_work(names)) work.add(*known, every);
    if (const Estimate now = estimate(work, threads); now.gpu_pays()) return now;
  }
  return work.files > 0 ? std::optional(estimate(work, threads)) : std::nullopt;
}

/// choose_execution(); an error or a note tells which wishes came from the environment.
Execution chosen_execution(const DeviceFlags& flags, const DeviceRequest& device, const MethodInfo& method,
                           const std::function<std::optional<Estimate>()>& how_long) {
  const std::string wishes = wishes_from_environment(flags);
  try {
    Execution execution = choose_execution(device, method, flags.policy, how_long);
    if (!execution.note.empty()) execution.note = wishes + execution.note;
    return execution;
  } catch (const Error& error) {
    throw Error(error.kind(), wishes + error.what());
  }
}

/// As far as it is known without listing: so many images share the memory at most.
int most_inputs(const InputOptions& inputs) {
  if (inputs.recursive || !inputs.files_from.empty()) return std::numeric_limits<int>::max();
  const std::size_t references = std::min(inputs.references, inputs.names.size());
  return static_cast<int>(
      std::clamp<std::size_t>(inputs.names.size() - references, 1, std::numeric_limits<int>::max()));
}

/// Half of the memory that was available when this was asked first, at least 64 MiB.
std::uint64_t default_max_memory() {
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
  static const std::uint64_t available = available_memory().value_or(512 * kMebibyte);
  return std::max(available / 2, 64 * kMebibyte);
}

DecodeOptions decode_options(const DecodeFlags& flags) {
  DecodeOptions options;
  if (!flags.max_pixels.empty()) options.max_pixels = parse_size(flags.max_pixels, 1000);
  options.max_memory = flags.max_memory.empty() ? default_max_memory() : parse_size(flags.max_memory, 1024);
  options.tolerate_damage = flags.tolerate_damage;
  if (flags.strict && flags.tolerate_damage)
    throw Error(ErrorKind::kUsage, "--strict and --tolerate-damage contradict each other");
  return options;
}

CountSpec count_spec(const CountFlags& flags) {
  CountSpec spec;
  spec.luma = parse_luma(flags.luma);
  if (flags.alpha != "count" && flags.alpha != "skip")
    throw Error(ErrorKind::kUsage, "'" + flags.alpha + "' is not a rule for --alpha: count or skip");
  spec.predicate.skip_transparent = flags.alpha == "skip";
  if (!flags.roi.empty()) spec.predicate.rectangle = parse_roi(flags.roi);
  return spec;
}

void add_decode_flags(CLI::App& app, DecodeFlags& flags) {
  app.add_flag("--strict", flags.strict, "Treat every flag of a result (reduced16, warning, ...) as an error")
      ->group("Input");
  app.add_flag("--tolerate-damage", flags.tolerate_damage, "Use the sound part of damaged images, flagged 'damaged'")
      ->group("Input");
  app.add_option("--max-pixels", flags.max_pixels, "Refuse larger images [8589934592]")->type_name("N")->group("Input");
  app.add_option("--max-memory", flags.max_memory, "Memory for images [half of what is available]")
      ->type_name("SIZE")
      ->group("Input");
  app.add_option("--max-seconds", flags.max_seconds,
                 "Refuse an image that is not read and counted within S seconds,\n0 = no limit [0]")
      ->type_name("S")
      ->group("Input");
}

void add_count_flags(CLI::App& app, CountFlags& flags) {
  app.add_option("--luma", flags.luma,
                 "Luminance: bt601 (0.299R + 0.587G + 0.114B) [bt601],\nbt709, average, value (max)")
      ->type_name("RULE")
      ->group("Counting");
  app.add_option("--alpha", flags.alpha, "Pixels of alpha 0: count [count] or skip")
      ->type_name("RULE")
      ->group("Counting");
  app.add_option("--roi", flags.roi, "Only the rectangle at X,Y of the pixels as stored, W wide, H high")
      ->type_name("X,Y,W,H")
      ->group("Counting");
  app.add_option("--mask", flags.mask, "Only pixels where this image, of the same size, is not black")
      ->type_name("FILE")
      ->group("Counting");
}

}  // namespace

void add_sandbox_flag(CLI::App& app, std::string& mode) {
  app.add_flag("--sandbox", mode,
               "Let the kernel refuse whatever the work does not need;\n"
               "=best-effort: as far as it can; docs/reliability.md")
      ->group("Protection");
}

SandboxMode parse_sandbox(const std::string& mode) {
  if (mode.empty()) return SandboxMode::kOff;
  if (mode == "true" || mode == "strict") return SandboxMode::kStrict;
  if (mode == "best-effort") return SandboxMode::kBestEffort;
  throw Error(ErrorKind::kUsage, "'" + mode + "' is not a way of --sandbox: strict or best-effort");
}

void add_input_flags(CLI::App& app, InputFlags& flags) {
  app.add_option("INPUT", flags.names, "Images; '-' is standard input; folders with -r")->type_name("");
  app.add_flag("-r,--recursive", flags.recursive, "Read the images in folders and below them")->group("Input");
  app.add_option("--files-from", flags.files_from, "Read names from FILE ('-': standard input), one a line")
      ->type_name("FILE")
      ->group("Input");
  app.add_flag("-0,--null", flags.null_separated, "Names in --files-from end with NUL instead of a newline")
      ->group("Input");
  app.add_option("--shard", flags.shard,
                 "Only part I of N parts of the inputs, I/N; or as told by\nslurm-array[:N], slurm, mpi or k8s:N; "
                 "docs/data-sets.md")
      ->type_name("PART")
      ->group("Input");
  const auto add_globs = [&app](const char* name, std::vector<std::string>& globs, const char* help) {
    app.add_option(name, globs, help)
        ->type_name("GLOB")
        ->group("Input")
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  add_globs("--include", flags.include,
            "With -r: only files whose name matches, as '*.png'; with a '/',\n"
            "the path below the folder; repeatable; case counts");
  add_globs("--exclude", flags.exclude,
            "With -r: no such files or folders, even if included; repeatable;\nnever what is named itself");
  app.add_flag("--fail-fast", flags.fail_fast, "Take no more inputs after the first that fails")->group("Input");
}

void add_message_flags(CLI::App& app, MessageFlags& flags) {
  app.add_flag("-q,--quiet", flags.quiet, "Errors only")->group("Messages");
  app.add_flag("-v,--verbose", flags.verbose, "Tell how the work is done")->group("Messages");
  app.add_option("--progress", flags.progress, "auto [auto] (on a terminal), always, never")
      ->type_name("WHEN")
      ->group("Messages");
}

InputOptions input_options(const InputFlags& flags, const std::vector<std::string>& tail) {
  if (!flags.recursive && !(flags.include.empty() && flags.exclude.empty()))
    throw Error(ErrorKind::kUsage, "--include and --exclude choose among the files in folders: they need -r");
  return {names_of(flags.names, tail),
          flags.recursive,
          unmark(flags.files_from),
          flags.null_separated,
          NameFilter(names_of(flags.include, {}), names_of(flags.exclude, {})),
          flags.fail_fast};
}

void add_common_flags(CLI::App& app, CommonFlags& flags) {
  add_count_flags(app, flags.count);
  add_decode_flags(app, flags.decode);
  add_device_flags(app, flags.device);
  add_message_flags(app, flags.message);
  add_sandbox_flag(app, flags.sandbox);
}

ConsoleOptions console_options(const MessageFlags& flags) {
  ConsoleOptions options;
  options.quiet = flags.quiet;
  options.verbose = flags.verbose;
  if (flags.progress == "always")
    options.progress = ProgressMode::kAlways;
  else if (flags.progress == "never")
    options.progress = ProgressMode::kNever;
  else if (flags.progress != "auto")
    throw Error(ErrorKind::kUsage, "'" + flags.progress + "' is not a value for --progress: auto, always or never");
  return options;
}

namespace {

void plan_device(CountOptions& count, const Execution& execution, const std::string& policy, Console& console) {
  count.device = execution.device;
  count.method = execution.method;
  if (execution.device != "cpu") count.policy = policy;
  if (!execution.note.empty()) console.note(printable_text(execution.note));
  if (!execution.automatic) return;
  if (!execution.start.empty()) count.device_start = std::make_shared<DeviceStart>(execution.start);
  count.on_device_failure = OnDeviceFailure::kUseCpu;
  count.device_lost = std::make_shared<std::atomic<bool>>(false);
  count.on_device_lost = [&console](const std::string& note) { console.note(note); };
}

}  // namespace

InputOptions with_mask(InputOptions inputs, const CommonFlags& flags) {
  if (!flags.count.mask.empty()) inputs.names.push_back(unmark(flags.count.mask));
  return inputs;
}

void enter_sandbox(const CommonFlags& flags, const InputOptions& inputs, SandboxNeeds needs, Console& console) {
  const SandboxMode mode = parse_sandbox(flags.sandbox);
  if (mode == SandboxMode::kOff) return;
  const DeviceRequest device = asked_device(flags.device);
  const bool open = device.kind == DeviceKind::kAuto;
  if (device.kind == DeviceKind::kGpu ||
      (open && (asked_method(flags.device).needs_gpu || !flags.device.policy.empty())))
    throw Error(ErrorKind::kUsage,
                wishes_from_environment(flags.device) +
                    "--sandbox leaves no way to a GPU: --device cpu and --device emulated go with it");
  default_max_memory();  // the files that tell it are out of reach then
  needs.modules.emplace_back("gpuhisto_codecs");
  if (device.kind == DeviceKind::kEmulated) needs.modules.emplace_back("gpuhisto_emulated");
  enter_sandbox(mode, with_mask(inputs, flags), needs, console);
}

Plan make_plan(const CommonFlags& flags, const InputOptions& inputs, Console& console, Purpose purpose) {
  Plan plan;
  refuse_reading_twice(with_mask(inputs, flags));
  DeviceRequest device = asked_device(flags.device);
  if (!flags.sandbox.empty() && device.kind == DeviceKind::kAuto) device.kind = DeviceKind::kCpu;
  const MethodInfo method = asked_method(flags.device);
  plan.threads = from_flag_or_environment(flags.device.threads, "GPUHISTO_THREADS", "0", parse_threads);
  plan.count.spec = count_spec(flags.count);
  plan.count.decode = decode_options(flags.decode);
  plan.fail_fast = inputs.fail_fast;
  plan.sandboxed = !flags.sandbox.empty();
  plan.count.strict = flags.decode.strict;
  plan.count.max_seconds = parse_seconds(flags.decode.max_seconds);
  plan.count.on_wait = [&console](const std::string& name) {
    console.note(printable_name(name) + ": waiting for a writer");
  };
  const Execution execution =
      chosen_execution(flags.device, device, method, [&] { return estimate_of(inputs, purpose, plan.threads); });
  plan_device(plan.count, execution, flags.device.policy, console);
  if (!flags.count.mask.empty()) take_mask(unmark(flags.count.mask), plan, console);
  const int most_workers = workers_within_open_files(plan.threads);
  plan.count.workers = std::min(most_workers, most_inputs(inputs));
  console.detail("device " + execution.device + (execution.start.empty() ? "" : ", then " + execution.start) +
                 ", method " + execution.method + (plan.count.policy.empty() ? "" : ", policy " + plan.count.policy) +
                 ", " + std::to_string(plan.threads) + (plan.threads == 1 ? " thread" : " threads") +
                 (execution.why.empty() ? "" : " (auto " + execution.why + ")"));
  if (most_workers < plan.threads)
    console.detail("images at a time: " + std::to_string(plan.count.workers) +
                   ", by the limit on open files (ulimit -n)");
  return plan;
}

}  // namespace gpuhisto::app
