// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "available_memory.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

// Paths are strings: std::filesystem's come to harm when memory ends while they are put together, and it is asked here.
namespace gpuhisto::app {
namespace {

using Bytes = std::optional<std::uint64_t>;

/// The number that a file begins with: "max" is none.
Bytes number_in(const std::string& file) {
  std::ifstream in(file);
  std::uint64_t number = 0;
  return in >> number ? Bytes(number) : std::nullopt;
}

/// The number after a word at the start of a line.
Bytes number_after(const std::string& file, const std::string& word) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string first;
    std::uint64_t number = 0;
    if (words >> first >> number && first == word) return number;
  }
  return std::nullopt;
}

/// The names of one version's files.
struct Names {
  const char *limit, *used;
  std::array<const char*, 2> droppable;  ///< in memory.stat, parts of what is used: pages of files read once, or again
};
constexpr Names kVersion1{
    "memory.limit_in_bytes", "memory.usage_in_bytes", {"total_inactive_file", "total_active_file"}};
constexpr Names kVersion2{"memory.max", "memory.current", {"inactive_file", "active_file"}};

void take_least(Bytes& least, Bytes other) {
  if (other && (!least || *other < *least)) least = other;
}

/// What the limits on `group`, "/a/b", and those it lies in leave. In a container the names above its own may be
/// missing.
Bytes left_of(const std::string& mount, std::string group, const Names& names) {
  Bytes least;
  for (;;) {
    const std::string folder = mount + group + '/';
    const Bytes limit = number_in(folder + names.limit), used = number_in(folder + names.used);
    if (limit && used) {
      std::uint64_t needed = *used;
      for (const char* name : names.droppable)
        needed -= std::min(needed, number_after(folder + "memory.stat", name).value_or(0));
      take_least(least, *limit - std::min(*limit, needed));
    }
    if (group.empty()) return least;
    group.resize(std::min(group.rfind('/'), group.size() - 1));
  }
}

/// A line of /proc/self/cgroup is "NUMBER:CONTROLLERS:GROUP"; version 2 has no controllers.
Bytes left_in_groups(const std::string& root) {
  Bytes least;
  std::ifstream in(root + "/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = ',' + line.substr(first + 1, second - first - 1) + ',';
    const std::string group = line.substr(second + 1);
    if (controllers == ",,") {
      take_least(least, left_of(root + "/sys/fs/cgroup", group, kVersion2));
      take_least(least, left_of(root + "/sys/fs/cgroup/unified", group, kVersion2));  // beside version 1
    } else if (controllers.find(",memory,") != std::string::npos) {
      take_least(least, left_of(root + "/sys/fs/cgroup/memory", group, kVersion1));
    }
  }
  return least;
}

}  // namespace

std::optional<std::uint64_t> available_memory(const std::string& root) {
  Bytes least = left_in_groups(root);
  if (const Bytes kibibytes = number_after(root + "/proc/meminfo", "MemAvailable:"))
    take_least(least, *kibibytes * 1024);
  return least;
}

}  // namespace gpuhisto::app
