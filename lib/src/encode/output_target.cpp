// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "encode/output_target.hpp"

#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>

namespace gpuhisto {
namespace {

constexpr int kMaxLinks = 40;  // the kernel's own limit

// O_PATH serves where the folder may be written but not read.
Descriptor open_folder(const std::string& path) {
  for (const int flags : {O_RDONLY, O_PATH}) {
    const int fd = ::open(path.c_str(), flags | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) return Descriptor(fd);
    if (errno != EACCES) break;
  }
  throw_system_error(errno);
}

std::string read_link(int folder, const std::string& name) {
  std::array<char, PATH_MAX> text{};
  const ssize_t length = ::readlinkat(folder, name.c_str(), text.data(), text.size());
  if (length < 0) throw_system_error(errno);
  return {text.data(), static_cast<std::size_t>(length)};
}

bool is_proc(int folder) {
  struct statfs status {};
  return ::fstatfs(folder, &status) == 0 && status.f_type == PROC_SUPER_MAGIC;
}

bool same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

// An entry of /proc/self/fd is duplicated, not opened: a second opening would start at offset 0 of a shared file.
std::optional<Descriptor> duplicate_own(int folder, const std::string& name) {
  struct stat here {
  }, own{};
  if (::fstat(folder, &here) != 0 || ::stat("/proc/self/fd", &own) != 0 || !same_file(here, own)) return std::nullopt;
  int number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  const int fd = ::fcntl(number, F_DUPFD_CLOEXEC, 3);
  if (fd < 0) throw_system_error(errno);
  return Descriptor(fd);
}

// No O_CREAT, no O_TRUNC: a device or FIFO that vanished meanwhile must not become a file.
Descriptor open_direct(int folder, const std::string& name) {
  int fd = -1;
  do fd = ::openat(folder, name.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  while (fd < 0 && errno == EINTR);
  if (fd < 0) throw_system_error(errno);
  return Descriptor(fd);
}

void split(const std::string& path, std::string& folder, std::string& name) {
  const auto slash = path.rfind('/');
  name = slash == std::string::npos ? path : path.substr(slash + 1);
  folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

}  // namespace

OutputTarget find_output_target(const std::string& path) {
  OutputTarget target;
  std::string place = path, folder;
  if (path.find('\0') != std::string::npos) throw_system_error(EINVAL);  // or the name would end there
  for (int links = 0;; ++links) {
    if (links > kMaxLinks) throw_system_error(ELOOP);
    split(place, folder, target.name);
    if (place.empty()) throw_system_error(ENOENT);
    if (target.name.empty()) throw_system_error(EISDIR);
    target.folder = open_folder(folder);
    struct stat status {};
    if (::fstatat(target.folder.get(), target.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno != ENOENT) throw_system_error(errno);
      return target;
    }
    if (S_ISDIR(status.st_mode)) throw_system_error(EISDIR);
    if (!S_ISLNK(status.st_mode)) {
      if (S_ISREG(status.st_mode))
        target.old = status;
      else
        target.direct = open_direct(target.folder.get(), target.name);
      return target;
    }
    if (is_proc(target.folder.get())) {
      auto own = duplicate_own(target.folder.get(), target.name);
      target.direct = own ? std::move(*own) : open_direct(target.folder.get(), target.name);
      return target;
    }
    const std::string to = read_link(target.folder.get(), target.name);
    place = !to.empty() && to[0] == '/' ? to : folder + (folder.back() == '/' ? "" : "/") + to;
  }
}

}  // namespace gpuhisto
