// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <utility>

#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/encoder.hpp"

namespace gpuhisto::app {
namespace {

void fill_standard_streams() {
  for (int fd = 0; fd <= 2; ++fd) {
    if (::fcntl(fd, F_GETFD) != -1) continue;
    // The lowest free descriptor is this one. The mode is the wrong one on purpose: a read or write then fails.
    if (::open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

constinit std::atomic<bool> g_finishes{false};  // a FinishOnSignal lives
constinit std::atomic<int> g_signal{0};         // the first that asked for the end
constinit std::atomic<bool> g_abandoned{false};
constinit thread_local const std::function<bool()>* t_asked = nullptr;  // of the EndWaitsWhen that lives
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

[[noreturn]] void die_by(int signal) {
  remove_temporary_files();
  std::signal(signal, SIG_DFL);
  ::raise(signal);
  sigset_t blocked;  // in its own handler, until now
  sigemptyset(&blocked);
  sigaddset(&blocked, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &blocked, nullptr);
  // Process 1, as the first of a container is, dies by no signal from within: the kernel drops what it does not handle.
  constexpr int kBySignal = 128;  // and its number: a shell's words for such a death
  ::_exit(kBySignal + signal);
}

extern "C" void on_signal(int signal) {
  int none = 0;
  // Always noted: while one thread removes temporary files here, another may meet that, and come to the end first.
  const bool first = g_signal.compare_exchange_strong(none, signal);
  if (!first || !g_finishes.load()) die_by(signal);
}

}  // namespace

void prepare_process() {
  fill_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, on_signal) == SIG_IGN) std::signal(signal, SIG_IGN);  // nohup and the like
}

FinishOnSignal::FinishOnSignal() {
  set_interrupt(waits_end);
  g_finishes.store(true);
}

FinishOnSignal::~FinishOnSignal() {
  g_finishes.store(false);
  set_interrupt(nullptr);
}

EndWaitsWhen::EndWaitsWhen(std::function<bool()> asked) : asked_(std::move(asked)) { t_asked = &asked_; }
EndWaitsWhen::~EndWaitsWhen() { t_asked = nullptr; }

bool end_asked() { return g_signal.load() != 0; }
bool waits_end() { return end_asked() || g_abandoned.load() || (t_asked && (*t_asked)()); }
void abandon_waits() { g_abandoned.store(true); }

int end_process(int exit_code) {
  if (const int signal = g_signal.load(); signal != 0) die_by(signal);
  return exit_code;
}

}  // namespace gpuhisto::app
