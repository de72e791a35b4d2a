// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpuhisto/pipeline.hpp"

namespace gpuhisto::app {

struct InputOptions {
  std::vector<std::string> names;  ///< files, folders, "-"
  bool recursive = false;          ///< folders give the images below them
  std::string files_from;          ///< a file of names, "-" for standard input; empty: none
  bool null_separated = false;     ///< names end with NUL, not with a line
};

struct Inputs {
  InputList list;
  std::optional<std::uint64_t> count;  ///< where it is known without listing
};

/// Lists inputs lazily: the names in their order, then those of --files-from; a folder gives its files in byte order,
/// hidden entries left out, links followed but never into a folder that is already being walked.
/// Throws Error(kUsage) when there is nothing to list or standard input would be read twice, Error(kIo) when the list
/// cannot be opened.
Inputs list_inputs(const InputOptions& options);

}  // namespace gpuhisto::app
