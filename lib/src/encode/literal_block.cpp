// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Deflate without a search for matches. On filtered photographs matches hardly save anything (gray: 0 to 2 %), yet
// their search is most of the work. Measured on an equalised gray photograph of 12 Mpix, one thread, CPU time: this
// coder with the chosen filters 30 ms and 7.6 MB, filters included; libdeflate level 1 after Sub 132 ms and 8.0 MB,
// filters not included.
#include "encode/literal_block.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace gpuhisto {
namespace {

constexpr std::size_t kEndOfBlock = 256;
constexpr std::size_t kSymbols = 257;
// Four codes of 14 bits and the 7 bits that a byte boundary leaves fit into one 64-bit store.
constexpr int kMaxLength = 14;
// A code's table takes about this many bytes.
constexpr std::size_t kTableBytes = 64;

// Appends bits to memory that has room for 8 bytes more than are used.
class BitWriter {
 public:
  explicit BitWriter(std::uint8_t* to) : to_(to) {}
  void add(std::uint64_t bits, unsigned count) {
    bits_ |= bits << used_;
    used_ += count;
  }
  void flush() {
    static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "deflate's bit order is stored as it lies in memory");
    std::memcpy(to_, &bits_, sizeof bits_);
    to_ += used_ >> 3;
    bits_ >>= used_ & ~7u;
    used_ &= 7;
  }
  unsigned used() const { return used_; }
  std::uint8_t* position() const { return to_; }

 private:
  std::uint8_t* to_;
  std::uint64_t bits_ = 0;
  unsigned used_ = 0;
};

// Replaces ascending counts by the depths of an optimal tree's leaves (descending), in place.
void counts_to_depths(std::span<std::uint32_t> a) {
  const std::size_t n = a.size();
  a[0] += a[1];
  std::size_t root = 0, leaf = 2;
  for (std::size_t next = 1; next + 1 < n; ++next) {
    const auto take = [&]() -> std::uint32_t {
      if (leaf < n && (root >= next || a[leaf] <= a[root])) return a[leaf++];
      const std::uint32_t weight = a[root];
      a[root++] = static_cast<std::uint32_t>(next);
      return weight;
    };
    const std::uint32_t first = take();
    a[next] = first + take();
  }
  a[n - 2] = 0;
  for (std::size_t next = n - 2; next-- > 0;) a[next] = a[a[next]] + 1;
  std::size_t available = 1, used = 0, position = n;
  std::size_t internal = n - 1;
  for (std::uint32_t depth = 0; available > 0; ++depth) {
    while (internal > 0 && a[internal - 1] == depth) {
      ++used;
      --internal;
    }
    for (; available > used; --available) a[--position] = depth;
    available = 2 * used;
    used = 0;
  }
}

// Clamps depths to the limit; each leaf that came up from below takes room that a shallower leaf gives by going one
// down.
void limit_depths(std::span<std::uint32_t> depths, int limit) {
  std::array<std::uint32_t, 64> leaves{};
  for (const auto depth : depths) ++leaves[std::min(depth, static_cast<std::uint32_t>(limit))];
  const auto bottom = static_cast<std::size_t>(limit);
  std::uint64_t kraft = 0;
  for (std::size_t d = 1; d <= bottom; ++d) kraft += std::uint64_t{leaves[d]} << (bottom - d);
  for (; kraft > std::uint64_t{1} << bottom; --kraft) {
    std::size_t d = bottom - 1;
    while (leaves[d] == 0) --d;
    --leaves[d];
    leaves[d + 1] += 2;
    --leaves[bottom];
  }
  std::size_t i = 0;
  for (std::size_t d = bottom; d > 0; --d)
    for (std::uint32_t k = 0; k < leaves[d]; ++k) depths[i++] = static_cast<std::uint32_t>(d);
}

struct LengthSymbol {
  std::uint8_t symbol, extra, extra_bits;
};

