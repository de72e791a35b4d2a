// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Three tables to count bytes with. Which is fastest depends on the data (see plane_counter.cpp); figures in values per
// nanosecond on one core of a Xeon of the Sapphire Rapids generation, its sibling idle: photograph / uniform / 90 %
// equal.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpuhisto::count {

/// Eight tables of 256 bins, 8 KiB; value i goes to table i mod 8, so that equal neighbours do not wait for each other.
/// 2.6 / 2.7 / 2.0; where 64 bytes repeat one pair they take one step: 8 and more.
inline constexpr std::size_t kByteTables = 8;
inline constexpr std::size_t kByteTableSize = kByteTables * 256;
/// Counts n values. No counter grows by more than n.
void count_bytes(const std::uint8_t* values, std::size_t n, std::uint32_t* tables);
void fold_bytes(const std::uint32_t* tables, std::uint64_t* bins);

/// One counter for each pair of neighbours, so that two values take one step. For 65536 32-bit counters the data must
/// be local: what it touches should lie in the first-level cache. Repeated pairs as above. 4.7 / 1.7 / 1.1.
inline constexpr std::size_t kPairTableSize = 65536;
/// A multiple of this many values is counted in pairs.
inline constexpr std::size_t kPairBlock = 64;
/// Counts n values, a multiple of kPairBlock. No counter grows by more than n / 2.
void count_wide(const std::uint8_t* values, std::size_t n, std::uint32_t* table);
void fold_wide(const std::uint32_t* table, std::uint64_t* bins);

/// The same with 8-bit counters, 64 KiB: a counter that overflows adds its 256 pairs to the 64-bit bins at once.
/// 4.2 / 3.8 / 1.0.
void count_narrow(const std::uint8_t* values, std::size_t n, std::uint8_t* table, std::uint64_t* bins);
void fold_narrow(const std::uint8_t* table, std::uint64_t* bins);

}  // namespace gpuhisto::count
