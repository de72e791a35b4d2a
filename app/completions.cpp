// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Completions for shells: commands, options, and the words that are values; file names wherever one may stand.
#include <algorithm>

#include "command_line.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto::app {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::string all_names(const CommandText& command) {
  std::vector<std::string> names;
  for (const auto& option : command.options) names.insert(names.end(), option.names.begin(), option.names.end());
  return joined(names, " ");
}

std::string command_names(const CommandLineText& text, const char* between = " ") {
  std::vector<std::string> names;
  for (const auto& command : text.commands) names.push_back(command.name);
  return joined(names, between);
}

/// The first clause of a description, without defaults.
std::string brief(const std::string& description) {
  std::string text = description.substr(0, description.find(';'));
  std::replace(text.begin(), text.end(), '\n', ' ');
  for (auto start = text.find(" ["); start != text.npos; start = text.find(" [", start)) {
    const auto end = text.find(']', start);
    text.erase(start, end == text.npos ? end : end + 1 - start);
  }
  return text;
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

enum class Values { kNone, kWords, kFolder, kFile, kOther };
Values values_of(const OptionText& option) {
  if (option.value.empty()) return Values::kNone;
  if (!option.choices.empty()) return Values::kWords;
  if (option.value == "DIR") return Values::kFolder;
  return option.value.starts_with("FILE") || option.value == "IMAGE" || option.value == "MASK" ? Values::kFile
                                                                                               : Values::kOther;
}

// --- bash

std::string bash_values(const CommandText& command) {
  std::string cases;
  for (const auto& option : command.options) {
    if (option.value_may_be_left_out) continue;
    const std::string pattern = joined(option.names, "|");
    switch (values_of(option)) {
      case Values::kWords:
        cases += "    " + pattern + ") words='" + joined(option.choices, " ") + "' ;;\n";
        break;
      case Values::kFolder:
        cases += "    " + pattern + ") mapfile -t COMPREPLY < <(compgen -d -- \"$current\"); return ;;\n";
        break;
      case Values::kFile:
        cases += "    " + pattern + ") return ;;\n";
        break;
      case Values::kOther:
        cases += "    " + pattern + ") compopt +o default 2>/dev/null; return ;;\n";
        break;
      case Values::kNone:
        break;
    }
  }
  return cases;
}

// --- zsh

std::string zsh_escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_option(const OptionText& option) {
  std::string value;
  const std::string label = ":" + zsh_escaped(option.value) + ":";
  switch (values_of(option)) {
    case Values::kWords:
      value = label + "(" + joined(option.choices, " ") + ")";
      break;
    case Values::kFolder:
      value = label + "_files -/";
      break;
    case Values::kFile:
      value = label + "_files";
      break;
    case Values::kOther:
      value = label;
      break;
    case Values::kNone:
      break;
  }
  const bool optional = option.value_may_be_left_out;
  std::string text;
  for (const auto& name : option.names) {
    const bool is_long = name.starts_with("--");
    text +=
        "        " +
        quoted("*" + name +
               (value.empty() ? ""
                : optional    ? "=-"
                : is_long     ? "="
                              : "") +
               "[" + zsh_escaped(brief(option.description)) + "]" + (optional && !value.empty() ? ":" : "") + value) +
        " \\\n";
  }
  return text;
}

// --- fish

std::string fish_option(const OptionText& option, const std::string& condition) {
  std::string text = "complete -c gpuhisto -n " + quoted(condition);
  for (const auto& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.value_may_be_left_out) {
    switch (values_of(option)) {
      case Values::kWords:
        text += " -x -a " + quoted(joined(option.choices, " "));
        break;
      case Values::kFolder:
        text += " -x -a '(__fish_complete_directories)'";
        break;
      case Values::kFile:
        text += " -r -F";
        break;
      case Values::kOther:
        text += " -x";
        break;
      case Values::kNone:
        break;
    }
  }
  return text + " -d " + quoted(brief(option.description)) + "\n";
}

}  // namespace

std::string bash_completion(const CommandLineText& text) {
  std::string script =
      "# bash completion for gpuhisto, made by `gpuhisto --generate bash`\n"
      "_gpuhisto() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= words= word\n"
      "  COMPREPLY=()\n"
      "  # --option=VALUE comes as three words\n"
      "  [[ $current == = ]] && current=\n"
      "  [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD-2]}\n"
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
      "    case $word in\n"
      "      --) return ;;\n"
      "      " +
      command_names(text, "|") +
      ") [[ $command ]] || command=$word ;;\n"
      "    esac\n"
      "  done\n"
      "  case $command in\n";
  for (const auto& command : text.commands)
    script += "  " + command.name + ")\n    case $before in\n" + bash_values(command) +
              "    *) [[ $current == -* ]] && words='" + all_names(command) + "' ;;\n    esac ;;\n";
  script += "  *)\n    case $before in\n" + bash_values(text.program) + "    *) words='" + command_names(text) + " " +
            all_names(text.program) +
            "' ;;\n    esac ;;\n  esac\n"
            "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
            "}\n"
            "complete -o bashdefault -o default -F _gpuhisto gpuhisto\n";
  return script;
}

std::string zsh_completion(const CommandLineText& text) {
  std::string script =
      "#compdef gpuhisto\n# zsh completion for gpuhisto, made by `gpuhisto --generate zsh`\n"
      "_gpuhisto() {\n  local state\n  _arguments -C \\\n";
  for (const auto& option : text.program.options) script += zsh_option(option);
  script +=
      "        '1:command:->command' '*::argument:->arguments'\n  case $state in\n  command)\n    local -a "
      "commands=(\n";
  for (const auto& command : text.commands)
    script += "      " + quoted(command.name + ":" + zsh_escaped(command.summary)) + "\n";
  script += "    )\n    _describe command commands ;;\n  arguments)\n    case $words[1] in\n";
  for (const auto& command : text.commands) {
    script += "    " + command.name + ")\n      _arguments -s \\\n";
    for (const auto& option : command.options) script += zsh_option(option);
    script += "        '*:file:_files' ;;\n";
  }
  return script + "    esac ;;\n  esac\n}\n_gpuhisto \"$@\"\n";
}

std::string fish_completion(const CommandLineText& text) {
  std::string script = "# fish completion for gpuhisto, made by `gpuhisto --generate fish`\n";
  const std::string none = "not __fish_seen_subcommand_from " + command_names(text);
  for (const auto& option : text.program.options) script += fish_option(option, none);
  for (const auto& command : text.commands)
    script +=
        "complete -c gpuhisto -n " + quoted(none) + " -f -a " + command.name + " -d " + quoted(command.summary) + "\n";
  for (const auto& command : text.commands)
    for (const auto& option : command.options)
      script += fish_option(option, "__fish_seen_subcommand_from " + command.name);
  return script;
}

std::string generate(const CommandLineText& text, const std::string& kind) {
  if (kind == "man") return manual_page(text);
  if (kind == "bash") return bash_completion(text);
  if (kind == "zsh") return zsh_completion(text);
  if (kind == "fish") return fish_completion(text);
  throw Error(ErrorKind::kUsage, "'" + kind + "' is not what can be generated: man, bash, zsh or fish");
}

}  // namespace gpuhisto::app
