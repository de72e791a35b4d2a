// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>
#include <vector>

namespace gpuhisto::app {

/// The command line cut at its first "--".
struct Arguments {
  std::vector<std::string> head;  ///< for the parser
  std::vector<std::string> tail;  ///< names, whatever they look like
};

/// Prepares arguments for CLI11 2.1, which refuses arguments after "--" once a positional was seen, and splits a name
/// like
/// "[a,b]": the tail is cut off, and each name that begins with '[' is marked until unmark() takes the mark away.
Arguments split_arguments(const std::vector<std::string>& arguments);
std::string unmark(const std::string& argument);
/// A message without the marks of what it quotes; names in it are printable by now, so none of these is a name's own.
std::string without_marks(std::string message);
/// The marked positionals and the tail, together.
std::vector<std::string> names_of(const std::vector<std::string>& positionals, const std::vector<std::string>& tail);

}  // namespace gpuhisto::app
