// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/stretch.hpp"

#include <memory>

#include "commands.hpp"
#include "map_images.hpp"
#include "values.hpp"

namespace gpuhisto::app {
namespace {

struct StretchFlags {
  MapFlags map;
  std::string low = "0.5%", high = "0.5%";
  bool auto_gamma = false;
};

StretchOptions stretch_options(const StretchFlags& flags, const Plan& plan) {
  StretchOptions options;
  options.mode = parse_mode(flags.map.channels);
  options.low = parse_share(flags.low);
  options.high = parse_share(flags.high);
  options.auto_gamma = flags.auto_gamma;
  options.luma = plan.count.spec.luma;
  return options;
}

}  // namespace

Run add_stretch(CLI::App& app) {
  auto flags = std::make_shared<StretchFlags>();
  add_map_flags(app, flags->map, "Stretch",
                "luma: brightness only, colors stay [luma]; each: every color\n"
                "channel alone; joint: by the luma, one map for all channels");
  app.get_option("INPUT")->description(
      "Images; '-' is standard input; folders with -r. Without --output-dir:\n"
      "one image, then the OUTPUT, where '-' is standard output");
  app.add_option("--low", flags->low, "Share of the pixels that may become 0 [0.5%]")
      ->type_name("P%")
      ->group("Stretch");
  app.add_option("--high", flags->high, "Share of the pixels that may become 255 [0.5%]")
      ->type_name("P%")
      ->group("Stretch");
  app.add_flag("--auto-gamma", flags->auto_gamma, "Then move the median to the middle")->group("Stretch");
  return [flags](const std::vector<std::string>& tail) {
    MapCommand command;
    command.name = "stretch";
    command.joint_has_luma = true;
    command.operation = [&](const std::string&, const Plan& plan, Console&) {
      return std::make_shared<Stretch>(stretch_options(*flags, plan));
    };
    return run_map(flags->map, tail, command);
  };
}

}  // namespace gpuhisto::app
