// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// The manual page in roff's man macros. What several commands share is told once.
#include <algorithm>

#include "command_line.hpp"

namespace gpuhisto::app {
namespace {

/// Text as roff prints it: no escapes, no requests, hyphens that can be searched for.
std::string roff(const std::string& text) {
  std::string result;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) result += "\\&";
    line_start = c == '\n';
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return result;
}

/// Lines of help joined into one paragraph.
std::string paragraph(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return roff(text);
}

std::string as_written(const std::string& lines) { return ".nf\n" + roff(lines) + "\n.fi\n"; }

std::string option_item(const OptionText& option) {
  std::string text = ".TP\n";
  for (std::size_t i = 0; i < option.names.size(); ++i)
    text += (i ? ", \\fB" : "\\fB") + roff(option.names[i]) + "\\fR";
  if (!option.value.empty())
    text += (option.value_may_be_left_out ? "[=\\fI" : " \\fI") + roff(option.value) + "\\fR" +
            (option.value_may_be_left_out ? "]" : "");
  return text + "\n" + paragraph(option.description) + "\n";
}

/// An option that is the same wherever it appears, and the commands that have it.
struct Shared {
  const OptionText* option = nullptr;
  std::vector<std::string> commands;
};

bool same(const OptionText& a, const OptionText& b) {
  return a.names == b.names && a.value == b.value && a.description == b.description;
}

std::vector<Shared> options_by_commands(const CommandLineText& text) {
  std::vector<Shared> all;
  for (const auto& command : text.commands)
    for (const auto& option : command.options) {
      auto known = std::find_if(all.begin(), all.end(), [&](const Shared& s) { return same(*s.option, option); });
      if (known == all.end()) known = all.insert(all.end(), Shared{&option, {}});
      known->commands.push_back(command.name);
    }
  return all;
}

bool is_shared(const std::vector<Shared>& all, const OptionText& option) {
  return std::any_of(all.begin(), all.end(),
                     [&](const Shared& s) { return s.commands.size() > 1 && same(*s.option, option); });
}

/// Without the indentation that help gives the second line.
std::string usage_lines(const CommandText& command) {
  std::string text = "gpuhisto " + command.name + " ";
  for (const char c : command.usage)
    if (c != ' ' || text.back() != '\n') text += c;
  return text;
}

std::string command_section(const CommandText& command, const std::vector<Shared>& all) {
  std::string text =
      ".SS " + command.name + "\n" + paragraph(command.summary) + ".\n.PP\n" + as_written(usage_lines(command));
  if (!command.arguments.empty()) text += ".PP\n" + paragraph(command.arguments) + ".\n";
  for (const auto& option : command.options)
    if (!is_shared(all, option)) text += option_item(option);
  return text + ".PP\nExamples:\n.PP\n" + as_written(command.examples);
}

std::string list_of(const std::vector<std::string>& words) {
  std::string list;
  for (const auto& word : words) list += (list.empty() ? "" : ", ") + word;
  return list;
}

std::string shared_section(const std::vector<Shared>& all) {
  std::string text = ".SH OPTIONS OF SEVERAL COMMANDS\n";
  std::vector<std::vector<std::string>> sets;  // in the order met
  for (const auto& shared : all)
    if (shared.commands.size() > 1 && std::find(sets.begin(), sets.end(), shared.commands) == sets.end())
      sets.push_back(shared.commands);
  for (const auto& commands : sets) {
    text += ".SS of " + list_of(commands) + "\n";
    for (const auto& shared : all)
      if (shared.commands == commands) text += option_item(*shared.option);
  }
  return text;
}

constexpr const char* kEnvironment = R"(.SH ENVIRONMENT
.TP
.B GPUHISTO_DEVICE, GPUHISTO_METHOD, GPUHISTO_THREADS
What \-\-device, \-\-method and \-\-threads are where they are not given.
.TP
.B GPUHISTO_PLUGIN_PATH
More folders to look for modules in, with colons between them.
.TP
.B NO_COLOR
If set and not empty, nothing is coloured.
.TP
.B COLUMNS, TERM
How wide a terminal is that does not tell, and, as "dumb", "vt100" and their like or not set, that it has no colours.
.TP
.B SLURM_*, OMPI_*, PMI_*, PMIX_*, JOB_COMPLETION_INDEX
What \-\-shard slurm\-array, slurm, mpi and k8s read.
)";

constexpr const char* kExitStatus = R"(.SH EXIT STATUS
.TP
.B 0
All was done.
.TP
.B 1
Some input or output failed; the others were done.
.TP
.B 2
The command line makes no sense, and nothing was done; or a method that bench was to measure could not run.
.TP
.B 3
An output exists, and \-n was given.
.TP
.B 4
The device is missing or failed.
.TP
.B 5
A method of bench counted wrong.
)";

}  // namespace

std::string manual_page(const CommandLineText& text) {
  const auto all = options_by_commands(text);
  std::string page = ".TH GPUHISTO 1 \"\" \"gpuhisto " + text.version +
                     "\" \"User Commands\"\n.SH NAME\ngpuhisto \\- " + roff(text.summary) +
                     "\n.SH SYNOPSIS\n.B gpuhisto\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n.SH COMMANDS\n";
  for (const auto& command : text.commands) page += command_section(command, all);
  page += shared_section(all) + ".SH OPTIONS OF THE PROGRAM\n";
  for (const auto& option : text.program.options) page += option_item(option);
  return page + kEnvironment + kExitStatus;
}

}  // namespace gpuhisto::app