// The lengths' own alphabet: 17 and 18 stand for runs of zeros, 16 repeats the length before.
std::vector<LengthSymbol> run_lengths(std::span<const std::uint8_t> lengths) {
  std::vector<LengthSymbol> out;
  for (std::size_t i = 0; i < lengths.size();) {
    std::size_t end = i + 1;
    while (end < lengths.size() && lengths[end] == lengths[i]) ++end;
    std::size_t run = end - i;
    if (lengths[i] != 0) {
      out.push_back({lengths[i], 0, 0});
      --run;
    }
    while (run >= 3) {
      const std::size_t n = std::min<std::size_t>(run, lengths[i] != 0 ? 6 : 138);
      if (lengths[i] != 0)
        out.push_back({16, static_cast<std::uint8_t>(n - 3), 2});
      else if (n <= 10)
        out.push_back({17, static_cast<std::uint8_t>(n - 3), 3});
      else
        out.push_back({18, static_cast<std::uint8_t>(n - 11), 7});
      run -= n;
    }
    for (; run > 0; --run) out.push_back({lengths[i], 0, 0});
    i = end;
  }
  return out;
}

// A dynamic block's header. Two distance codes of one bit, never used: some decoders refuse a block without any.
void write_header(std::span<const std::uint8_t> lengths, BitWriter& bits) {
  std::vector<std::uint8_t> all(lengths.begin(), lengths.end());
  all.insert(all.end(), {1, 1});
  const auto symbols = run_lengths(all);
  std::array<std::uint32_t, 19> counts{};
  for (const auto& s : symbols) ++counts[s.symbol];
  std::array<std::uint8_t, 19> code_lengths{};
  std::array<std::uint16_t, 19> codes{};
  make_code_lengths(counts, 7, code_lengths);
  make_codes(code_lengths, codes);
  std::size_t sent = kCodeLengthOrder.size();
  while (sent > 4 && code_lengths[kCodeLengthOrder[sent - 1]] == 0) --sent;

  bits.add(0b100, 3);  // not final, dynamic codes
  bits.add(kSymbols - 257, 5);
  bits.add(2 - 1, 5);
  bits.add(sent - 4, 4);
  bits.flush();
  for (std::size_t i = 0; i < sent; ++i) {
    bits.add(code_lengths[kCodeLengthOrder[i]], 3);
    bits.flush();
  }
  for (const auto& s : symbols) {
    bits.add(codes[s.symbol], code_lengths[s.symbol]);
    bits.add(s.extra, s.extra_bits);
    bits.flush();
  }
}

void append_stored_block(std::span<const std::uint8_t> bytes, std::vector<std::uint8_t>& out) {
  const auto size = static_cast<std::uint16_t>(bytes.size());
  const auto inverse = static_cast<std::uint16_t>(~size);
  out.insert(out.end(), {0, static_cast<std::uint8_t>(size), static_cast<std::uint8_t>(size >> 8),
                         static_cast<std::uint8_t>(inverse), static_cast<std::uint8_t>(inverse >> 8)});
  out.insert(out.end(), bytes.begin(), bytes.end());
}

struct Code {
  std::uint32_t bits, length;
};

void write_bytes(std::span<const std::uint8_t> bytes, const std::array<Code, kSymbols>& code, BitWriter& bits) {
  const auto add = [&](std::size_t symbol) { bits.add(code[symbol].bits, code[symbol].length); };
  std::size_t i = 0;
  for (; i + 4 <= bytes.size(); i += 4) {
    add(bytes[i]);
    add(bytes[i + 1]);
    add(bytes[i + 2]);
    add(bytes[i + 3]);
    bits.flush();
  }
  for (; i < bytes.size(); ++i) {
    add(bytes[i]);
    bits.flush();
  }
  add(kEndOfBlock);
  bits.flush();
}

}  // namespace

ByteCounts count_bytes(std::span<const std::uint8_t> bytes) {
  // Four tables, so that equal neighbours do not wait for each other's store.
  std::array<ByteCounts, 4> tables{};
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + i, sizeof word);
    for (unsigned k = 0; k < 8; ++k) ++tables[k & 3][(word >> (8 * k)) & 255];
  }
  for (; i < bytes.size(); ++i) ++tables[0][bytes[i]];
  for (std::size_t v = 0; v < 256; ++v) tables[0][v] += tables[1][v] + tables[2][v] + tables[3][v];
  return tables[0];
}

