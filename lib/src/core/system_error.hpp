// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <unistd.h>

#include <cstddef>

namespace gpuhisto {

/// Throws Error(kIo) with the system's words in lower case; of kind kBrokenPipe for EPIPE, which reaches a program that
/// ignores SIGPIPE, and kLimit when this process may open no more files.
[[noreturn]] void throw_system_error(int number);

/// Writes everything: short writes, interruptions and full non-blocking pipes included. Throws as above.
void write_all(int fd, const void* bytes, std::size_t count);

/// Owns a file descriptor; moves only.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }
  ~Descriptor() { reset(); }
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }
  void reset(int fd = -1) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }

 private:
  int fd_ = -1;
};

}  // namespace gpuhisto
