// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <stdexcept>
#include <string>

namespace gpuhisto {

/// What failed; the program maps each kind to an exit code in one place.
enum class ErrorKind {
  kInput,         ///< the bytes are damaged, truncated or no image
  kUnsupported,   ///< a sound file of a kind this build cannot read or write
  kLimit,         ///< memory (--max-memory), open files or 64 bits; the message names the limit
  kIo,            ///< the operating system refused a read or a write
  kUsage,         ///< the request itself makes no sense
  kExists,        ///< the output exists and must not be replaced
  kDevice,        ///< a device or its module is missing or failed
  kVerification,  ///< a result differs from its reference
  kBrokenPipe,    ///< the reader of an output has gone: it has seen enough
  kInterrupted,   ///< the program was asked to end before this was done
  kTimeLimit,     ///< --max-seconds; the message names it
  kTooLarge,      ///< --max-pixels or scans: refused with any memory; the message names the limit
};

/// Thrown by the library. The text states the fact alone; whoever knows the file's name adds it.
/// Visible everywhere, so that modules can throw it too.
class __attribute__((visibility("default"))) Error : public std::runtime_error {
 public:
  /// `fact`: what failed, without a name before it or a full stop behind.
  Error(ErrorKind kind, const std::string& fact) : std::runtime_error(fact), kind_(kind) {}
  ErrorKind kind() const noexcept { return kind_; }  ///< what failed; what() tells the fact

 private:
  ErrorKind kind_;
};

}  // namespace gpuhisto