double entropy_bytes(const ByteCounts& counts) {
  double total = 0, sum = 0;
  for (const auto n : counts) {
    if (n == 0) continue;
    total += n;
    sum += n * std::log2(n);
  }
  return total > 0 ? (total * std::log2(total) - sum) / 8 : 0;
}

void make_code_lengths(std::span<const std::uint32_t> counts, int limit, std::span<std::uint8_t> lengths) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> used;  // count, symbol
  for (std::uint32_t s = 0; s < counts.size(); ++s) {
    lengths[s] = 0;
    if (counts[s] > 0) used.emplace_back(counts[s], s);
  }
  std::sort(used.begin(), used.end());
  std::vector<std::uint32_t> depths;
  for (const auto& [count, symbol] : used) depths.push_back(count);
  counts_to_depths(depths);
  limit_depths(depths, limit);
  for (std::size_t i = 0; i < used.size(); ++i) lengths[used[i].second] = static_cast<std::uint8_t>(depths[i]);
}

void make_codes(std::span<const std::uint8_t> lengths, std::span<std::uint16_t> codes) {
  std::array<unsigned, 16> next{};
  for (const auto length : lengths) ++next[length];
  next[0] = 0;
  unsigned code = 0;
  for (std::size_t length = 1; length < next.size(); ++length) {
    const unsigned count = next[length];
    code <<= 1;
    next[length] = code;
    code += count;
  }
  for (std::size_t s = 0; s < lengths.size(); ++s) {
    unsigned reversed = 0;
    if (lengths[s] > 0)
      for (unsigned bits = next[lengths[s]]++, i = 0; i < lengths[s]; ++i, bits >>= 1)
        reversed = reversed << 1 | (bits & 1);
    codes[s] = static_cast<std::uint16_t>(reversed);
  }
}

void append_alignment(unsigned free_bits, std::vector<std::uint8_t>& out) {
  // The free bits are 0, and 0 00 begins a stored block that is not final; where fewer than three are left, it takes a
  // byte.
  if (free_bits < 3) out.push_back(0);
  out.insert(out.end(), {0, 0, 0xff, 0xff});
}

void append_literal_block(std::span<const std::uint8_t> bytes, const ByteCounts& counts,
                          std::vector<std::uint8_t>& out) {
  std::array<std::uint32_t, kSymbols> all{};
  std::copy(counts.begin(), counts.end(), all.begin());
  all[kEndOfBlock] = 1;
  std::array<std::uint8_t, kSymbols> lengths{};
  std::array<std::uint16_t, kSymbols> codes{};
  make_code_lengths(all, kMaxLength, lengths);
  std::uint64_t body_bits = 0;
  for (std::size_t s = 0; s < kSymbols; ++s) body_bits += std::uint64_t{all[s]} * lengths[s];
  constexpr std::size_t kMaxHeader = 3 + 14 + 19 * 3 + (kSymbols + 2) * 14;  // in bits
  const auto body = static_cast<std::size_t>(body_bits / 8);
  if (body + kTableBytes >= bytes.size()) return append_stored_block(bytes, out);

  make_codes(lengths, codes);
  std::array<Code, kSymbols> code{};
  for (std::size_t s = 0; s < kSymbols; ++s) code[s] = {codes[s], lengths[s]};
  const std::size_t begin = out.size();
  out.resize(begin + kMaxHeader / 8 + body + 16);
  BitWriter bits(out.data() + begin);
  write_header(lengths, bits);
  write_bytes(bytes, code, bits);
  const bool partial = bits.used() > 0;
  out.resize(static_cast<std::size_t>(bits.position() - out.data()) + (partial ? 1 : 0));
  append_alignment(partial ? 8 - bits.used() : 0, out);
}

}  // namespace gpuhisto
