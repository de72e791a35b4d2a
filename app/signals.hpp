// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

namespace gpuhisto::app {

/// Once, before anything else: a closed standard stream is replaced by one whose use fails (no output file may become
/// descriptor 1), writes to a closed pipe or beyond a size limit become errors, and SIGINT, SIGTERM and SIGHUP remove
/// temporary files before they end the program.
void prepare_process();

/// While one lives, the first of those signals only makes end_asked() true, and a wait for the bytes of a pipe ends
/// (set_interrupt() of the library); a second one ends the program at once.
class FinishOnSignal {
 public:
  FinishOnSignal();
  ~FinishOnSignal();
  FinishOnSignal(const FinishOnSignal&) = delete;
  FinishOnSignal& operator=(const FinishOnSignal&) = delete;
};

/// Whether a signal asked the program to end.
bool end_asked();
/// Nobody waits for what is still worked on: waits for the bytes of pipes end as after a signal.
void abandon_waits();
/// Once, after everything else: ends by the signal that asked for it, if one did; else returns `exit_code`.
int end_process(int exit_code);

}  // namespace gpuhisto::app
