// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// A command line made of an input's lines, and a folder that it cannot leave.
#pragma once

#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"

namespace gpuhisto::fuzz {

/// The input's lines, made harmless: no word leads out of the working folder, none makes the program run for long.
std::vector<std::string> words_in(Bytes bytes);

/// Takes NAME=VALUE off the front of the words while NAME is a variable that the program reads; the others are unset.
void take_environment(std::vector<std::string>& words);

/// Makes a working folder with the same few files in it each time; the last one is removed at the end.
void enter_fresh_folder();

}  // namespace gpuhisto::fuzz
