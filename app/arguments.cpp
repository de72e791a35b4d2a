// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "arguments.hpp"

#include <algorithm>

namespace gpuhisto::app {
namespace {

// No file name begins with it in practice; one that does is marked too, so that unmark() gives it back.
constexpr char kMark = '\x01';

}  // namespace

Arguments split_arguments(const std::vector<std::string>& arguments) {
  Arguments split;
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  for (auto i = arguments.begin(); i != end; ++i)
    split.head.push_back(i->starts_with('[') || i->starts_with(kMark) ? kMark + *i : *i);
  if (end != arguments.end()) split.tail.assign(end + 1, arguments.end());
  return split;
}

std::string unmark(const std::string& argument) { return argument.starts_with(kMark) ? argument.substr(1) : argument; }

std::vector<std::string> names_of(const std::vector<std::string>& positionals, const std::vector<std::string>& tail) {
  std::vector<std::string> names;
  for (const auto& name : positionals) names.push_back(unmark(name));
  names.insert(names.end(), tail.begin(), tail.end());
  return names;
}

}  // namespace gpuhisto::app
