// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <system_error>
#include <vector>

#include "gpuhisto/pipeline.hpp"
#include "gpuhisto/shard.hpp"
#include "name_filter.hpp"

namespace gpuhisto::app {

struct InputOptions {
  std::vector<std::string> names;  ///< files, folders, "-"
  bool recursive = false;          ///< folders give the images below them
  std::string files_from;          ///< a file of names, "-" for standard input; empty: none
  bool null_separated = false;     ///< names end with NUL, not with a line
  NameFilter filter = {};          ///< of what is met below folders; what is named is never left out
  bool fail_fast = false;          ///< the first that fails is the last that is taken
  /// Which folders are not walked: one met in a walk is passed over, a named one is Error(kUsage). May be empty.
  std::function<bool(const std::string& folder)> leave_out = {};
  std::size_t references = 0;  ///< so many of the first names are read before the others, and alone
};

struct Inputs {
  InputList list;
  std::optional<std::uint64_t> count;  ///< where it is known without listing
  /// Where it can be told by a listing of all beside `list`, which it leaves alone; nullopt once `stop` was asked for.
  std::function<std::optional<std::uint64_t>(const std::stop_token& stop)> count_ahead = {};
  std::uint64_t taken = 0;                  ///< from `list`, before the batch; `count` is of the rest
  bool may_wait = false;                    ///< the next name may be long in coming
  std::shared_ptr<ShardedList> shard = {};  ///< what `list` is a part of; null: it is the whole
};

/// The system's words for an error, as all messages give them: lower-case, without the number.
std::string reason(const std::error_code& error);

/// Throws Error(kUsage) when standard input would be read twice by what is named.
void refuse_reading_twice(const InputOptions& options);

/// Lists inputs lazily: the names in their order, then those of --files-from; a folder gives its files in byte order,
/// hidden entries left out, links followed but never into a folder that is already being walked.
/// A "-" in the list where standard input is taken already is an input with an error. Throws Error(kUsage) when there
/// is nothing to list, as refuse_reading_twice() does, or, while listing, when a list of lines
/// holds a NUL or a folder is named that is left out; Error(kIo) when the list cannot be opened.
Inputs list_inputs(const InputOptions& options);

/// Where the images named in --files-from are: the folders of the names, and listed folders themselves. Of a list that
/// can be read only once, the current folder.
std::set<std::string> folders_of_list(const InputOptions& options);

}  // namespace gpuhisto::app
