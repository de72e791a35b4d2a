// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/byte_source.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>
#include <utility>

#include "core/memory_limit.hpp"
#include "core/system_error.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

constexpr std::size_t kBufferBytes = 2 * ByteSource::kPeekLimit;

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kTick{100};
constexpr milliseconds kNotice{2000};

constinit std::atomic<bool (*)()> g_interrupt{nullptr};

bool interrupted() {
  const auto asked = g_interrupt.load();
  return asked && asked();
}

[[noreturn]] void throw_interrupted() { throw Error(ErrorKind::kInterrupted, "interrupted"); }

/// Waits for a tick at most; true when there is something to read, or the end. Every tick an interrupt is looked for:
/// a signal may be delivered to any thread, so the poll of this one need not end by it.
bool ready_within_tick(int fd) {
  struct pollfd wanted = {fd, POLLIN, 0};
  const int ready = ::poll(&wanted, 1, static_cast<int>(kTick.count()));
  if (ready < 0 && errno != EINTR) throw_system_error(errno);
  return ready > 0;
}

void wait_for_bytes(int fd, const TimeLimit& limit, milliseconds grace) {
  std::optional<Clock::time_point> end;
  while (!ready_within_tick(fd)) {
    limit.check();
    if (!end && interrupted()) end = Clock::now() + grace;
    if (end && Clock::now() >= *end) throw_interrupted();
  }
}

/// Returns once a FIFO has a writer or something to read.
void wait_for_writer(int fd, const TimeLimit& limit, const std::function<void()>& on_wait) {
  const auto start = Clock::now();
  bool told = !on_wait;
  while (!ready_within_tick(fd)) {
    if (interrupted()) throw_interrupted();
    limit.check();
    if (told || Clock::now() - start < kNotice) continue;
    told = true;
    on_wait();
  }
}

bool is_regular(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

class FileSource : public ByteSource {
 public:
  /// Owns `file`, or reads from `fd` without owning it. `grace`: absent where reading never waits.
  FileSource(Descriptor file, const TimeLimit& limit, std::optional<milliseconds> grace)
      : FileSource(file.get(), limit, grace) {
    file_ = std::move(file);
  }
  FileSource(int fd, const TimeLimit& limit, std::optional<milliseconds> grace)
      : fd_(fd), begin_(std::max<off_t>(::lseek(fd, 0, SEEK_CUR), 0)), limit_(limit), grace_(grace) {}

  std::optional<std::uint64_t> size() const override {
    struct stat status {};
    if (::fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    return static_cast<std::uint64_t>(std::max<off_t>(status.st_size - begin_, 0));
  }

 protected:
  std::size_t read_some(std::uint8_t* to, std::size_t count) override {
    limit_.check();
    if (grace_) wait_for_bytes(fd_, limit_, *grace_);
    for (;;) {
      const ssize_t got = ::read(fd_, to, count);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) throw_system_error(errno);
    }
  }

 private:
  Descriptor file_;
  int fd_;
  off_t begin_;  // standard input may have been read from before
  TimeLimit limit_;
  std::optional<milliseconds> grace_;
};

/// Memory is taken for what is put there, only addresses for the rest.
constexpr std::uint64_t kMostAddresses = std::uint64_t{1} << 32;
void reserve_addresses(std::vector<std::uint8_t>& bytes, std::uint64_t count) {
  try {
    bytes.reserve(static_cast<std::size_t>(count));
  } catch (const std::bad_alloc&) {
    // So many are not to be had: then it grows by doubling.
  }
}

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::span<const std::uint8_t> bytes) : bytes_(bytes), total_(bytes.size()) {}
  std::optional<std::uint64_t> size() const override { return total_; }

 protected:
  std::size_t read_some(std::uint8_t* to, std::size_t count) override {
    const std::size_t n = std::min(count, bytes_.size());
    if (n > 0) std::memcpy(to, bytes_.data(), n);
    bytes_ = bytes_.subspan(n);
    return n;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::uint64_t total_;
};

}  // namespace

