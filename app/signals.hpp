// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

namespace gpuhisto::app {

/// Once, before anything else: a closed standard stream is replaced by one whose use fails (no output file may become
/// descriptor 1), writes to a closed pipe or beyond a size limit become errors, and SIGINT, SIGTERM and SIGHUP remove
/// temporary files before they end the program.
void prepare_process();

}  // namespace gpuhisto::app
