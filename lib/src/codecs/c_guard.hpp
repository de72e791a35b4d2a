// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <csetjmp>
#include <cstdio>
#include <exception>

#include "gpuhisto/error.hpp"

namespace gpuhisto {

/// Calls into a C library whose error handlers must not return. An exception may not pass through C frames, and a jump
/// may not pass over a destructor: so a handler keeps the error here and jumps to run(), which throws it.
class CGuard {
 public:
  /// Runs step(). Neither it nor the callbacks below it may own anything (a vector, a string, a lock) when fail() is
  /// called. Throws what fail() or keep_exception() kept.
  template <typename Step>
  void run(const Step& step) {
    if (setjmp(jump_) == 0)
      step();
    else
      throw_kept();
  }

  /// For error handlers: ends the step at once.
  [[noreturn]] void fail(ErrorKind kind, const char* text) noexcept {
    kind_ = kind;
    std::snprintf(text_, sizeof text_, "%s", text);
    std::longjmp(jump_, 1);
  }

  /// In a catch block of a callback; follow it by fail() outside of that block. Any text given there is ignored.
  void keep_exception() noexcept { exception_ = std::current_exception(); }

 private:
  [[noreturn]] void throw_kept() {
    if (exception_) std::rethrow_exception(exception_);
    throw Error(kind_, text_);
  }

  std::jmp_buf jump_{};
  ErrorKind kind_ = ErrorKind::kInput;
  char text_[256] = {};
  std::exception_ptr exception_;
};

}  // namespace gpuhisto
