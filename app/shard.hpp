// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>

#include "console.hpp"
#include "inputs.hpp"

namespace gpuhisto::app {

/// The part of `whole` that --shard asks for, all of it without the flag. What was taken from the environment is told.
/// Throws Error(kUsage).
Inputs shard_of(Inputs whole, const std::string& flag, Console& console);

/// Why there was no image.
std::string nothing_found(const Inputs& inputs);

}  // namespace gpuhisto::app
