// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "outputs.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <utility>

#include "gpuhisto/decoder.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/report.hpp"

namespace gpuhisto::app {
namespace {

namespace fs = std::filesystem;

fs::path output_name(const Input& input, std::optional<Format> to) {
  fs::path name = input.name == "-" ? fs::path("stdin") : fs::path(input.relative);
  const auto named = format_from_extension(name.string());
  if (!to && !(named && can_write(*named))) to = Format::kPng;
  // .jpeg stays .jpeg when JPEG is written, .pgm stays .pgm.
  if (!to || named == to) return name;
  const std::string extension = extension_of(*to, 3);
  if (named) return name.replace_extension(extension);
  return name += extension;  // what ends another way is no extension of an image
}

/// One text for all names of a file, there or not: links followed, and the folder told by device and number.
std::string place_of(const fs::path& name) {
  const fs::path path = behind_links(name);
  fs::path rest = path.filename(), folder = path.parent_path();
  struct stat status {};
  while (::stat(folder.empty() ? "." : folder.c_str(), &status) != 0 && folder.has_relative_path()) {
    rest = folder.filename() / rest;
    folder = folder.parent_path();
  }
  return std::to_string(status.st_dev) + ':' + std::to_string(status.st_ino) + ':' + rest.lexically_normal().string();
}

/// Refused: which of the two comes first would depend on the number of threads.
void check_no_input_is_overwritten(const std::vector<Job>& jobs, const std::map<std::string, std::size_t>& taken) {
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (jobs[i].output.empty() || jobs[i].input.name == "-") continue;
    const auto place = taken.find(place_of(jobs[i].input.name));
    if (place != taken.end() && place->second != i)
      throw Error(ErrorKind::kUsage, "the result of " + printable_name(jobs[place->second].input.name) +
                                         " would replace the input " + printable_name(jobs[i].input.name));
  }
}

/// Whether an input will be passed over: found in a folder, and no image.
bool is_skipped(const Input& input) {
  if (!input.from_folder) return false;
  try {
    return !is_image(*open_file(input.name));
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

fs::path behind_links(fs::path path) {
  constexpr int kMostLinks = 40;  // the system's own limit
  std::error_code error;
  for (int links = 0; links < kMostLinks && fs::is_symlink(fs::symlink_status(path, error)); ++links)
    path = path.parent_path() / fs::read_symlink(path, error);
  return path;
}

bool one_place(const std::string& a, const std::string& b) { return place_of(a) == place_of(b); }

bool is_one_output(const std::string& a, const std::string& b) {
  if (a == "-" && b != "-") return is_one_output(b, a);
  if (a == b) return true;
  if (b != "-") return one_place(a, b);
  struct stat file {
  }, out{};
  return ::stat(a.c_str(), &file) == 0 && S_ISREG(file.st_mode) && ::fstat(STDOUT_FILENO, &out) == 0 &&
         file.st_dev == out.st_dev && file.st_ino == out.st_ino;
}

std::vector<Job> outputs_below(const std::string& folder, std::vector<Input> inputs, std::optional<Format> to) {
  std::vector<Job> jobs;
  std::map<std::string, std::size_t> taken;
  for (auto& input : inputs) {
    if (!input.error.empty()) {  // a folder that cannot be listed becomes no output
      jobs.push_back({std::move(input), ""});
      continue;
    }
    const std::string output = (fs::path(folder) / output_name(input, to)).string();
    auto [place, fresh] = taken.emplace(place_of(output), jobs.size());
    // Only now, as it takes opening them, is looked whether both are images: a text may lie beside its image.
    if (!fresh && is_skipped(jobs[place->second].input)) {
      place->second = jobs.size();
      fresh = true;
    }
    if (!fresh && !is_skipped(input))
      throw Error(ErrorKind::kUsage, printable_name(jobs[place->second].input.name) + " and " +
                                         printable_name(input.name) + " would both become " + printable_name(output));
    jobs.push_back({std::move(input), output});
  }
  check_no_input_is_overwritten(jobs, taken);
  return jobs;
}

void refuse_inputs_as_outputs(const InputOptions& inputs, const std::vector<std::string>& outputs) {
  std::error_code error;
  std::vector<std::string> read = inputs.names;
  if (!inputs.files_from.empty()) read.push_back(inputs.files_from);
  for (const auto& output : outputs) {
    if (output.empty() || output == "-" || !fs::is_regular_file(output, error)) continue;
    for (const auto& name : read)
      if (name != "-" && fs::equivalent(name, output, error))
        throw Error(ErrorKind::kUsage, printable_name(output) + " would replace the input " + printable_name(name));
  }
}

Inputs never_replaced(Inputs inputs, const std::vector<std::string>& outputs) {
  using Place = std::pair<dev_t, ino_t>;
  const auto place_on_disk = [](const std::string& name) -> std::optional<Place> {
    struct stat status {};
    if (name.empty() || name == "-" || ::stat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
    return Place{status.st_dev, status.st_ino};
  };
  std::map<Place, std::string> places;
  for (const auto& output : outputs)
    if (const auto place = place_on_disk(output)) places.emplace(*place, output);
  if (places.empty()) return inputs;
  inputs.list = [list = std::move(inputs.list), places = std::move(places), place_on_disk](Input& input) {
    if (!list(input)) return false;
    const auto place = place_on_disk(input.name);
    if (const auto found = place ? places.find(*place) : places.end(); found != places.end() && !is_skipped(input))
      throw Error(ErrorKind::kUsage,
                  printable_name(found->second) + " would replace the input " + printable_name(input.name));
    return true;
  };
  return inputs;
}

void refuse_plot_among(const std::vector<Job>& jobs, const std::string& plot) {
  if (plot.empty()) return;
  const std::string place = plot == "-" ? "" : place_of(plot);
  for (const Job& job : jobs) {
    if (!job.output.empty() && (plot == "-" ? is_one_output(job.output, plot) : place_of(job.output) == place))
      throw Error(ErrorKind::kUsage, "the result of " + printable_name(job.input.name) +
                                         " and the plot would both go to " +
                                         printable_name(plot == "-" ? job.output : plot));
    if (plot != "-" && job.input.name != "-" && place_of(job.input.name) == place)
      throw Error(ErrorKind::kUsage,
                  printable_name(plot) + " would replace the input " + printable_name(job.input.name));
  }
}

}  // namespace gpuhisto::app
