// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "map_images.hpp"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <utility>

#include "arguments.hpp"
#include "batch.hpp"
#include "exit_code.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/report.hpp"
#include "made_folders.hpp"
#include "outputs.hpp"
#include "plot_file.hpp"
#include "shard.hpp"
#include "shard_value.hpp"

namespace gpuhisto::app {
namespace {

/// One run, as its command line names it.
struct Names {
  std::string reference;  ///< "" without one
  InputOptions inputs;
  std::string output;  ///< of a single image
  std::string folder;  ///< of many
};

Names names_of_run(const MapFlags& flags, const std::vector<std::string>& tail, const MapCommand& command) {
  Names names;
  names.inputs = input_options(flags.input, tail);
  names.folder = unmark(flags.output_dir);
  auto& list = names.inputs.names;
  if (command.has_reference) {
    if (list.empty()) throw Error(ErrorKind::kUsage, command.name + " needs a REFERENCE, its first argument");
    names.reference = list.front();
    list.erase(list.begin());
  }
  if (!flags.output_dir.empty()) return names;
  if (!flags.input.shard.empty())
    throw Error(ErrorKind::kUsage, "--shard is a part of many images: it needs --output-dir DIR");
  if (list.size() != 2 || names.inputs.recursive || !names.inputs.files_from.empty())
    throw Error(ErrorKind::kUsage, command.name + " takes " + (command.has_reference ? "REFERENCE " : "") +
                                       "INPUT OUTPUT; for several inputs give --output-dir DIR");
  names.output = list.back();
  list.pop_back();
  return names;
}

/// All that is read.
InputOptions read_by(const Names& names) {
  InputOptions read = names.inputs;
  if (names.reference.empty()) return read;
  read.names.insert(read.names.begin(), names.reference);
  read.references = 1;
  return read;
}

/// A result takes neither the reference's place nor the mask's: who wants that names another file, and knows what is
/// lost.
void keep_references(const Names& names, const MapFlags& flags, const std::vector<std::string>& outputs) {
  InputOptions kept;
  if (!names.reference.empty()) kept.names = {names.reference};
  refuse_inputs_as_outputs(with_mask(kept, flags.common), outputs);
}

std::vector<Input> all_of(const InputOptions& options) {
  const Inputs inputs = list_inputs(options);
  std::vector<Input> all;
  for (Input input; inputs.list(input); input = {}) all.push_back(input);
  return all;
}

/// Inputs of the shard whose results take their place: lost originals are worth a word, though that may be what is
/// wanted.
void tell_replaced(const std::vector<Job>& jobs, const std::string& shard, bool no_clobber, Console& console) {
  if (no_clobber) return;
  const Shard part = shard.empty() ? Shard{} : parse_shard(shard).shard;
  std::size_t replaced = 0;
  std::error_code ignored;
  for (std::size_t i = part.index - 1; i < jobs.size(); i += part.count)
    if (std::filesystem::equivalent(jobs[i].input.name, jobs[i].output, ignored) &&
        one_place(jobs[i].input.name, jobs[i].output))
      ++replaced;
  if (replaced == 0) return;
  console.note(std::to_string(replaced) + (replaced == 1 ? " input is" : " inputs are") +
               " replaced by the results, as the output folder is where they lie; -n keeps what exists");
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

/// The sum over all images, and its plot.
class ChangePlot {
 public:
  /// What is wrong with the name is told before the work.
  explicit ChangePlot(const std::string& path) : path_(path) {
    if (!path.empty()) format_ = plot_format_of(path);
  }
  /// Told before the work, as the plot is made after it. The folders of the jobs' outputs, and `folder`, unless it is
  /// "", will be there.
  void check_target(bool no_clobber, const std::string& folder, const std::vector<Job>& jobs) const {
    if (path_.empty()) return;
    std::error_code ignored;
    if (no_clobber && std::filesystem::is_regular_file(path_, ignored))
      throw Error(ErrorKind::kExists, "cannot write " + printable_name(path_) + ": the output exists");
    const auto folder_of = [](const std::string& file) {
      return std::filesystem::path(file).lexically_normal().parent_path();
    };
    const auto parent = folder_of(path_);
    const bool made = (!folder.empty() && parent == folder_of(folder + "/x")) ||
                      std::any_of(jobs.begin(), jobs.end(), [&](const Job& job) {
                        return !job.output.empty() && folder_of(job.output) == parent;
                      });
    if (!made) check_writable(path_);
  }
  std::vector<std::string> modules() const {
    return path_.empty() ? std::vector<std::string>{} : modules_to_draw(format_);
  }
  void watch(MapFileOptions& options) {
    if (path_.empty()) return;
    options.on_change = [this](const Change& change) {
      const std::lock_guard lock(mutex_);
      sum_.before.add(change.before);
      sum_.after.add(change.after);
      ++images_;
    };
  }
  /// `name`: of the input, where there is one.
  void draw(const std::string& name, const std::string& command, Console& console) const {
    if (path_.empty() || images_ == 0) return;
    PlotOptions options;
    options.title = (images_ > 1 || name.empty() ? std::to_string(images_) + (images_ == 1 ? " image" : " images")
                                                 : plot_title(name)) +
                    ": " + command;
    write_scene(make_change_scene(sum_.before, sum_.after, options), path_, format_, console);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  PlotFormat format_ = PlotFormat::kPng;
  std::mutex mutex_;
  Change sum_;
  std::uint64_t images_ = 0;
};

BatchEnd map_one(const Names& names, const MapFileOptions& options, const Plan& plan, Console& console) {
  const auto work = [&](const Input& input, int threads) { return map_file(input, names.output, options, threads); };
  return run_batch(list_inputs(names.inputs), plan, console, {work, {}});
}

/// What becomes of each input; `jobs` must stay.
Inputs list_of(const std::vector<Job>& jobs) {
  Inputs list;
  list.count = jobs.size();
  list.list = [&jobs, next = std::size_t{0}](Input& input) mutable {
    if (next == jobs.size()) return false;
    input = jobs[next].input;
    input.relative = jobs[next++].output;
    return true;
  };
  return list;
}

BatchEnd map_many(const std::vector<Job>& jobs, const std::string& shard, MadeFolders& made, MapFileOptions options,
                  const Plan& plan, Console& console) {
  // Not before there is something to put there: another run may remove, as empty, what it made itself.
  options.before_output = [&made](const std::string& output) {
    const auto parent = std::filesystem::path(output).parent_path();
    std::error_code error;
    made.make(parent, error);
    if (error)
      throw Error(ErrorKind::kIo, "cannot make the folder " + printable_name(parent.string()) + ": " + reason(error));
  };
  const auto work = [&](const Input& input, int threads) { return map_file(input, input.relative, options, threads); };
  return run_batch(shard_of(list_of(jobs), shard, console), plan, console, {work, {}, true});
}

MapFileOptions file_options(const MapFlags& flags, const MapCommand& command, const Plan& plan) {
  MapFileOptions options;
  options.count = plan.count;
  options.gray = flags.gray;
  options.clahe = command.clahe;
  options.output = image_output_options(flags.output);
  const ToneMode mode = parse_mode(flags.channels);
  if (!flags.gray && mode == ToneMode::kLuma && plan.count.spec.luma != LumaRule::kBt601)
    throw Error(ErrorKind::kUsage,
                std::string("--channels luma maps the Y of YCrCb, which is bt601: --luma serves --gray") +
                    (command.joint_has_luma ? " and --channels joint" : ""));
  return options;
}

}  // namespace

ToneMode parse_mode(const std::string& channels) {
  if (channels == "luma") return ToneMode::kLuma;
  if (channels == "each") return ToneMode::kEach;
  if (channels == "joint") return ToneMode::kJoint;
  throw Error(ErrorKind::kUsage, "'" + channels + "' is not a value for --channels: luma, each or joint");
}

void add_map_flags(CLI::App& app, MapFlags& flags, const std::string& group, const std::string& channels_help) {
  add_input_flags(app, flags.input);
  app.add_option("--channels", flags.channels, channels_help)->type_name("HOW")->group(group);
  app.add_flag("--gray", flags.gray, "Make the image gray first")->group(group);
  app.add_option("--output-dir", flags.output_dir,
                 "Write each result below DIR, its relative folder and name kept;\na file of that name is replaced, an "
                 "input too")
      ->type_name("DIR")
      ->group("Output");
  app.add_option("--plot", flags.plot,
                 "Draw the histogram before and after (of all images\ntogether) as .png or .svg too")
      ->type_name("FILE")
      ->group("Output");
  add_image_output_flags(app, flags.output);
  add_common_flags(app, flags.common);
}

int run_map(const MapFlags& flags, const std::vector<std::string>& tail, const MapCommand& command) {
  Console console(console_options(flags.common.message));
  Names names = names_of_run(flags, tail, command);
  MadeFolders made;
  if (!flags.common.sandbox.empty() && !names.folder.empty()) {
    std::error_code ignored;  // who writes there will tell
    made.make(names.folder, ignored);
  }
  ChangePlot plot(unmark(flags.plot));
  refuse_inputs_as_outputs(with_mask(read_by(names), flags.common), {plot.path()});
  if (!plot.path().empty() && names.folder.empty()) refuse_one_output(plot.path(), names.output, "image");
  const SandboxNeeds needs{.outputs = {names.folder.empty() ? names.output : "", plot.path()},
                           .output_folder = names.folder,
                           .modules = plot.modules()};
  enter_sandbox(flags.common, read_by(names), needs, console);
  const Plan plan = make_plan(flags.common, read_by(names), console, Purpose::kEqualize);
  MapFileOptions options = file_options(flags, command, plan);
  std::vector<Job> jobs;
  if (names.folder.empty()) {
    check_output_name(names.output, options.output);
    keep_references(names, flags, {names.output});
  } else {
    names.inputs.leave_out = leave_out_outputs(names.folder, console);
    // Of the whole list: shards must not write one output either.
    jobs = outputs_below(names.folder, all_of(names.inputs), options.output.to);
    std::vector<std::string> outputs;
    for (const Job& job : jobs) outputs.push_back(job.output);
    keep_references(names, flags, outputs);
    refuse_plot_among(jobs, plot.path());
    tell_replaced(jobs, flags.input.shard, options.output.no_clobber, console);
  }
  plot.check_target(options.output.no_clobber, names.folder, jobs);
  try {
    if (!options.clahe) options.operation = command.operation(names.reference, plan, console);
  } catch (const Error& error) {
    if (names.reference.empty()) throw;
    console.error(names.reference, error.what());
    return exit_code_of(error.kind());
  }
  plot.watch(options);
  const BatchEnd end = names.folder.empty() ? map_one(names, options, plan, console)
                                            : map_many(jobs, flags.input.shard, made, options, plan, console);
  if (end.incomplete && !plot.path().empty())
    console.error(printable_name(plot.path()) + " is not drawn: not all images were done");
  else
    plot.draw(names.inputs.names.size() == 1 ? names.inputs.names[0] : "", command.name, console);
  return end.exit;
}

}  // namespace gpuhisto::app
