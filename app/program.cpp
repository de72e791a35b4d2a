// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "program.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <new>
#include <string_view>

#include "arguments.hpp"
#include "command_line.hpp"
#include "command_list.hpp"
#include "console.hpp"
#include "exit_code.hpp"
#include "gpuhisto/backend.hpp"
#include "gpuhisto/encoder.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/method.hpp"
#include "gpuhisto/module.hpp"
#include "gpuhisto/version.hpp"
#include "output.hpp"
#include "shared_options.hpp"

namespace gpuhisto::app {
namespace {

/// CLI11's help with a usage line that can be typed, and no double blank lines.
class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::string usage) : usage_(std::move(usage)) {
    column_width(34);
    label("Positionals", "Arguments");
  }
  std::string make_usage(const CLI::App*, std::string) const override { return "\nUsage: gpuhisto " + usage_ + "\n\n"; }
  std::string make_positionals(const CLI::App* app) const override {
    const std::string text = CLI::Formatter::make_positionals(app);
    return text.empty() ? text : text + "\n";
  }
  std::string make_group(std::string group, bool positional, std::vector<const CLI::Option*> options) const override {
    std::string text = CLI::Formatter::make_group(std::move(group), positional, std::move(options));
    if (text.starts_with('\n')) text.erase(0, 1);
    return text;
  }

 private:
  std::string usage_;
};

void set_module_path_from_environment() {
  const char* text = std::getenv("GPUHISTO_PLUGIN_PATH");
  if (!text) return;
  std::vector<std::string> folders;
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) folders.emplace_back(rest.substr(0, colon));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  set_module_path(std::move(folders));
}

void print(const std::string& text) {
  TextOutput out("-");
  out << text;
  out.commit();
}

std::string version_text() {
  std::string text = "gpuhisto " + std::string(version()) + "\nmodules:";
  const auto modules = installed_modules();
  for (const auto& module : modules) text += " " + module;
  text += modules.empty() ? " none\n" : "\n";
  for (const auto& reason : modules_that_do_not_load()) text += "not usable: " + printable_text(reason) + "\n";
  return text;
}

/// The option of the command that was meant; "" when none is near.
std::string nearest_option(const CLI::App& command, const std::string& word) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options())
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  const std::vector<std::string_view> views(names.begin(), names.end());
  return std::string(nearest(word, views));
}

/// An option that is none: the nearest that is, or the way to name a file that begins with a dash.
std::string unknown_argument(const CLI::App& command) {
  const auto extras = command.remaining();
  if (extras.empty()) return "";
  const std::string word = extras.front().substr(0, extras.front().find('='));
  if (!word.starts_with('-')) return "no argument '" + printable_name(word) + "' is expected";
  std::string text = "unknown option '" + printable_name(word) + "'";
  if ((word == "-o" || word == "--output") && command.get_option_no_throw("--output-dir"))
    return text + ": the output is the last name, gpuhisto " + command.get_name() +
           (command.get_name() == "match" ? " REFERENCE" : "") + " INPUT OUTPUT";
  if (const auto near = nearest_option(command, word); !near.empty()) return text + "; did you mean '" + near + "'?";
  std::error_code ignored;
  if (!std::filesystem::exists(word, ignored)) return text;
  return text + "; a file whose name begins with '-' goes after '--'";
}

/// What stands where a command is expected.
std::string unknown_word(const CLI::App& app, const std::string& word) {
  std::vector<std::string_view> commands;
  for (const auto& command : kCommands) commands.emplace_back(command.name);
  const bool option = word.starts_with('-');
  const std::string near = option ? nearest_option(app, word) : std::string(nearest(word, commands));
  return std::string("unknown ") + (option ? "option '" : "command '") + printable_name(word) + "'" +
         (near.empty() ? "" : "; did you mean '" + near + "'?");
}

/// The first argument that is a command's name, as the parser will see it; "" when there is none.
std::string first_command(const std::vector<std::string>& arguments) {
  for (const auto& argument : arguments)
    for (const auto& command : kCommands)
      if (argument == command.name) return argument;
  return "";
}

/// "help" as a command: "help stats" is "stats --help", "help" alone "--help". What is no command is left to be
/// refused.
std::vector<std::string> without_help_command(const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments[0] != "help") return arguments;
  if (arguments.size() == 1 || arguments[1] == "help") return {"--help"};
  const std::string& command = arguments[1];
  if (first_command({command}).empty()) return {command};
  return {command, "--help"};
}

/// What is wrong with an option's value, as the command never sees it; "" for nothing. An empty one is what a script's
/// unset variable leaves, so it means nothing and must not stand for "not given".
std::string refused_option(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional() || option->count() == 0) continue;
    const std::string& name = option->get_name();
    const auto& values = option->results();
    if (std::find(values.begin(), values.end(), "") != values.end())
      return name + " needs a value, and this one is empty";
    // For most options the last of several counts; these say what is counted, and half of it would be lost.
    if (option->count() > 1 && (name == "--files-from" || name == "--shard")) return name + " is given twice";
  }
  return "";
}

