// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "outputs.hpp"

#include <filesystem>
#include <map>

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
  if (to && named != to) name.replace_extension(extension_of(*to, 3));
  return name;
}

}  // namespace

std::vector<Job> outputs_below(const std::string& folder, std::vector<Input> inputs, std::optional<Format> to) {
  std::vector<Job> jobs;
  std::map<std::string, std::size_t> taken;
  for (auto& input : inputs) {
    if (!input.error.empty()) {  // a folder that cannot be listed becomes no output
      jobs.push_back({std::move(input), ""});
      continue;
    }
    const std::string output = (fs::path(folder) / output_name(input, to)).string();
    const auto [place, fresh] = taken.emplace(output, jobs.size());
    if (!fresh)
      throw Error(ErrorKind::kUsage, printable_name(jobs[place->second].input.name) + " and " +
                                         printable_name(input.name) + " would both become " + printable_name(output));
    jobs.push_back({std::move(input), output});
  }
  return jobs;
}

}  // namespace gpuhisto::app
