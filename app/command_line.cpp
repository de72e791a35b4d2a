// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <map>

#include "gpuhisto/bench.hpp"
#include "gpuhisto/method.hpp"
#include "gpuhisto/pattern.hpp"

namespace gpuhisto::app {
namespace {

using Words = std::vector<std::string>;

bool maps_images(const std::string& command) {
  return command == "equalize" || command == "stretch" || command == "match";
}

template <typename Named>
Words names_in(const Named& all) {
  Words names;
  for (const auto& one : all) names.emplace_back(one.name);
  return names;
}

Words words_of_bench(const std::string& option) {
  if (option == "--channels") return {"gray", "rgb", "rgb+luma"};
  if (option == "--map") return {"mod", "range"};
  if (option == "--preset") return names_in(bench::presets());
  Words words = {"all"};
  if (option == "--pattern") {
    for (const auto& pattern : kPatterns) words.emplace_back(pattern.name);
    return words;
  }
  if (option != "--method") return {};
  for (const auto& method : methods())
    if (method.name != "auto") words.emplace_back(method.name);
  words.emplace_back("unsafe-nonatomic");
  return words;
}

/// What CLI11 does not know, since values are parsed by the commands. A test tries each.
Words choices_of(const std::string& command, const std::string& option) {
  static const std::map<std::string, Words> kSame = {
      {"--device", {"auto", "cpu", "gpu", "emulated"}},
      {"--luma", {"bt601", "bt709", "average", "value"}},
      {"--alpha", {"count", "skip"}},
      {"--progress", {"auto", "always", "never"}},
      {"--sandbox", {"strict", "best-effort"}},
      {"--shard", {"slurm-array", "slurm", "mpi", "k8s:"}},
      {"--keys", {"u8", "u32"}},
      {"--theme", {"light", "dark"}},
      {"--layout", {"overlaid", "stacked"}},
      {"--sort", {"l1", "chi_square", "intersection", "bhattacharyya", "emd"}},
      {"--generate", {"man", "bash", "zsh", "fish"}}};
  if (command == "bench")
    if (const Words words = words_of_bench(option); !words.empty()) return words;
  if (option == "--method") return names_in(methods());
  if (option == "--channels")
    return maps_images(command) ? Words{"luma", "each", "joint"}
                                : Words{"all", "luma", "red", "green", "blue", "alpha"};
  if (option == "--to") return maps_images(command) ? Words{"png", "jpeg", "pnm", "pam", "bmp"} : Words{"png", "svg"};
  if (option == "--format") {
    Words formats = {"text", "csv", "json", "jsonl"};
    if (command == "devices") return {"text", "csv", "json"};
    if (command == "bench") formats.pop_back();
    return formats;
  }
  const auto known = kSame.find(option);
  return known == kSame.end() ? Words{} : known->second;
}

OptionText text_of(const CLI::Option& option, const std::string& command) {
  OptionText text;
  for (const auto& name : option.get_snames()) text.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) text.names.push_back("--" + name);
  const bool flag = option.get_items_expected_max() == 0;
  text.choices = choices_of(command, text.names.back());
  text.value_may_be_left_out = flag && !text.choices.empty();
  if (!flag || text.value_may_be_left_out) text.value = flag ? "MODE" : option.get_type_name();
  text.description = option.get_description();
  text.group = option.get_group();
  return text;
}

}  // namespace

CommandText command_text(const CLI::App& app, const std::string& name) {
  CommandText text;
  text.name = name;
  text.summary = app.get_description();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional())
      text.arguments = option->get_name() + ": " + option->get_description();
    else if (!option->get_group().empty())
      text.options.push_back(text_of(*option, name));
  }
  return text;
}

}  // namespace gpuhisto::app
