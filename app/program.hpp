// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>
#include <vector>

namespace gpuhisto::app {

/// Runs the program with its arguments (its own name left out); returns the exit code.
int run_program(const std::vector<std::string>& arguments);

}  // namespace gpuhisto::app
