// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "shared_options.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "arguments.hpp"
#include "environment.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/method.hpp"
#include "gpuhisto/parallel.hpp"
#include "gpuhisto/policy.hpp"
#include "gpuhisto/report.hpp"
#include "open_files.hpp"
#include "values.hpp"

namespace gpuhisto::app {
namespace {

/// In lines that fit beside the option's name.
std::string method_list() {
  constexpr std::size_t kColumns = 64;
  std::string list;
  std::size_t line = 0;
  for (const auto& method : methods()) {
    const std::string word = std::string(method.name) + (method.name == "auto" ? " [auto]" : "");
    if (line + word.size() > kColumns) {
      list += ",\n";
      line = 0;
    } else if (!list.empty()) {
      list += ", ";
    }
    list += word;
    line += word.size() + 2;
  }
  return "How to count: " + list + ";\nGPUHISTO_METHOD";
}

/// The keys that a user is most likely to turn, with their values, then the others.
std::string policy_list() {
  std::string with_values, others;
  for (const auto& key : policy_keys()) {
    if (key.values.empty()) {
      others += (others.empty() ? "" : ", ") + std::string(key.name);
      continue;
    }
    std::string values;
    for (const auto value : key.values) values += (values.empty() ? "" : "|") + std::string(value);
    with_values += std::string(key.name) + "=" + values + ",\n";
  }
  return "How a GPU's method launches; docs/devices.md explains:\n" + with_values + others;
}

/// "GPUHISTO_DEVICE=gpu: " and so on for what came from the environment and not from a flag; "" when nothing did.
std::string from_environment(const DeviceFlags& flags) {
  std::string text;
  const auto add = [&](const std::string& flag, const char* variable) {
    const char* value = std::getenv(variable);
    if (flag.empty() && value && *value && value != std::string_view("auto"))
      text += (text.empty() ? "" : ", ") + std::string(variable) + "=" + printable_name(value);
  };
  add(flags.device, "GPUHISTO_DEVICE");
  add(flags.method, "GPUHISTO_METHOD");
  return text.empty() ? text : text + ": ";
}

/// Of as much of the list as it takes to see that a GPU pays, or as can be looked at before anyone notices.
std::optional<Estimate> estimate_of(const InputOptions& options, Purpose purpose, int threads) {
  constexpr std::size_t kAtOnce = 1000;
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
    while (names.size() < kAtOnce && (more = inputs.list(input))) names.push_back(input.name);
    if (const auto known = known_work(names)) work.add(*known);
    if (const Estimate now = estimate(work, threads); now.gpu_pays()) return now;
  }
  return work.files > 0 ? std::optional(estimate(work, threads)) : std::nullopt;
}

/// choose_execution(); an error or a note tells which wishes came from the environment.
Execution chosen_execution(const DeviceFlags& flags, const DeviceRequest& device, const MethodInfo& method,
                           const std::function<std::optional<Estimate>()>& how_long) {
  const std::string wishes = from_environment(flags);
  try {
    Execution execution = choose_execution(device, method, flags.policy, how_long);
    if (!execution.note.empty()) execution.note = wishes + execution.note;
    return execution;
  } catch (const Error& error) {
    throw Error(error.kind(), wishes + error.what());
  }
}

/// Half of the memory that is available now, at least 256 MiB.
std::uint64_t default_max_memory() {
  constexpr std::uint64_t kLeast = std::uint64_t{256} << 20;
  std::ifstream file("/proc/meminfo");
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string key;
    std::uint64_t kibibytes = 0;
    if (words >> key >> kibibytes && key == "MemAvailable:") return std::max(kLeast, kibibytes * 1024 / 2);
  }
  return kLeast;
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
}

void add_count_flags(CLI::App& app, CountFlags& flags) {
  app.add_option("--luma", flags.luma,
                 "Luminance: bt601 (0.299R + 0.587G + 0.114B) [bt601],\nbt709, average, value (max)")
      ->type_name("RULE")
      ->group("Counting");
  app.add_option("--alpha", flags.alpha, "Pixels of alpha 0: count [count] or skip")
      ->type_name("RULE")
      ->group("Counting");
}

void add_device_flags(CLI::App& app, DeviceFlags& flags) {
  app.add_option("--device", flags.device, "Where to count: auto [auto], cpu, gpu, gpu:N, emulated;\nGPUHISTO_DEVICE")
      ->type_name("NAME")
      ->group("Device");
  app.add_option("--method", flags.method, method_list())->type_name("NAME")->group("Device");
  app.add_option("--policy", flags.policy, policy_list())->type_name("KEY=VALUE,...")->group("Device");
  app.add_option("-j,--threads", flags.threads, "CPU threads, 0 = all cores [0]; GPUHISTO_THREADS")
      ->type_name("N")
      ->group("Device");
}

}  // namespace

void add_input_flags(CLI::App& app, InputFlags& flags) {
  app.add_option("INPUT", flags.names, "Images; '-' is standard input; folders with -r")->type_name("");
  app.add_flag("-r,--recursive", flags.recursive, "Read the images in folders and below them")->group("Input");
  app.add_option("--files-from", flags.files_from, "Read names from FILE ('-': standard input), one a line")
      ->type_name("FILE")
      ->group("Input");
  app.add_flag("-0,--null", flags.null_separated, "Names in --files-from end with NUL, not with a line")
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

Plan make_plan(const CommonFlags& flags, const InputOptions& inputs, Console& console, Purpose purpose) {
  Plan plan;
  const auto device = from_flag_or_environment(flags.device.device, "GPUHISTO_DEVICE", "auto", parse_device);
  const MethodInfo method = from_flag_or_environment(flags.device.method, "GPUHISTO_METHOD", "auto",
                                                     [](const std::string& name) { return parse_method(name); });
  plan.threads = from_flag_or_environment(flags.device.threads, "GPUHISTO_THREADS", "0", parse_threads);
  plan.count.spec = count_spec(flags.count);
  plan.count.decode = decode_options(flags.decode);
  plan.fail_fast = inputs.fail_fast;
  plan.count.strict = flags.decode.strict;
  plan.count.on_wait = [&console](const std::string& name) {
    console.note(printable_name(name) + ": waiting for a writer");
  };
  const Execution execution =
      chosen_execution(flags.device, device, method, [&] { return estimate_of(inputs, purpose, plan.threads); });
  plan_device(plan.count, execution, flags.device.policy, console);
  plan.count.workers = workers_within_open_files(plan.threads);
  console.detail("device " + execution.device + (execution.start.empty() ? "" : ", then " + execution.start) +
                 ", method " + execution.method + (plan.count.policy.empty() ? "" : ", policy " + plan.count.policy) +
                 ", " + std::to_string(plan.threads) + (plan.threads == 1 ? " thread" : " threads") +
                 (execution.why.empty() ? "" : " (auto " + execution.why + ")"));
  if (plan.count.workers < plan.threads)
    console.detail("images at a time: " + std::to_string(plan.count.workers) +
                   ", by the limit on open files (ulimit -n)");
  return plan;
}

}  // namespace gpuhisto::app
