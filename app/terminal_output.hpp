// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "gpuhisto/plot.hpp"

namespace gpuhisto::app {

/// What can be drawn on standard output: its width, colours, and by the locale's character set which glyphs. Reads the
/// locale's files: call it before the sandbox is entered.
TerminalOptions terminal_options();

}  // namespace gpuhisto::app
