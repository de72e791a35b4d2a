// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "core/system_error.hpp"

namespace gpuhisto {

/// Where an output path leads once every symlink is followed.
struct OutputTarget {
  Descriptor direct;               ///< open for writing: a device, FIFO, socket or descriptor of this process; else:
  Descriptor folder;               ///< the folder of the regular file,
  std::string name;                ///< its name there,
  std::optional<struct stat> old;  ///< and the file to be replaced, if there is one
};

/// Throws Error(kIo) with the system's words. Creates nothing.
OutputTarget find_output_target(const std::string& path);

}  // namespace gpuhisto
