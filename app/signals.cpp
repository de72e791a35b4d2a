// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

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

extern "C" void clean_up_and_die(int signal) {
  remove_temporary_files();
  std::signal(signal, SIG_DFL);
  ::raise(signal);  // delivered when this handler returns
}

}  // namespace

void prepare_process() {
  fill_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, clean_up_and_die) == SIG_IGN) std::signal(signal, SIG_IGN);  // nohup and the like
}

}  // namespace gpuhisto::app
