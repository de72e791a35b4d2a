// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>

#include "console.hpp"
#include "shared_options.hpp"

namespace gpuhisto::app {

/// Decodes the mask, which all inputs share, into the plan; what it holds is no longer theirs of --max-memory. Throws
/// Error with the mask's name.
void take_mask(const std::string& name, Plan& plan, Console& console);

}  // namespace gpuhisto::app
