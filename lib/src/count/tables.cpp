// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "count/tables.hpp"

#include <cstring>

namespace gpuhisto::count {
namespace {

inline std::uint64_t load64(const std::uint8_t* from) {
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

/// A pair as an index. Loading each with its own instruction beat shifting pairs out of a longer word.
inline std::size_t load_pair(const std::uint8_t* from) {
  std::uint16_t pair;
  std::memcpy(&pair, from, sizeof pair);
  return pair;
}

/// Adds one; true when the counter went from 255 to 0. In assembler, since GCC turns the builtin into three more
/// instructions than the addition's own carry needs (a fifth of the speed).
inline bool increment_overflows(std::uint8_t* counter) {
#if defined(__GCC_ASM_FLAG_OUTPUTS__) && defined(__x86_64__)
  bool carry;
  asm("addb $1, %0" : "+m"(*counter), "=@ccc"(carry));
  return carry;
#else
  return ++*counter == 0;
#endif
}

/// 64 bytes that repeat one pair: flat areas and the simplest dithering.
inline bool repeats(const std::uint8_t* values) {
  const std::uint64_t first = load64(values);
  if (first != ((first << 16) | (first >> 48))) return false;
  std::uint64_t difference = 0;
  for (std::size_t k = 8; k < kPairBlock; k += 8) difference |= load64(values + k) ^ first;
  return difference == 0;
}

/// The many stores of counting slow the hardware's own prefetching: asking for values early brought 15 % and more on
/// images larger than the second-level cache. A prefetch never faults, so it may point behind the last value.
inline void prefetch(const std::uint8_t* values) { __builtin_prefetch(values + 1024); }

inline void count_eight(const std::uint8_t* values, std::uint32_t* tables) {
#pragma GCC unroll 8
  for (std::size_t k = 0; k < kByteTables; ++k) ++tables[k * 256 + values[k]];
}

}  // namespace

void count_bytes(const std::uint8_t* values, std::size_t n, std::uint32_t* tables) {
  std::size_t i = 0;
  for (; i + kPairBlock <= n; i += kPairBlock) {
    prefetch(values + i);
    if (repeats(values + i)) {
      tables[values[i]] += kPairBlock / 2;
      tables[256 + values[i + 1]] += kPairBlock / 2;
      continue;
    }
    for (std::size_t k = 0; k < kPairBlock; k += kByteTables) count_eight(values + i + k, tables);
  }
  for (; i + kByteTables <= n; i += kByteTables) count_eight(values + i, tables);
  for (; i < n; ++i) ++tables[values[i]];
}

void fold_bytes(const std::uint32_t* tables, std::uint64_t* bins) {
  for (std::size_t k = 0; k < kByteTables; ++k, tables += 256)
    for (std::size_t v = 0; v < 256; ++v) bins[v] += tables[v];
}

void count_wide(const std::uint8_t* values, std::size_t n, std::uint32_t* table) {
  for (std::size_t i = 0; i < n; i += kPairBlock) {
    prefetch(values + i);
    if (repeats(values + i)) {  // otherwise each step would wait for the one before, five cycles
      table[load_pair(values + i)] += kPairBlock / 2;
      continue;
    }
#pragma GCC unroll 32
    for (std::size_t k = 0; k < kPairBlock; k += 2) ++table[load_pair(values + i + k)];
  }
}

void count_narrow(const std::uint8_t* values, std::size_t n, std::uint8_t* table, std::uint64_t* bins) {
  for (std::size_t i = 0; i < n; i += kPairBlock) {
    prefetch(values + i);
#pragma GCC unroll 32
    for (std::size_t k = 0; k < kPairBlock; k += 2) {
      const std::size_t pair = load_pair(values + i + k);
      if (__builtin_expect(increment_overflows(table + pair), 0)) {
        bins[pair & 255] += 256;
        bins[pair >> 8] += 256;
      }
    }
  }
}

// Folding adds a counter to the bins of both its values: rows are one of the two, columns the other.

void fold_wide(const std::uint32_t* table, std::uint64_t* bins) {
  for (std::size_t row = 0; row < 256; ++row, table += 256) {
    std::uint64_t sum = 0;
    for (std::size_t column = 0; column < 256; ++column) {
      sum += table[column];
      bins[column] += table[column];
    }
    bins[row] += sum;
  }
}

void fold_narrow(const std::uint8_t* table, std::uint64_t* bins) {
  std::uint32_t columns[256] = {};
  for (std::size_t row = 0; row < 256; ++row, table += 256) {
    std::uint32_t sum = 0;
    for (std::size_t column = 0; column < 256; ++column) {
      sum += table[column];
      columns[column] += table[column];
    }
    bins[row] += sum;
  }
  for (std::size_t v = 0; v < 256; ++v) bins[v] += columns[v];
}

}  // namespace gpuhisto::count
