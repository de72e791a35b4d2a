// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "arguments.hpp"

#include <algorithm>

namespace gpuhisto::app {
namespace {

// No file name begins with it in practice; one that does is marked too, so that unmark() gives it back.
constexpr char kMark = '\x01';

/// So that the parser takes no brackets for a list, neither of a positional or value nor in --option=[...].
std::string marked(std::string argument) {
  const bool has_value = argument.starts_with("--") && argument.find('=') != std::string::npos;
  const std::size_t value = has_value ? argument.find('=') + 1 : 0;
  if (value < argument.size() && (argument[value] == '[' || argument[value] == kMark)) argument.insert(value, 1, kMark);
  return argument;
}

}  // namespace

Arguments split_arguments(const std::vector<std::string>& arguments) {
  Arguments split;
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  for (auto i = arguments.begin(); i != end; ++i) split.head.push_back(marked(*i));
  if (end != arguments.end()) split.tail.assign(end + 1, arguments.end());
  return split;
}

std::string unmark(const std::string& argument) { return argument.starts_with(kMark) ? argument.substr(1) : argument; }

std::string without_marks(std::string message) {
  std::erase(message, kMark);
  return message;
}

std::vector<std::string> names_of(const std::vector<std::string>& positionals, const std::vector<std::string>& tail) {
  std::vector<std::string> names;
  for (const auto& name : positionals) names.push_back(unmark(name));
  names.insert(names.end(), tail.begin(), tail.end());
  return names;
}

}  // namespace gpuhisto::app
