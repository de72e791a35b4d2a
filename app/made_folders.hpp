// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <filesystem>
#include <mutex>
#include <system_error>
#include <vector>

namespace gpuhisto::app {

/// The folders that a run makes for its outputs: those still empty at its end, because what was to lie there failed,
/// are removed again.
class MadeFolders {
 public:
  MadeFolders() = default;
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;
  ~MadeFolders();

  /// Makes `folder` and those it lies in, where they are missing. Several threads may.
  void make(const std::filesystem::path& folder, std::error_code& error);

 private:
  void make_missing(const std::filesystem::path& folder, std::error_code& error);

  std::mutex mutex_;
  std::vector<std::filesystem::path> made_;  // outer ones first
};

}  // namespace gpuhisto::app
