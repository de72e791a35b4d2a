// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "made_folders.hpp"

#include <unistd.h>

namespace gpuhisto::app {

MadeFolders::~MadeFolders() {
  // rmdir refuses what is not empty, or no longer a folder.
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) ::rmdir(folder->c_str());
}

void MadeFolders::make(const std::filesystem::path& folder, std::error_code& error) {
  std::lock_guard lock(mutex_);
  error.clear();
  make_missing(folder, error);
}

void MadeFolders::make_missing(const std::filesystem::path& folder, std::error_code& error) {
  if (folder.empty()) return;
  const auto type = std::filesystem::status(folder, error).type();
  if (type == std::filesystem::file_type::directory || type == std::filesystem::file_type::none) return;
  error.clear();
  make_missing(folder.parent_path(), error);
  if (!error && std::filesystem::create_directory(folder, error)) made_.push_back(folder);
}

}  // namespace gpuhisto::app
