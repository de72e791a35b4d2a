// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <optional>
#include <string>

#include "core/system_error.hpp"
#include "encode/output_target.hpp"
#include "encode/temporary_names.hpp"
#include "gpuhisto/encoder.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

constexpr std::size_t kMaxName = 255;

// 64 random bits: two programs, or two threads, never meet on one name.
std::string random_suffix() {
  constexpr char kDigits[] = "0123456789abcdefghjkmnpqrstvwxyz";
  std::uint64_t bits = 0;
  if (::getrandom(&bits, sizeof bits, 0) != static_cast<ssize_t>(sizeof bits)) throw_system_error(errno);
  std::string suffix;
  for (int i = 0; i < 12; ++i, bits >>= 5) suffix += kDigits[bits & 31];
  return suffix;
}

/// `stem`: the output's name, cut where it is too long, but within no character of UTF-8: some filesystems refuse that.
std::string temporary_name(const std::string& stem) {
  const std::string suffix = ".gpuhisto-" + random_suffix();
  std::size_t size = std::min(stem.size(), kMaxName - 1 - suffix.size());
  if (size < stem.size())
    while (size > 0 && (static_cast<unsigned char>(stem[size]) & 0xC0) == 0x80) --size;
  return std::string(1, '.').append(stem, 0, size).append(suffix);
}

// Some filesystems and pipes know no fsync.
void sync(int fd) {
  while (::fsync(fd) != 0) {
    if (errno == EINVAL || errno == ENOTSUP || errno == EROFS || errno == EBADF) return;
    if (errno != EINTR) throw_system_error(errno);
  }
}

// Explicitly, because the last error of a network filesystem comes here. Linux closes the descriptor even on EINTR.
void close_checked(Descriptor& descriptor) {
  if (::close(descriptor.release()) != 0 && errno != EINTR) throw_system_error(errno);
}

// Gives the new file the old one's access list. Where the system has none, or refuses, the group's bits of `mode`,
// which stand for all that the list grants, are taken away. `old`: a name of the old file.
void copy_access_list(int fd, const std::string& old, mode_t& mode) {
  constexpr const char* kName = "system.posix_acl_access";
  std::array<char, 4096> list;
  const ssize_t size = ::getxattr(old.c_str(), kName, list.data(), list.size());
  if (size > 0 && ::fsetxattr(fd, kName, list.data(), static_cast<std::size_t>(size), 0) == 0) return;
  if (size > 0 || (size < 0 && errno == ERANGE)) mode &= ~mode_t{S_IRWXG};
  (void)::fremovexattr(fd, kName);  // what the folder gives to new files
}

// Owner first, since changing it clears bits of the mode. A refused change of owner is no failure: most users may not.
// But then nobody may do more than before: no set-user-id for somebody else, and another group has what all had.
void copy_ownership(int fd, const OutputTarget& target) {
  const struct stat& old = *target.old;
  struct stat now {};
  if (::fstat(fd, &now) != 0) throw_system_error(errno);
  mode_t mode = old.st_mode & 07777;
  const bool same = now.st_uid == old.st_uid && now.st_gid == old.st_gid;
  if (!same && ::fchown(fd, old.st_uid, old.st_gid) != 0) {
    mode &= 0777;
    const bool group_kept = now.st_gid == old.st_gid || ::fchown(fd, static_cast<uid_t>(-1), old.st_gid) == 0;
    if (!group_kept) mode = (mode & ~mode_t{S_IRWXG}) | (mode & S_IRWXG & (mode & S_IRWXO) << 3);
  }
  copy_access_list(fd, "/proc/self/fd/" + std::to_string(target.folder.get()) + '/' + target.name, mode);
  if (::fchmod(fd, mode) != 0) throw_system_error(errno);
}

[[noreturn]] void throw_exists() { throw Error(ErrorKind::kExists, "the output exists"); }

}  // namespace

struct OutputFile::State {
  OutputTarget target;
  Options options;
  Descriptor file;
  bool standard = false;  // output
  std::string temporary;
  std::optional<TemporaryName> registered;

  int fd() const {
    if (standard) return STDOUT_FILENO;
    if (!file) throw Error(ErrorKind::kUsage, "the output is closed");
    return file.get();
  }

  void refuse_terminal() const {
    if (options.binary && ::isatty(fd()) == 1)
      throw Error(ErrorKind::kUsage, "binary data is not written to a terminal: redirect it or name a file");
  }

  void open_temporary() {
    const int folder = target.folder.get();
    // Somebody who may not write the old file must not replace it either, though the folder would allow it.
    if (target.old && ::faccessat(folder, target.name.c_str(), W_OK, AT_EACCESS) != 0) throw_system_error(errno);
    const mode_t mode = target.old ? 0600 : 0666;
    for (std::string stem = target.name;;) {
      temporary = temporary_name(stem);
      registered.emplace(folder, temporary);
      file.reset(::openat(folder, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode));
      if (file) return registered->made();
      const int error = errno;
      registered.reset();
      if (error == ENAMETOOLONG && !stem.empty())
        stem.clear();  // as on filesystems whose names are shorter
      else if (error != EEXIST && error != EINTR)
        throw_system_error(error);
    }
  }

  void rename_temporary() {
    const int folder = target.folder.get();
    const unsigned flags = options.no_clobber ? RENAME_NOREPLACE : 0;
    if (::renameat2(folder, temporary.c_str(), folder, target.name.c_str(), flags) == 0) return;
    if (errno == EEXIST && options.no_clobber) throw_exists();
    if (errno == ENOENT && registered->removed()) throw Error(ErrorKind::kInterrupted, "interrupted");
    if (!options.no_clobber || (errno != EINVAL && errno != ENOSYS)) throw_system_error(errno);
    // A filesystem without that flag: a hard link refuses an existing name as well.
    if (::linkat(folder, temporary.c_str(), folder, target.name.c_str(), 0) != 0) {
      if (errno == EEXIST) throw_exists();
      throw_system_error(errno);
    }
    ::unlinkat(folder, temporary.c_str(), 0);
  }

  ~State() {
    if (registered) ::unlinkat(target.folder.get(), temporary.c_str(), 0);
  }
};

OutputFile::OutputFile(const std::string& path, const Options& options) : state_(std::make_unique<State>()) {
  state_->options = options;
  state_->standard = path == "-";
  if (!state_->standard) state_->target = find_output_target(path);
  state_->file = std::move(state_->target.direct);
  if (state_->standard || state_->file) {
    state_->refuse_terminal();
    return;
  }
  if (options.no_clobber && state_->target.old) throw_exists();
  state_->open_temporary();
}

OutputFile::~OutputFile() = default;

void OutputFile::write(const void* bytes, std::size_t count) { write_all(state_->fd(), bytes, count); }

void OutputFile::commit() {
  State& state = *state_;
  if (!state.registered) {
    if (state.file) close_checked(state.file);
    return;
  }
  if (state.target.old) copy_ownership(state.file.get(), state.target);
  sync(state.file.get());
  close_checked(state.file);
  state.rename_temporary();
  state.registered.reset();
  sync(state.target.folder.get());
}

}  // namespace gpuhisto
