// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/equalize.hpp"

#include <memory>

#include "commands.hpp"
#include "map_images.hpp"

namespace gpuhisto::app {

Run add_equalize(CLI::App& app) {
  auto flags = std::make_shared<MapFlags>();
  add_map_flags(app, *flags, "Equalisation",
                "luma: brightness only, colors stay [luma];\neach: every color channel alone; joint: one map for all");
  app.get_option("INPUT")->description(
      "Images; '-' is standard input; folders with -r. Without --output-dir:\n"
      "one image, then the OUTPUT, where '-' is standard output");
  return [flags](const std::vector<std::string>& tail) {
    MapCommand command;
    command.name = "equalize";
    command.operation = [&](const std::string&, const Plan&, Console&) {
      return std::make_shared<Equalization>(parse_mode(flags->channels));
    };
    return run_map(*flags, tail, command);
  };
}

}  // namespace gpuhisto::app
