// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>
#include <vector>

#include "console.hpp"
#include "inputs.hpp"

namespace gpuhisto::app {

enum class SandboxMode { kOff, kStrict, kBestEffort };

/// What a run writes, and what it must open before it can open nothing more.
struct SandboxNeeds {
  std::vector<std::string> outputs = {};  ///< "-" is standard output, "" none
  std::string output_folder = {};         ///< "" none; it must be there
  std::vector<std::string> modules = {};  ///< by name; one that cannot be opened is told by whoever needs it
};

/// From now on, and for good, this process reads its inputs, writes into the folders of its outputs, and does nothing
/// else outside of itself. To be called while it has one thread. Where the kernel cannot enforce all of it:
/// Error(kUsage), or with kBestEffort a note that says what is missing.
void enter_sandbox(SandboxMode mode, const InputOptions& inputs, const SandboxNeeds& needs, Console& console);

}  // namespace gpuhisto::app
