// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

namespace gpuhisto::app {

/// How many of `threads` workers can each have an input and an output open within the limit on open files
/// (RLIMIT_NOFILE, less what is open now); at least 1.
int workers_within_open_files(int threads);

}  // namespace gpuhisto::app
