// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <functional>

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

/// While one lives, at most one a thread, the waits of its thread for the bytes of a pipe end too once `asked` says
/// true, where a FinishOnSignal lives.
class EndWaitsWhen {
 public:
  explicit EndWaitsWhen(std::function<bool()> asked);
  ~EndWaitsWhen();
  EndWaitsWhen(const EndWaitsWhen&) = delete;
  EndWaitsWhen& operator=(const EndWaitsWhen&) = delete;

 private:
  std::function<bool()> asked_;
};

/// Whether a signal asked the program to end.
bool end_asked();
/// Whether this thread should wait for nothing any more: after a signal, abandon_waits(), or by its EndWaitsWhen.
bool waits_end();
/// Nobody waits for what is still worked on: waits for the bytes of pipes end as after a signal.
void abandon_waits();
/// Once, after everything else: ends by the signal that asked for it, if one did, where that cannot be (process 1) with
/// 128 and its number as the exit code; else returns `exit_code`.
int end_process(int exit_code);

}  // namespace gpuhisto::app
