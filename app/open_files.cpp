// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "open_files.hpp"

#include <fcntl.h>
#include <sys/resource.h>

#include <algorithm>

namespace gpuhisto::app {
namespace {

constexpr rlim_t kOfWorker = 4;  // input, the output's folder and its new file, one in passing (a link, a module)
constexpr rlim_t kOfOthers =
    5;  // the list of names, a folder that is listed, a report's folder and file, one in passing

}  // namespace

int workers_within_open_files(int threads) {
  constexpr rlim_t kManyOpen = 256;  // more than a program is started with: not worth counting below
  const auto wanted = static_cast<rlim_t>(threads);
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted * kOfWorker + kOfOthers + kManyOpen)
    return threads;
  rlim_t taken = kOfOthers;
  for (rlim_t fd = 0; fd < limit.rlim_cur; ++fd)
    if (::fcntl(static_cast<int>(fd), F_GETFD) >= 0) ++taken;
  const rlim_t left = limit.rlim_cur > taken ? limit.rlim_cur - taken : 0;
  return static_cast<int>(std::clamp<rlim_t>(left / kOfWorker, 1, wanted));
}

}  // namespace gpuhisto::app
