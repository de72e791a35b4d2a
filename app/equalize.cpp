// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <filesystem>
#include <memory>
#include <utility>

#include "arguments.hpp"
#include "batch.hpp"
#include "commands.hpp"
#include "exit_code.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/pipeline.hpp"
#include "made_folders.hpp"
#include "outputs.hpp"
#include "shard.hpp"
#include "shared_options.hpp"
#include "values.hpp"

namespace gpuhisto::app {
namespace {

struct EqualizeFlags {
  InputFlags input;
  CommonFlags common;
  std::string output_dir, channels = "luma", to, background, quality = "92";
  bool gray = false, no_clobber = false;
};

EqualizeMode parse_mode(const std::string& text) {
  if (text == "luma") return EqualizeMode::kLuma;
  if (text == "each") return EqualizeMode::kEach;
  if (text == "joint") return EqualizeMode::kJoint;
  throw Error(ErrorKind::kUsage, "'" + text + "' is not a way to equalise: luma, each or joint");
}

EqualizeFileOptions equalize_options(const EqualizeFlags& flags, const Plan& plan) {
  EqualizeFileOptions options;
  options.count = plan.count;
  options.mode = parse_mode(flags.channels);
  options.gray = flags.gray;
  options.no_clobber = flags.no_clobber;
  options.quality = parse_quality(flags.quality);
  if (!flags.gray && options.mode == EqualizeMode::kLuma && plan.count.spec.luma != LumaRule::kBt601)
    throw Error(ErrorKind::kUsage,
                "--channels luma equalises the Y of YCrCb, which is bt601: --luma serves --gray and the statistics");
  if (!flags.to.empty()) {
    options.to = format_from_name(flags.to);
    if (!options.to || !can_write(*options.to))
      throw Error(ErrorKind::kUsage, "'" + flags.to + "' is not a format that is written: png, jpeg, pnm, pam or bmp");
  }
  if (!flags.background.empty()) options.background = parse_color(flags.background);
  return options;
}

/// Told before any work: a name whose ending promises what cannot be written.
void check_output_name(const std::string& output, const EqualizeFileOptions& options) {
  if (output.empty()) throw Error(ErrorKind::kUsage, "the name of the output is empty");
  if (options.to || output == "-") return;
  const auto format = format_from_extension(output);
  const std::string name = output.substr(output.find_last_of('/') + 1);
  const bool has_ending = name.find('.', 1) != std::string::npos;
  if (format ? can_write(*format) : !has_ending) return;
  throw Error(ErrorKind::kUsage, printable_name(output) +
                                     ": no format that is written has this ending (png, jpg, ppm, pgm, "
                                     "pam, bmp); --to chooses one");
}

/// The last name is the output.
int equalize_one(InputOptions inputs, const EqualizeFileOptions& options, const Plan& plan, Console& console) {
  if (inputs.names.size() != 2 || inputs.recursive || !inputs.files_from.empty())
    throw Error(ErrorKind::kUsage, "equalize takes INPUT OUTPUT; for several inputs give --output-dir DIR");
  const std::string output = inputs.names.back();
  inputs.names.pop_back();
  check_output_name(output, options);
  const auto work = [&](const Input& input, int threads) { return equalize_file(input, output, options, threads); };
  return run_batch(list_inputs(inputs), plan, console, {work, {}}).exit;
}

std::vector<Input> all_of(const InputOptions& options) {
  const Inputs inputs = list_inputs(options);
  std::vector<Input> all;
  for (Input input; inputs.list(input); input = {}) all.push_back(input);
  return all;
}

/// True of the output folder by any of its names: the results of the last run are no inputs of the next.
std::function<bool(const std::string& path)> leave_out_outputs(const std::string& folder, Console& console) {
  return [folder, &console, told = false](const std::string& path) mutable {
    std::error_code error;  // while it does not exist, nothing is it
    if (!std::filesystem::equivalent(path, folder, error)) return false;
    if (!std::exchange(told, true)) console.note("the output folder " + printable_name(folder) + " is no input");
    return true;
  };
}

/// Flags of the outputs, and which inputs.
struct Folder {
  std::string name, shard;
  MadeFolders& made;
};

int equalize_many(InputOptions inputs, const Folder& target, const EqualizeFileOptions& options, const Plan& plan,
                  Console& console) {
  inputs.leave_out = leave_out_outputs(target.name, console);
  // Of the whole list: shards must not write one output either.
  const std::vector<Job> jobs = outputs_below(target.name, all_of(inputs), options.to);
  std::size_t next = 0;
  Inputs list;
  list.count = jobs.size();
  list.list = [&](Input& input) {
    if (next == jobs.size()) return false;
    input = jobs[next].input;
    input.relative = jobs[next++].output;
    return true;
  };
  const auto work = [&](Input input, int threads) {
    const auto parent = std::filesystem::path(input.relative).parent_path();
    std::error_code error;
    target.made.make(parent, error);
    if (error) input.error = "cannot make the folder " + printable_name(parent.string()) + ": " + reason(error);
    return equalize_file(input, input.relative, options, threads);
  };
  return run_batch(shard_of(std::move(list), target.shard, console), plan, console, {work, {}, true}).exit;
}

SandboxNeeds needs_of(const EqualizeFlags& flags, const InputOptions& inputs) {
  if (!flags.output_dir.empty()) return {.output_folder = unmark(flags.output_dir)};
  return {.outputs = {inputs.names.empty() ? "" : inputs.names.back()}};
}

int run_equalize(const EqualizeFlags& flags, const std::vector<std::string>& tail) {
  Console console(console_options(flags.common.message));
  const InputOptions inputs = input_options(flags.input, tail);
  InputOptions read = inputs;
  if (flags.output_dir.empty() && !flags.input.shard.empty())
    throw Error(ErrorKind::kUsage, "--shard is a part of many images: it needs --output-dir DIR");
  if (flags.output_dir.empty() && !read.names.empty()) read.names.pop_back();  // the output
  MadeFolders made;
  if (!flags.common.sandbox.empty()) {
    std::error_code ignored;  // who writes there will tell
    made.make(unmark(flags.output_dir), ignored);
  }
  enter_sandbox(flags.common, read, needs_of(flags, inputs), console);
  const Plan plan = make_plan(flags.common, read, console, Purpose::kEqualize);
  const EqualizeFileOptions options = equalize_options(flags, plan);
  if (flags.output_dir.empty()) return equalize_one(inputs, options, plan, console);
  return equalize_many(inputs, {unmark(flags.output_dir), flags.input.shard, made}, options, plan, console);
}

void add_output_flags(CLI::App& app, EqualizeFlags& flags) {
  app.add_option("--output-dir", flags.output_dir, "Write each result below DIR, its relative folder and name kept")
      ->type_name("DIR")
      ->group("Output");
  app.add_option("--to", flags.to, "png, jpeg, pnm, pam or bmp [by the output's extension, else as the input]")
      ->type_name("FORMAT")
      ->group("Output");
  app.add_option("--quality", flags.quality, "JPEG quality, 1 to 100 [92]")->type_name("N")->group("Output");
  app.add_option("--background", flags.background, "Color behind transparent pixels, for formats without alpha")
      ->type_name("COLOR")
      ->group("Output");
  app.add_flag("-n,--no-clobber", flags.no_clobber, "Never replace an existing file (exit code 3)")->group("Output");
}

}  // namespace

Run add_equalize(CLI::App& app) {
  auto flags = std::make_shared<EqualizeFlags>();
  add_input_flags(app, flags->input);
  app.get_option("INPUT")->description(
      "Images; '-' is standard input; folders with -r. Without --output-dir:\n"
      "one image, then the OUTPUT, where '-' is standard output");
  app.add_option("--channels", flags->channels,
                 "luma: brightness only, colors stay [luma];\neach: every color channel alone; joint: one map for all")
      ->type_name("HOW")
      ->group("Equalisation");
  app.add_flag("--gray", flags->gray, "Make the image gray first")->group("Equalisation");
  add_output_flags(app, *flags);
  add_common_flags(app, flags->common);
  return [flags](const std::vector<std::string>& tail) { return run_equalize(*flags, tail); };
}

}  // namespace gpuhisto::app
