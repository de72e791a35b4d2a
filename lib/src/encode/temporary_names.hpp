// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <signal.h>

#include <cstddef>
#include <string>

namespace gpuhisto {

/// The name of a temporary file, known to remove_temporary_files() as long as the object lives. Its life begins before
/// the file is made, and signals wait for this thread until made() is called: so a handler knows every file there is.
class TemporaryName {
 public:
  /// `folder` is an open folder. Throws Error(kLimit) when the table is full, Error(kInterrupted) when the program is
  /// ending.
  TemporaryName(int folder, const std::string& name);
  void made();           ///< the file exists
  bool removed() const;  ///< remove_temporary_files() took it
  ~TemporaryName();
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;

 private:
  std::size_t slot_ = 0;
  sigset_t before_{};
  bool making_ = false;
};

}  // namespace gpuhisto
