// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/equalize.hpp"

#include <memory>

#include "commands.hpp"
#include "gpuhisto/error.hpp"
#include "map_images.hpp"
#include "values.hpp"

namespace gpuhisto::app {
namespace {

struct EqualizeFlags {
  MapFlags map;
  bool clahe = false;
  std::string clip = "2", tiles = "8x8";
  CLI::Option* clip_option = nullptr;
  CLI::Option* tiles_option = nullptr;
};

std::optional<ClaheOptions> clahe_options(const EqualizeFlags& flags) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorKind::kUsage, why); };
  for (const CLI::Option* option : {flags.clip_option, flags.tiles_option})
    if (!flags.clahe && option->count() > 0) refuse(option->get_name() + " is about the tiles of --clahe");
  if (!flags.clahe) return std::nullopt;
  if (parse_mode(flags.map.channels) != ToneMode::kLuma)
    refuse("--clahe equalises brightness alone: it does not go with --channels " + flags.map.channels);
  if (flags.map.common.count.alpha == "skip")
    refuse("--clahe counts and changes every pixel: it does not go with --alpha skip");
  if (!flags.map.common.count.roi.empty() || !flags.map.common.count.mask.empty())
    refuse("--clahe counts and changes every pixel: it does not go with --roi or --mask");
  const Tiles tiles = parse_tiles(flags.tiles);
  ClaheOptions options;
  options.clip_limit = parse_clip_limit(flags.clip);
  options.tiles_across = static_cast<std::size_t>(tiles.across);
  options.tiles_down = static_cast<std::size_t>(tiles.down);
  return options;
}

void add_clahe_flags(CLI::App& app, EqualizeFlags& flags) {
  constexpr auto kGroup = "Equalisation";
  app.add_flag("--clahe", flags.clahe, "Each neighborhood for itself, contrast limited (CLAHE)")->group(kGroup);
  flags.clip_option = app.add_option("--clip", flags.clip, "Contrast limit of --clahe, 0 is none [2]");
  flags.clip_option->type_name("LIMIT")->group(kGroup);
  flags.tiles_option = app.add_option("--tiles", flags.tiles, "Tiles of --clahe, each side 1 to 256 [8x8]");
  flags.tiles_option->type_name("ACROSSxDOWN")->group(kGroup);
}

}  // namespace

Run add_equalize(CLI::App& app) {
  auto flags = std::make_shared<EqualizeFlags>();
  add_map_flags(app, flags->map, "Equalisation",
                "luma: brightness only, colors stay [luma];\neach: every color channel alone; joint: one map for all");
  app.get_option("INPUT")->description(
      "Images; '-' is standard input; folders with -r. Without --output-dir:\n"
      "one image, then the OUTPUT, where '-' is standard output");
  add_clahe_flags(app, *flags);
  return [flags](const std::vector<std::string>& tail) {
    MapCommand command;
    command.name = "equalize";
    command.clahe = clahe_options(*flags);
    command.operation = [&](const std::string&, const Plan&, Console&) {
      return std::make_shared<Equalization>(parse_mode(flags->map.channels));
    };
    return run_map(flags->map, tail, command);
  };
}

}  // namespace gpuhisto::app
