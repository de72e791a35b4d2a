// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Where memory may end and nobody can catch it: while the program's constants are made, before main(), and within
// functions of the C++ library that promise not to throw. There too it is one line and exit code 1.
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>

#include "console.hpp"
#include "exit_code.hpp"
#include "gpuhisto/encoder.hpp"

namespace gpuhisto::app {
namespace {

constinit std::atomic<bool> g_memory_ended{false};

void on_new_failed() {
  g_memory_ended.store(true);
  throw std::bad_alloc();
}

[[noreturn]] void on_terminate() {
  if (!g_memory_ended.load()) std::abort();
  remove_temporary_files();
  tell_no_memory();
  ::_exit(kExitFailed);
}

// Priorities up to 100 are the system's: so these are set before any constant of the program is made.
[[gnu::constructor(101)]] void set_handlers() {
  std::set_new_handler(on_new_failed);
  std::set_terminate(on_terminate);
}

}  // namespace
}  // namespace gpuhisto::app
