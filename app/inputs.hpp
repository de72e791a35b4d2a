// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
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

/// The system's words for an error, as all messages give them: lower-case, without the number.
std::string reason(const std::error_code& error);

/// Lists inputs lazily: the names in their order, then those of --files-from; a folder gives its files in byte order,
/// hidden entries left out, links followed but never into a folder that is already being walked.
/// Throws Error(kUsage) when there is nothing to list, standard input would be read twice, or a list of lines holds a
/// NUL (while listing), Error(kIo) when the list cannot be opened.
Inputs list_inputs(const InputOptions& options);

}  // namespace gpuhisto::app
