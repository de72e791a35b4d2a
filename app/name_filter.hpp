// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>
#include <vector>

namespace gpuhisto::app {

/// --include and --exclude: which names met in a walk count. Patterns are those of fnmatch(3), compared byte by byte,
/// so case matters. One without a '/' is matched against an entry's own name; one with a '/' (a last one aside)
/// against its path below the folder that was named, where '*' and '?' match '/' too, as in find -path. A '/' or "./"
/// at the beginning ties the pattern to that folder; one that ends with '/' means folders alone.
class NameFilter {
 public:
  NameFilter() = default;
  /// Throws Error(kUsage) for a pattern that is empty, or an include that means folders.
  NameFilter(const std::vector<std::string>& include, const std::vector<std::string>& exclude);

  /// `path` is below the named folder, without a '/' at its ends.
  bool takes_file(const std::string& path) const;
  bool enters_folder(const std::string& path) const;

 private:
  struct Pattern {
    std::string text;
    bool of_path = false, of_folders = false;
  };
  static Pattern parse(const char* option, const std::string& text);
  static bool matches(const Pattern& pattern, const std::string& path);

  std::vector<Pattern> include_, exclude_;
};

}  // namespace gpuhisto::app
