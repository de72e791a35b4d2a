// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "program.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <string_view>

#include "arguments.hpp"
#include "commands.hpp"
#include "console.hpp"
#include "exit_code.hpp"
#include "gpuhisto/backend.hpp"
#include "gpuhisto/encoder.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/method.hpp"
#include "gpuhisto/module.hpp"
#include "output.hpp"
#include "shared_options.hpp"

namespace gpuhisto::app {
namespace {

struct Command {
  const char* name;
  const char* summary;
  const char* usage;
  const char* examples;
  Run (*add)(CLI::App& app);
};

constexpr Command kCommands[] = {
    {"stats", "Statistics of each image and of all together", "[OPTIONS] INPUT...",
     "  gpuhisto stats photo.jpg\n"
     "  gpuhisto stats -r photos --total-only --format json\n"
     "  gpuhisto stats --mask roof.png --roi 0,0,640,200 photo.jpg\n"
     "  find . -name '*.png' -print0 | gpuhisto stats --files-from - -0 --format csv -o stats.csv",
     add_stats},
    {"hist", "Histograms as tables of 256 rows, or fewer bins", "[OPTIONS] INPUT...",
     "  gpuhisto hist photo.jpg > photo.csv\n"
     "  gpuhisto hist --format json --channels luma *.jpg\n"
     "  gpuhisto hist --bins 16 photo.jpg\n"
     "  gpuhisto hist photo.jpg -o photo.csv --plot photo.png",
     add_hist},
    {"equalize", "Histogram equalisation",
     "[OPTIONS] INPUT OUTPUT\n       gpuhisto equalize [OPTIONS] --output-dir DIR INPUT...",
     "  gpuhisto equalize in.jpg out.png\n"
     "  gpuhisto equalize --gray scan.png scan.png\n"
     "  gpuhisto equalize --output-dir equalized -r photos\n"
     "  curl -s URL | gpuhisto equalize - - --to png > out.png",
     add_equalize},
    {"stretch", "Contrast stretch: the darkest and brightest pixels to 0 and 255",
     "[OPTIONS] INPUT OUTPUT\n       gpuhisto stretch [OPTIONS] --output-dir DIR INPUT...",
     "  gpuhisto stretch in.jpg out.png\n"
     "  gpuhisto stretch --low 1% --high 0.1% --channels each in.jpg out.jpg\n"
     "  gpuhisto stretch --auto-gamma --output-dir brighter -r photos",
     add_stretch},
    {"match", "Give images the histogram of a reference",
     "[OPTIONS] REFERENCE INPUT OUTPUT\n       gpuhisto match [OPTIONS] --output-dir DIR REFERENCE INPUT...",
     "  gpuhisto match noon.jpg dusk.jpg like-noon.png\n"
     "  gpuhisto match --output-dir even frames/001.png frames/*.png\n"
     "  gpuhisto hist *.jpg > all.csv; gpuhisto match all.csv in.jpg out.png",
     add_match},
    {"plot", "A picture of a histogram: PNG, SVG or in the terminal", "[OPTIONS] INPUT",
     "  gpuhisto plot photo.jpg\n"
     "  gpuhisto plot photo.jpg -o photo.png --log\n"
     "  gpuhisto hist *.jpg | gpuhisto plot - -o all.svg",
     add_plot},
    {"compare", "How alike histograms are: one against many", "[OPTIONS] REFERENCE INPUT...",
     "  gpuhisto compare before.jpg after.jpg\n"
     "  gpuhisto compare --sort emd photo.jpg -r photos | head\n"
     "  gpuhisto hist -r photos --format jsonl -o photos.jsonl   # counted once, then\n"
     "  gpuhisto compare --sort bhattacharyya --format csv photo.jpg photos.jsonl",
     add_compare},
    {"bench", "Time every counting method, verified, against the memory's speed", "[OPTIONS]",
     "  gpuhisto bench\n"
     "  gpuhisto bench --method per-block,vendor --pattern all --plot chart.png\n"
     "  gpuhisto bench --method per-block --policy replicas=1 --pixels 1M,16M,256M\n"
     "  gpuhisto bench --keys u32 --bins 4096 --pattern zipf --format csv -o keys.csv\n"
     "  gpuhisto bench --device emulated --pattern constant\n"
     "  gpuhisto bench --preset mi300x",
     add_bench},
    {"merge", "Add tables made elsewhere: the totals of shards, or of other data", "[OPTIONS] TABLE...",
     "  gpuhisto stats -r photos --shard 1/2 --format json -o 1.json   # and 2/2 elsewhere\n"
     "  gpuhisto merge 1.json 2.json\n"
     "  gpuhisto merge --partial --format json -o so-far.json *.json\n"
     "  gpuhisto merge --histograms --format csv *.json > total.csv",
     add_merge},
    {"devices", "What can count here, and why the rest cannot", "[OPTIONS]",
     "  gpuhisto devices\n"
     "  gpuhisto devices --format json",
     add_devices},
};

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
  std::string text = "gpuhisto " GPUHISTO_VERSION "\nmodules:";
  const auto modules = installed_modules();
  for (const auto& module : modules) text += " " + module;
  text += modules.empty() ? " none\n" : "\n";
  for (const auto& reason : modules_that_do_not_load()) text += "not usable: " + printable_text(reason) + "\n";
  return text;
}

/// An option that is none: the nearest that is, or the way to name a file that begins with a dash.
std::string unknown_argument(const CLI::App& command) {
  const auto extras = command.remaining();
  if (extras.empty()) return "";
  const std::string word = extras.front().substr(0, extras.front().find('='));
  if (!word.starts_with('-')) return "no argument '" + printable_name(word) + "' is expected";
  std::string text = "unknown option '" + printable_name(word) + "'";
  std::vector<std::string> names;
  for (const auto* option : command.get_options())
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  const std::vector<std::string_view> views(names.begin(), names.end());
  if (const auto near = nearest(word, views); !near.empty())
    return text + "; did you mean '" + std::string(near) + "'?";
  return text + "; a file whose name begins with '-' goes after '--'";
}

/// What stands where a command is expected.
std::string unknown_word(const std::string& word) {
  std::vector<std::string_view> names;
  for (const auto& command : kCommands) names.emplace_back(command.name);
  const auto near = nearest(word, names);
  return std::string("unknown ") + (word.starts_with('-') ? "option '" : "command '") + printable_name(word) + "'" +
         (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?");
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
      if (!app_.remaining().empty()) return usage(unknown_word(app_.remaining().front()));
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
    Console({}).error(printable_text(text) + "\n" + help_hint());
    return kExitUsage;
  }

  int usage(const CLI::ParseError& error) {
    if (dynamic_cast<const CLI::ExtrasError*>(&error))
      return usage(app_.remaining().empty() ? unknown_argument(*chosen()) : unknown_word(app_.remaining().front()));
    const std::string text = error.what();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) && text.starts_with("--"))
      return usage(text.substr(0, text.find(':')) + " needs a value");
    return usage(text);
  }

  CLI::App app_;
  bool version_ = false;
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
      Console({}).error(printable_text(error.what()) + (usage ? "\n" + program.help_hint() : ""));
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
