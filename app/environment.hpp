// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdlib>
#include <string>

#include "gpuhisto/error.hpp"

namespace gpuhisto::app {

/// A flag's value, else the environment's, else `fallback`; an error in the environment names the variable.
template <typename Parse>
auto from_flag_or_environment(const std::string& flag, const char* variable, const char* fallback, Parse parse) {
  if (!flag.empty()) return parse(flag);
  const char* value = std::getenv(variable);
  if (!value || !*value) return parse(fallback);
  try {
    return parse(std::string(value));
  } catch (const Error& error) {
    throw Error(error.kind(), std::string(variable) + ": " + error.what());
  }
}

}  // namespace gpuhisto::app
