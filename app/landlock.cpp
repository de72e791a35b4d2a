// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "landlock.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace gpuhisto::app {
namespace {

// What the headers of older kernels lack. The kernel takes a structure of any size that it knows.
struct Ruleset {
  std::uint64_t files, network, scopes;
};
constexpr std::uint64_t kTruncate = 1 << 14, kDeviceControl = 1 << 15;  // LANDLOCK_ACCESS_FS_*
constexpr std::uint64_t kBindAndConnect = 3;                            // LANDLOCK_ACCESS_NET_*
constexpr std::uint64_t kSocketsAndSignals = 3;                         // LANDLOCK_SCOPE_*

constexpr std::uint64_t kWriteFolder = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_DIR |
                                       LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                       LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR;
constexpr std::uint64_t kOfFiles =
    LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate | kDeviceControl;

/// All that each version of the interface can refuse, by what it added.
Ruleset everything(long version) {
  Ruleset all{(std::uint64_t{1} << 13) - 1, 0, 0};
  if (version >= 2) all.files |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= 3) all.files |= kTruncate;
  if (version >= 4) all.network = kBindAndConnect;
  if (version >= 5) all.files |= kDeviceControl;
  if (version >= 6) all.scopes = kSocketsAndSignals;
  return all;
}

std::size_t size_for(long version) { return (version >= 6 ? 3 : version >= 4 ? 2 : 1) * sizeof(std::uint64_t); }

std::uint64_t rights_of(Landlock::Access access) {
  switch (access) {
    case Landlock::Access::kRead:
      return LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    case Landlock::Access::kList:
      return LANDLOCK_ACCESS_FS_READ_DIR;
    case Landlock::Access::kWriteBelow:
      return kWriteFolder;
    case Landlock::Access::kWriteTo:
      return LANDLOCK_ACCESS_FS_WRITE_FILE | kDeviceControl;  // which tells a terminal from others
  }
  return 0;
}

}  // namespace

Landlock::Landlock() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version >= 1) {
    const Ruleset all = everything(version);
    handled_ = all.files;
    ruleset_ = static_cast<int>(::syscall(SYS_landlock_create_ruleset, &all, size_for(version), 0));
  }
  if (ruleset_ < 0) error_ = errno;
}

Landlock::~Landlock() {
  if (ruleset_ >= 0) ::close(ruleset_);
}

void Landlock::allow(const std::string& path, Access access) const {
  const int fd = ::open(path.c_str(), O_PATH | O_CLOEXEC);
  if (fd < 0) return;
  struct stat status {};
  std::uint64_t rights = rights_of(access) & handled_;
  if (::fstat(fd, &status) != 0 || !S_ISDIR(status.st_mode)) rights &= kOfFiles;
  const landlock_path_beneath_attr rule{rights, fd};
  // Refused for pipes and the like, which Landlock does not govern, and where memory is short: then it stays forbidden.
  if (rights != 0) ::syscall(SYS_landlock_add_rule, ruleset_, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  ::close(fd);
}

bool Landlock::enforce() const {
  if (ruleset_ < 0) {
    errno = error_;
    return false;
  }
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::syscall(SYS_landlock_restrict_self, ruleset_, 0) == 0;
}

}  // namespace gpuhisto::app
