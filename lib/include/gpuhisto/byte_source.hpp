// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpuhisto/time_limit.hpp"

namespace gpuhisto {

/// A forward stream of bytes with one buffer in front: a file, a pipe, or memory. Never mapped: a file cut short
/// while it is read must become an error, not a SIGBUS.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// The next bytes, at least `least` of them unless the stream ends first, without consuming them.
  /// Empty at the end of the stream. Throws Error(kIo) on a read error. least <= kPeekLimit.
  std::span<const std::uint8_t> peek(std::size_t least = 1);
  /// All that is left, without consuming it, where the size of the stream is known and at most `most` bytes are left;
  /// else empty. Fewer bytes than size() promised when the file was cut short.
  std::span<const std::uint8_t> peek_rest(std::size_t most);
  void consume(std::size_t count);  ///< count <= size of the last peek
  /// Copies up to `count` bytes; fewer only at the end of the stream.
  std::size_t read(std::uint8_t* to, std::size_t count);
  /// Skips up to `count` bytes; returns how many were there.
  std::uint64_t skip(std::uint64_t count);
  /// Everything that is left. Throws Error(kLimit) above `limit` bytes, naming --max-memory.
  std::vector<std::uint8_t> read_all(std::uint64_t limit);
  std::uint64_t position() const { return position_; }                        ///< bytes consumed so far
  virtual std::optional<std::uint64_t> size() const { return std::nullopt; }  ///< of the whole stream, where known

  /// Bytes that peek() can promise.
  static constexpr std::size_t kPeekLimit = 64 * 1024;

 protected:
  /// Reads at most `count` (> 0) bytes; 0 at the end.
  virtual std::size_t read_some(std::uint8_t* to, std::size_t count) = 0;

 private:
  void reserve(std::size_t capacity);
  std::span<const std::uint8_t> fill(std::size_t least);

  std::unique_ptr<std::uint8_t[]> buffer_;  // not zeroed: a small file touches few pages
  std::size_t capacity_ = 0, begin_ = 0, end_ = 0;
  std::uint64_t position_ = 0;
};

/// What may end a wait for the bytes of a pipe, FIFO or device early: asked ten times a second while one lasts; once it
/// says true, a source waits for its grace and then throws Error(kInterrupted). One for the process; null: none.
void set_interrupt(bool (*asked)());
/// How long open_file() waits on after an interrupt, unless told otherwise.
inline constexpr std::chrono::milliseconds kInterruptGrace{2000};

/// Opens a file, FIFO or device for reading; "-" is standard input. Throws Error(kIo): the system's own words
/// ("no such file or directory", "permission denied").
/// A FIFO without a writer is waited for; `on_wait` (may be empty) is called once when that has lasted two seconds.
/// An interrupt ends that wait at once, and one for bytes after `grace`; the time limit ends both, and any reading.
std::unique_ptr<ByteSource> open_file(const std::string& path, const std::function<void()>& on_wait = {},
                                      const TimeLimit& limit = {}, std::chrono::milliseconds grace = kInterruptGrace);
/// Bytes that outlive the source.
std::unique_ptr<ByteSource> open_memory(std::span<const std::uint8_t> bytes);

}  // namespace gpuhisto
