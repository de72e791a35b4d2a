// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What equalize, stretch and match share: one image into one, or many below a folder.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpuhisto/clahe.hpp"
#include "gpuhisto/tone.hpp"
#include "image_output.hpp"
#include "shared_options.hpp"

namespace gpuhisto::app {

struct MapFlags {
  InputFlags input;
  CommonFlags common;
  ImageOutputFlags output;
  std::string output_dir, channels = "luma", plot;
  bool gray = false;
};
/// `group` has the operation's own flags: --channels, where `channels_help` tells what each way does, and --gray.
void add_map_flags(CLI::App& app, MapFlags& flags, const std::string& group, const std::string& channels_help);
ToneMode parse_mode(const std::string& channels);

struct MapCommand {
  std::string name;
  bool has_reference = false;  ///< the first name is a reference
  /// --luma means something with --channels joint.
  bool joint_has_luma = false;
  /// Made once, before the images: throws Error. `reference` is empty without one.
  std::function<std::shared_ptr<const ToneOperation>(const std::string& reference, const Plan& plan, Console& console)>
      operation;
  std::optional<ClaheOptions> clahe;  ///< in place of an operation
};
int run_map(const MapFlags& flags, const std::vector<std::string>& tail, const MapCommand& command);

}  // namespace gpuhisto::app
