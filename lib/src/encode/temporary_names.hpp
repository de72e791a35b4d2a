// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>

namespace gpuhisto {

/// The name of a temporary file, registered for remove_temporary_files() as long as the object lives. Register before
/// the file is made: a signal between the two must not leave a file behind, and unlinking a name that is not there does
/// no harm.
class TemporaryName {
 public:
  /// `folder` is an open folder that outlives the object. Throws Error(kLimit) when the table is full.
  TemporaryName(int folder, const std::string& name);
  ~TemporaryName();
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;

 private:
  std::size_t slot_;
};

}  // namespace gpuhisto
