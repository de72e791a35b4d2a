// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Loaded into the program by LD_PRELOAD, to make the system fail at a chosen point. FAULT says how:
//   alloc once N            the N-th allocation fails (malloc and its family, so operator new too)
//   alloc from N            it and all that follow
//   alloc count             none; the number of allocations is written to the file FAULT_COUNT at the end
//   read error N            of the file FAULT_FILE, reading fails once N bytes of it are read
//   read truncate N         ... the file is cut to half of that instead
//   read replace N          ... FAULT_FILE.new is renamed to it instead
//   read short 1            each read gives one byte, and every other one is interrupted
//   write full N            files on disk take N bytes in all; then there is no space left
//   write short 1           each write takes one byte, and every other one is interrupted
//   fsync fail 1            nothing can be brought to disk
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

struct Fault {
  char call[16] = "", how[16] = "";
  long at = 0;
};

/// Read anew at each start; a plain function of the environment, because malloc runs before any constructor.
const Fault& fault() {
  static constinit Fault told;
  static constinit std::atomic<bool> known{false};
  if (!known.load()) {
    if (const char* text = std::getenv("FAULT")) std::sscanf(text, "%15s %15s %ld", told.call, told.how, &told.at);
    known.store(true);
  }
  return told;
}

bool is(const char* call, const char* how) {
  return std::strcmp(fault().call, call) == 0 && std::strcmp(fault().how, how) == 0;
}

constinit std::atomic<long> allocations{0};

/// Counts one more; whether it fails.
bool no_memory() {
  const long number = ++allocations;
  const bool fails = (number == fault().at && is("alloc", "once")) || (number >= fault().at && is("alloc", "from"));
  if (fails) errno = ENOMEM;
  return fails;
}

bool is_regular(int fd, struct stat& status) { return ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode); }

bool is_the_file(int fd) {
  const char* name = std::getenv("FAULT_FILE");
  struct stat here {
  }, wanted{};
  return name && is_regular(fd, here) && ::stat(name, &wanted) == 0 && here.st_ino == wanted.st_ino;
}

ssize_t plain_read(int fd, void* to, std::size_t count) { return ::syscall(SYS_read, fd, to, count); }
ssize_t plain_write(int fd, const void* from, std::size_t count) { return ::syscall(SYS_write, fd, from, count); }

ssize_t failed(int number) {
  errno = number;
  return -1;
}

/// Every other call is interrupted.
bool interrupts() {
  static std::atomic<unsigned> calls{0};
  return calls++ % 2 == 1;
}

void spoil_file() {
  char fresh[4096];
  const char* name = std::getenv("FAULT_FILE");
  std::snprintf(fresh, sizeof fresh, "%s.new", name);
  if (is("read", "truncate") && ::truncate(name, fault().at / 2) != 0) std::abort();
  if (is("read", "replace") && ::rename(fresh, name) != 0) std::abort();
}

struct CountAtEnd {
  ~CountAtEnd() {
    const char* name = std::getenv("FAULT_COUNT");
    const int fd = name && is("alloc", "count") ? ::open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (fd >= 0) ::dprintf(fd, "%ld", allocations.load());
  }
} count_at_end;

}  // namespace

extern "C" {

void* malloc(std::size_t size) { return no_memory() ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) { return no_memory() ? nullptr : __libc_calloc(count, size); }
void* realloc(void* old, std::size_t size) { return no_memory() ? nullptr : __libc_realloc(old, size); }
void* memalign(std::size_t alignment, std::size_t size) {
  return no_memory() ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** to, std::size_t alignment, std::size_t size) {
  void* const memory = memalign(alignment, size);
  if (memory) *to = memory;
  return memory ? 0 : ENOMEM;
}

ssize_t read(int fd, void* to, std::size_t count) {
  static std::atomic<long> done{0};
  if (is("read", "short")) return interrupts() ? failed(EINTR) : plain_read(fd, to, count > 0 ? 1 : 0);
  if (std::strcmp(fault().call, "read") != 0 || !is_the_file(fd)) return plain_read(fd, to, count);
  if (done >= fault().at) {
    if (is("read", "error")) return failed(EIO);
    return plain_read(fd, to, count);
  }
  const auto left = static_cast<std::size_t>(fault().at - done);
  const ssize_t got = plain_read(fd, to, count < left ? count : left);
  done += got;
  if (done >= fault().at) spoil_file();
  return got;
}

ssize_t write(int fd, const void* from, std::size_t count) {
  static std::atomic<long> done{0};
  if (is("write", "short")) return interrupts() ? failed(EINTR) : plain_write(fd, from, count > 0 ? 1 : 0);
  struct stat status {};
  if (!is("write", "full") || !is_regular(fd, status)) return plain_write(fd, from, count);
  if (done >= fault().at) return failed(ENOSPC);
  const auto left = static_cast<std::size_t>(fault().at - done);
  const ssize_t put = plain_write(fd, from, count < left ? count : left);
  done += put;
  return put;
}

int fsync(int fd) {
  if (is("fsync", "fail")) return static_cast<int>(failed(EIO));
  return static_cast<int>(::syscall(SYS_fsync, fd));
}

}  // extern "C"
