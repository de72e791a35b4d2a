// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <string>

namespace gpuhisto::app {

/// What the kernel's Landlock lets a process do with files, for the rest of its life: nothing but what was allowed.
/// https://docs.kernel.org/userspace-api/landlock.html
class Landlock {
 public:
  enum class Access {
    kRead,        ///< a file, or all below a folder
    kList,        ///< a folder, and no file in it
    kWriteBelow,  ///< make, replace and remove files and folders below a folder
    kWriteTo,     ///< into a device or a FIFO that is there
  };

  Landlock();
  ~Landlock();
  Landlock(const Landlock&) = delete;
  Landlock& operator=(const Landlock&) = delete;

  /// Links are followed. What is not there is passed over: nothing can be allowed of it.
  void allow(const std::string& path, Access access) const;
  /// For this thread and all that it starts from now on. False, with errno set, where the kernel has no Landlock.
  bool enforce() const;

 private:
  std::uint64_t handled_ = 0;  ///< rights that are refused unless allowed
  int ruleset_ = -1, error_ = 0;
};

}  // namespace gpuhisto::app
