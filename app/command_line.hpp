// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The command line as data, and what is made of it for other programs to read: a manual page, completions for shells.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gpuhisto::app {

struct OptionText {
  std::vector<std::string> names;      ///< "-o", "--output"
  std::string value;                   ///< "FILE"; "" for a flag
  bool value_may_be_left_out = false;  ///< then only --name=VALUE gives one
  std::string description, group;
  std::vector<std::string> choices = {};  ///< the words that are a value; empty: any, by the kind of the value
};
struct CommandText {
  std::string name;  ///< "" for the program itself
  std::string summary, usage, examples;
  std::string arguments;  ///< what the positional ones are; "" without
  std::vector<OptionText> options;
};
struct CommandLineText {
  std::string version, summary;
  CommandText program;
  std::vector<CommandText> commands;
};

/// The part that the parser knows: all but usage and examples.
CommandText command_text(const CLI::App& app, const std::string& name);

/// `kind`: man, bash, zsh or fish. Throws Error(kUsage) for another.
std::string generate(const CommandLineText& text, const std::string& kind);

std::string manual_page(const CommandLineText& text);
std::string bash_completion(const CommandLineText& text);
std::string zsh_completion(const CommandLineText& text);
std::string fish_completion(const CommandLineText& text);

}  // namespace gpuhisto::app
