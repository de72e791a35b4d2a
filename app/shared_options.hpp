// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "console.hpp"
#include "device_flags.hpp"
#include "gpuhisto/pipeline.hpp"
#include "inputs.hpp"
#include "sandbox.hpp"

namespace gpuhisto::app {

/// Flags that several commands share, as the user wrote them. Each group is added by one function and turned into
/// validated values by one other, which throws Error(kUsage).

struct InputFlags {
  std::vector<std::string> names;
  bool recursive = false, null_separated = false, fail_fast = false;
  std::string files_from, shard;
  std::vector<std::string> include, exclude;
};
void add_input_flags(CLI::App& app, InputFlags& flags);
InputOptions input_options(const InputFlags& flags, const std::vector<std::string>& tail);

struct DecodeFlags {
  std::string max_pixels, max_memory, max_seconds = "0";
  bool strict = false, tolerate_damage = false;
};

struct CountFlags {
  std::string luma = "bt601", alpha = "count", roi, mask;
};

struct MessageFlags {
  bool quiet = false, verbose = false;
  std::string progress = "auto";
};
void add_message_flags(CLI::App& app, MessageFlags& flags);
ConsoleOptions console_options(const MessageFlags& flags);

/// "", or as given: "true" where no mode was.
void add_sandbox_flag(CLI::App& app, std::string& mode);
SandboxMode parse_sandbox(const std::string& mode);

struct CommonFlags {
  DecodeFlags decode;
  CountFlags count;
  DeviceFlags device;
  MessageFlags message;
  std::string sandbox;
};

void add_common_flags(CLI::App& app, CommonFlags& flags);

/// Everything that is read: the inputs, and the mask beside them.
InputOptions with_mask(InputOptions inputs, const CommonFlags& flags);

/// enter_sandbox(), if it was asked for, for a command that counts images; throws Error(kUsage) where that is to be on
/// a GPU, whose drivers need more than the sandbox gives. Before make_plan(), since a device may start threads.
void enter_sandbox(const CommonFlags& flags, const InputOptions& inputs, SandboxNeeds needs, Console& console);

/// What the flags ask of every image, with the environment's defaults where a flag was not given.
struct Plan {
  CountOptions count;
  int threads = 1;
  bool fail_fast = false;             ///< the first input that fails is the last that is taken
  bool sandboxed = false;             ///< a file may be refused that is there
  std::shared_ptr<const Mask> mask;   ///< what the predicate looks into; null: none
  std::optional<MaskName> mask_name;  ///< for reports
};
enum class Purpose { kCount, kEqualize };
/// Tells `console` how it will count where that is not what was asked for. `inputs` are what a free choice of the
/// device rests on.
Plan make_plan(const CommonFlags& flags, const InputOptions& inputs, Console& console,
               Purpose purpose = Purpose::kCount);

}  // namespace gpuhisto::app
