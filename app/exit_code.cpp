// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "exit_code.hpp"

namespace gpuhisto::app {

int exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kInput:
    case ErrorKind::kUnsupported:
    case ErrorKind::kLimit:
    case ErrorKind::kIo:
    case ErrorKind::kInterrupted:
    case ErrorKind::kTimeLimit:
    case ErrorKind::kTooLarge:
      return kExitFailed;
    case ErrorKind::kUsage:
      return kExitUsage;
    case ErrorKind::kExists:
      return kExitExists;
    case ErrorKind::kDevice:
      return kExitDevice;
    case ErrorKind::kVerification:
      return kExitVerification;
    case ErrorKind::kBrokenPipe:
      return kExitOk;
  }
  return kExitFailed;
}

int worse(int a, int b) {
  constexpr int kSeriousness[] = {0, 2, 3, 1, 4, 5};  // by exit code
  return kSeriousness[a] >= kSeriousness[b] ? a : b;
}

}  // namespace gpuhisto::app
