// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <optional>

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

std::string temporary_name(const std::string& name) {
  const std::string suffix = ".gpuhisto-" + random_suffix();
  return std::string(1, '.').append(name, 0, kMaxName - 1 - suffix.size()).append(suffix);
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

// Owner first, since changing it clears bits of the mode. A refused change of owner is no failure: most users may not.
void copy_ownership(int fd, const struct stat& old) {
  struct stat now {};
  if (::fstat(fd, &now) != 0) throw_system_error(errno);
  const bool same = now.st_uid == old.st_uid && now.st_gid == old.st_gid;
  const bool kept = same || ::fchown(fd, old.st_uid, old.st_gid) == 0;
  const mode_t mask = kept ? 07777 : 0777;  // no set-user-id for somebody else
  if (::fchmod(fd, old.st_mode & mask) != 0) throw_system_error(errno);
}

[[noreturn]] void throw_exists() { throw Error(ErrorKind::kExists, "the output exists"); }

}  // namespace

struct OutputFile::State {
  OutputTarget target;
  Options options;
  Descriptor file;  // empty: standard output
  std::string temporary;
  std::optional<TemporaryName> registered;

  int fd() const { return file ? file.get() : STDOUT_FILENO; }

  void refuse_terminal() const {
    if (options.binary && ::isatty(fd()) == 1)
      throw Error(ErrorKind::kUsage, "binary data is not written to a terminal: redirect it or name a file");
  }

  void open_temporary() {
    const int folder = target.folder.get();
    // Somebody who may not write the old file must not replace it either, though the folder would allow it.
    if (target.old && ::faccessat(folder, target.name.c_str(), W_OK, AT_EACCESS) != 0) throw_system_error(errno);
    const mode_t mode = target.old ? 0600 : 0666;
    for (;;) {
      temporary = temporary_name(target.name);
      registered.emplace(folder, temporary);
      file.reset(::openat(folder, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode));
      if (file) return registered->made();
      const int error = errno;
      registered.reset();
      if (error != EEXIST && error != EINTR) throw_system_error(error);
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
  if (path != "-") state_->target = find_output_target(path);
  state_->file = std::move(state_->target.direct);
  if (path == "-" || state_->file) {
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
  if (state.target.old) copy_ownership(state.file.get(), *state.target.old);
  sync(state.file.get());
  close_checked(state.file);
  state.rename_temporary();
  state.registered.reset();
  sync(state.target.folder.get());
}

}  // namespace gpuhisto
