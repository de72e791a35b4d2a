// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "name_filter.hpp"

#include <fnmatch.h>

#include <algorithm>

#include "gpuhisto/error.hpp"
#include "gpuhisto/report.hpp"

namespace gpuhisto::app {

NameFilter::NameFilter(const std::vector<std::string>& include, const std::vector<std::string>& exclude) {
  for (const auto& text : include) {
    include_.push_back(parse("--include", text));
    if (include_.back().of_folders)
      throw Error(ErrorKind::kUsage, "--include '" + printable_name(text) + "' names folders: it takes names of files");
  }
  for (const auto& text : exclude) exclude_.push_back(parse("--exclude", text));
}

NameFilter::Pattern NameFilter::parse(const char* option, const std::string& text) {
  Pattern pattern{text, false, false};
  std::string& glob = pattern.text;
  while (glob.ends_with('/')) {
    pattern.of_folders = true;
    glob.pop_back();
  }
  pattern.of_path = glob.find('/') != std::string::npos;
  if (glob.starts_with("./")) glob.erase(0, 2);
  glob.erase(0, std::min(glob.find_first_not_of('/'), glob.size()));
  if (glob.empty())
    throw Error(ErrorKind::kUsage, std::string(option) + " '" + printable_name(text) + "' can match no name");
  return pattern;
}

bool NameFilter::matches(const Pattern& pattern, const std::string& path) {
  const std::size_t name = pattern.of_path ? 0 : path.find_last_of('/') + 1;  // npos + 1 is 0
  return ::fnmatch(pattern.text.c_str(), path.c_str() + name, 0) == 0;
}

bool NameFilter::takes_file(const std::string& path) const {
  const auto match = [&](const Pattern& pattern) { return !pattern.of_folders && matches(pattern, path); };
  return (include_.empty() || std::any_of(include_.begin(), include_.end(), match)) &&
         std::none_of(exclude_.begin(), exclude_.end(), match);
}

bool NameFilter::enters_folder(const std::string& path) const {
  return std::none_of(exclude_.begin(), exclude_.end(), [&](const Pattern& p) { return matches(p, path); });
}

}  // namespace gpuhisto::app
