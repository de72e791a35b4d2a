// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace gpuhisto::app {

/// What this process may still take, in bytes: what the machine has available, or what the limits on its control group,
/// as of a container or a batch job, leave of that. Pages of files that can be dropped count as available. `root` is
/// before the names of all files that tell (proc(5), cgroups(7)); nullopt when none does.
std::optional<std::uint64_t> available_memory(const std::string& root = "");

}  // namespace gpuhisto::app