/// Makes room for `capacity` bytes, those that are there first.
void ByteSource::reserve(std::size_t capacity) {
  if (capacity_ < capacity) {
    auto larger = std::make_unique_for_overwrite<std::uint8_t[]>(capacity);
    if (end_ > begin_) std::memcpy(larger.get(), buffer_.get() + begin_, end_ - begin_);
    buffer_ = std::move(larger);
    capacity_ = capacity;
  } else if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
  }
  end_ -= begin_;
  begin_ = 0;
}

std::span<const std::uint8_t> ByteSource::fill(std::size_t least) {
  if (end_ - begin_ < least) {
    reserve(std::max(least, kBufferBytes));
    while (end_ < least) {
      const std::size_t got = read_some(buffer_.get() + end_, capacity_ - end_);
      if (got == 0) break;
      end_ += got;
    }
  }
  return {buffer_.get() + begin_, end_ - begin_};
}

std::span<const std::uint8_t> ByteSource::peek(std::size_t least) { return fill(std::min(least, kPeekLimit)); }

std::span<const std::uint8_t> ByteSource::peek_rest(std::size_t most) {
  const std::optional<std::uint64_t> total = size();
  if (!total || *total <= position_ || *total - position_ > most) return {};
  return fill(static_cast<std::size_t>(*total - position_));
}

void ByteSource::consume(std::size_t count) {
  begin_ += count;
  position_ += count;
}

std::size_t ByteSource::read(std::uint8_t* to, std::size_t count) {
  std::size_t done = std::min(count, end_ - begin_);
  if (done > 0) std::memcpy(to, buffer_.get() + begin_, done);
  begin_ += done;
  while (done < count) {
    const std::size_t got = read_some(to + done, count - done);
    if (got == 0) break;
    done += got;
  }
  position_ += done;
  return done;
}

std::uint64_t ByteSource::skip(std::uint64_t count) {
  std::uint64_t done = 0;
  while (done < count) {
    const auto bytes = peek();
    if (bytes.empty()) break;
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), count - done));
    consume(n);
    done += n;
  }
  return done;
}

std::vector<std::uint8_t> ByteSource::read_all(std::uint64_t limit) {
  std::vector<std::uint8_t> all;
  // The size spares the doubling; it is a hint only, files grow and shrink.
  if (const auto total = size(); total && *total > position_ && *total - position_ <= limit)
    all.reserve(static_cast<std::size_t>(*total - position_) + 1);
  // Of a pipe that brings much, all that may come.
  constexpr std::size_t kMuch = 1 << 20;
  for (bool reserved = size().has_value();;) {
    const auto bytes = peek();
    if (bytes.empty()) return all;
    check_max_memory("the file", std::max<std::uint64_t>(size().value_or(0), all.size() + bytes.size()), limit);
    if (all.size() > kMuch && !std::exchange(reserved, true)) reserve_addresses(all, std::min(limit, kMostAddresses));
    all.insert(all.end(), bytes.begin(), bytes.end());
    consume(bytes.size());
  }
}

void set_interrupt(bool (*asked)()) { g_interrupt.store(asked); }

std::unique_ptr<ByteSource> open_file(const std::string& path, const std::function<void()>& on_wait,
                                      const TimeLimit& limit, milliseconds grace) {
  const auto unless_regular = [grace](bool regular) { return regular ? std::nullopt : std::optional(grace); };
  if (path == "-") return std::make_unique<FileSource>(STDIN_FILENO, limit, unless_regular(is_regular(STDIN_FILENO)));
  if (path.find('\0') != std::string::npos) throw_system_error(EINVAL);  // or the name would end there
  int fd = -1;
  // Non-blocking, so that a FIFO without a writer can be waited for with a time limit.
  do fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  while (fd < 0 && errno == EINTR);
  if (fd < 0) throw_system_error(errno);
  Descriptor file(fd);
  struct stat status {};
  if (::fstat(fd, &status) != 0) throw_system_error(errno);
  if (S_ISDIR(status.st_mode)) throw Error(ErrorKind::kIo, "is a folder");
  if (S_ISFIFO(status.st_mode)) wait_for_writer(fd, limit, on_wait);
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  return std::make_unique<FileSource>(std::move(file), limit, unless_regular(S_ISREG(status.st_mode)));
}

std::unique_ptr<ByteSource> open_memory(std::span<const std::uint8_t> bytes) {
  return std::make_unique<MemorySource>(bytes);
}

}  // namespace gpuhisto
