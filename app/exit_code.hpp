// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "gpuhisto/error.hpp"

namespace gpuhisto::app {

enum ExitCode {
  kExitOk = 0,
  kExitFailed = 1,        ///< some input or output failed
  kExitUsage = 2,         ///< the command line makes no sense
  kExitExists = 3,        ///< the output exists and -n was given
  kExitDevice = 4,        ///< device missing or failed
  kExitVerification = 5,  ///< a result differs from its reference
};

/// The one place where kinds of errors become exit codes.
int exit_code_of(ErrorKind kind);

/// The more serious of two, in the order 5, 4, 2, 1, 3, 0.
int worse(int a, int b);

}  // namespace gpuhisto::app