class Program {
 public:
  /// `wanted`: the command whose options will be parsed. Those of the others are left out: they are a good part of the
  /// time that a start takes.
  explicit Program(const std::string& wanted)
      : app_("Exact 256-bin histograms of images: statistics, tables, equalisation, plots.", "gpuhisto") {
    app_.require_subcommand(0, 1);
    // The last of several values counts, so that an alias or a script can be overruled. Subcommands inherit it.
    app_.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    app_.formatter(std::make_shared<HelpFormatter>("COMMAND [OPTIONS] ..."));
    app_.set_help_flag("-h,--help", "Print this help");
    app_.add_flag("--version", version_, "Print the version and the modules, and why one does not load");
    app_.add_option("--generate", generate_, "Print the manual page or a completion: man, bash, zsh or fish")
        ->type_name("KIND");
    app_.footer(
        "Every command has its own help: gpuhisto help stats, or gpuhisto stats --help\n"
        "Exit codes: 0 done; 1 some input or output failed; 2 usage; 3 output exists (-n); 4 device missing or "
        "failed;\n            5 a method of bench counted wrong.");
    for (const auto& command : kCommands) {
      CLI::App* sub = app_.add_subcommand(command.name, command.summary);
      sub->group("Commands")
          ->formatter(std::make_shared<HelpFormatter>(std::string(command.name) + " " + command.usage));
      sub->footer(std::string("Examples:\n") + command.examples);
      if (command.name == wanted) run_ = command.add(*sub);
    }
  }

  int run(const std::vector<std::string>& arguments) {
    Arguments split = split_arguments(arguments);
    // The parser would take the next word for the value.
    for (const auto& word : split.head)
      if (word.starts_with("--") && word.ends_with('='))
        return usage(word.substr(0, word.size() - 1) + " needs a value");
    std::reverse(split.head.begin(), split.head.end());  // CLI11 takes them from the back
    try {
      app_.parse(split.head);
    } catch (const CLI::CallForHelp&) {
      if (!app_.remaining().empty()) return usage(unknown_word(app_, app_.remaining().front()));
      if (chosen() && !chosen()->remaining().empty()) return usage(unknown_argument(*chosen()));
      print(chosen() ? chosen()->help() : app_.help());
      return kExitOk;
    } catch (const CLI::ParseError& error) {
      return usage(error);
    }
    if (chosen()) {
      if (const std::string wrong = refused_option(*chosen()); !wrong.empty()) return usage(wrong);
    }
    if (version_) {
      print(version_text());
      return kExitOk;
    }
    if (!generate_.empty()) {
      print(generate(text(), generate_));
      return kExitOk;
    }
    if (!chosen()) {
      Console({}).error("no command given; see gpuhisto --help");
      return kExitUsage;
    }
    return run_(split.tail);
  }

  std::string help_hint() {
    return std::string("see gpuhisto ") + (chosen() ? chosen()->get_name() + " " : "") + "--help";
  }

 private:
  CLI::App* chosen() {
    const auto used = app_.get_subcommands();
    return used.empty() ? nullptr : used.front();
  }

  int usage(const std::string& text) {
    Console({}).error(printable_text(without_marks(text)) + "\n" + help_hint());
    return kExitUsage;
  }

  int usage(const CLI::ParseError& error) {
    if (dynamic_cast<const CLI::ExtrasError*>(&error))
      return usage(app_.remaining().empty() ? unknown_argument(*chosen())
                                            : unknown_word(app_, app_.remaining().front()));
    const std::string text = error.what();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) && text.starts_with("--"))
      return usage(text.substr(0, text.find(':')) + " needs a value");
    if (dynamic_cast<const CLI::ConversionError*>(&error)) {  // "…: --flag = word"; other values are read elsewhere
      const auto name = text.find("--");
      if (name != text.npos) return usage(text.substr(name, text.find(' ', name) - name) + " takes no value");
    }
    return usage(text);
  }

  /// All that can be typed.
  CommandLineText text() const {
    CommandLineText all{std::string(version()), app_.get_description(), command_text(app_, ""), {}};
    for (const auto& command : kCommands) {
      CLI::App sub(command.summary);
      command.add(sub);
      all.commands.push_back(command_text(sub, command.name));
      all.commands.back().usage = command.usage;
      all.commands.back().examples = command.examples;
    }
    return all;
  }

  CLI::App app_;
  bool version_ = false;
  std::string generate_;
  Run run_;
};

}  // namespace

int run_program(const std::vector<std::string>& arguments) {
  try {
    set_module_path_from_environment();
    const std::vector<std::string> asked = without_help_command(arguments);
    Program program(first_command(asked));
    try {
      return program.run(asked);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::kBrokenPipe) return kExitOk;
      const bool usage = error.kind() == ErrorKind::kUsage;
      Console({}).error(printable_text(without_marks(error.what())) + (usage ? "\n" + program.help_hint() : ""));
      return exit_code_of(error.kind());
    }
  } catch (const std::bad_alloc&) {
    tell_no_memory();
  } catch (const std::exception& error) {
    Console({}).error(printable_text(error.what()));
  }
  return kExitFailed;
}

}  // namespace gpuhisto::app
