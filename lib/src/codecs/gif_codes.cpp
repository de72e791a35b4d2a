// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <array>

#include "codecs/byte_fields.hpp"
#include "codecs/gif_blocks.hpp"

namespace gpuhisto {
namespace {

constexpr std::uint32_t kTableSize = 4096;
constexpr unsigned kMaxCodeBits = 12;

/// Bits across the borders of sub-blocks, the lowest first.
class CodeReader {
 public:
  CodeReader(std::span<const std::uint8_t> file, std::uint64_t at) : file_(file), at_(at) {}

  /// The next code, or -1 at the end of the blocks or of the file.
  std::int32_t next(unsigned bits) {
    while (have_ < bits) {
      if (block_ == 0) {
        block_ = byte_at(file_, at_++);
        if (block_ == 0) return -1;
      }
      if (at_ >= file_.size()) return -1;
      bits_ |= byte_at(file_, at_++) << have_;
      have_ += 8;
      --block_;
    }
    const std::uint32_t code = bits_ & ((1u << bits) - 1);
    bits_ >>= bits;
    have_ -= bits;
    return static_cast<std::int32_t>(code);
  }

 private:
  std::span<const std::uint8_t> file_;
  std::uint64_t at_;
  std::uint32_t block_ = 0, bits_ = 0;
  unsigned have_ = 0;
};

class CodeTable {
 public:
  explicit CodeTable(unsigned bits) : clear_(1u << bits), start_bits_(bits + 1) {
    for (std::uint32_t v = 0; v < clear_ && v < 256; ++v)
      entries_[v] = {0, 1, static_cast<std::uint8_t>(v), static_cast<std::uint8_t>(v)};
    reset();
  }

  void reset() {
    size_ = clear_ + 2;
    code_bits_ = start_bits_;
    previous_ = -1;
  }
  unsigned code_bits() const { return code_bits_; }
  std::uint32_t clear() const { return clear_; }
  std::uint32_t end() const { return clear_ + 1; }

  /// Appends the pixels of `code`, not more than `room`; false for a code that means nothing here.
  bool append(std::uint32_t code, std::uint64_t room, std::vector<std::uint8_t>& to) {
    const bool known = code < size_;
    if (previous_ < 0 ? code >= clear_ : code > size_ || (code == size_ && size_ >= kTableSize)) return false;
    if (previous_ >= 0 && size_ < kTableSize) {
      const Entry& last = entries_[static_cast<std::size_t>(previous_)];
      entries_[size_++] = {static_cast<std::uint16_t>(previous_), last.length + 1, last.first,
                           known ? entries_[code].first : last.first};
    }
    if (size_ >= 1u << code_bits_ && code_bits_ < kMaxCodeBits) ++code_bits_;
    previous_ = static_cast<std::int32_t>(code);
    write(code, room, to);
    return true;
  }

 private:
  struct Entry {
    std::uint16_t prefix = 0;
    std::uint32_t length = 0;
    std::uint8_t first = 0, last = 0;
  };

  void write(std::uint32_t code, std::uint64_t room, std::vector<std::uint8_t>& to) const {
    const std::uint32_t length = entries_[code].length;
    const std::size_t begin = to.size();
    to.resize(begin + length);
    for (std::uint32_t i = length; i > 0; --i) {
      to[begin + i - 1] = entries_[code].last;
      code = entries_[code].prefix;
    }
    if (length > room) to.resize(begin + static_cast<std::size_t>(room));
  }

  std::array<Entry, kTableSize> entries_{};
  std::uint32_t clear_;
  unsigned start_bits_;
  std::uint32_t size_ = 0;
  unsigned code_bits_ = 0;
  std::int32_t previous_ = -1;
};

}  // namespace

GifIndices decode_gif_codes(std::span<const std::uint8_t> file, std::uint64_t data_at, std::uint64_t pixels) {
  GifIndices result;
  const std::uint32_t bits = byte_at(file, data_at);
  if (bits < 1 || bits > 8) {
    result.damage = "bad LZW code size";
    return result;
  }
  CodeReader reader(file, data_at + 1);
  CodeTable table(bits);
  for (;;) {
    const std::int32_t next = reader.next(table.code_bits());
    const auto code = static_cast<std::uint32_t>(next);
    if (next < 0 || code == table.end()) break;
    if (code == table.clear()) {
      table.reset();
      continue;
    }
    const std::size_t before = result.bytes.size();
    if (before == pixels) {
      result.surplus = true;
      break;
    }
    if (!table.append(code, pixels - before, result.bytes)) {
      result.damage = "a bad LZW code";
      return result;
    }
  }
  if (result.bytes.size() < pixels) result.damage = "the pixels are truncated";
  return result;
}

}  // namespace gpuhisto
