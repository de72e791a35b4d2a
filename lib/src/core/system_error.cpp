// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "core/system_error.hpp"

#include <poll.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "gpuhisto/error.hpp"

namespace gpuhisto {

void throw_system_error(int number) {
  std::string words = std::generic_category().message(number);
  if (!words.empty() && words[0] >= 'A' && words[0] <= 'Z') words[0] = static_cast<char>(words[0] - 'A' + 'a');
  switch (number) {
    case EPIPE:
      throw Error(ErrorKind::kBrokenPipe, words);
    case EMFILE:  // a batch tries again, alone
      throw Error(ErrorKind::kLimit, words);
    default:
      throw Error(ErrorKind::kIo, words);
  }
}

void write_all(int fd, const void* bytes, std::size_t count) {
  const auto* from = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t done = ::write(fd, from, count);
    if (done > 0) {
      from += done;
      count -= static_cast<std::size_t>(done);
    } else if (done == 0) {
      throw_system_error(ENOSPC);  // some devices say "full" so
    } else if (errno == EAGAIN) {
      pollfd ready{fd, POLLOUT, 0};
      if (::poll(&ready, 1, -1) < 0 && errno != EINTR) throw_system_error(errno);
    } else if (errno != EINTR) {
      throw_system_error(errno);
    }
  }
}

}  // namespace gpuhisto
