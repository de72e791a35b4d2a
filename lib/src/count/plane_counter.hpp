// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "count/table_pool.hpp"
#include "count/tables.hpp"
#include "gpuhisto/histogram.hpp"

namespace gpuhisto::count {

/// When which table is used and when its counters are emptied; measured on a Xeon of the Sapphire Rapids generation
/// (48 KiB first-level cache, 2 MiB second). Tests inject others to reach every path with small images.
struct CountPolicy {
  /// No 32-bit counter may pass this: tables are folded into 64-bit bins before more values than that are counted.
  std::uint64_t counter_limit = UINT32_MAX;
  /// Values counted byte by byte before the first table of pairs: clearing and folding one costs about as much as it
  /// saves on that many.
  std::uint64_t bytes_first = std::uint64_t{1} << 17;
  /// Values between two looks at the data.
  std::size_t look_every = std::size_t{1} << 17;

  friend bool operator==(const CountPolicy&, const CountPolicy&) = default;
};

/// Counts one channel's values. Which table is fastest depends on the data, so every now and then a sample is looked
/// at.
class PlaneCounter {
 public:
  enum class Table { kBytes, kWide, kNarrow };

  explicit PlaneCounter(const CountPolicy& policy) : policy_(policy), until_look_(policy.look_every) {}

  void add(const std::uint8_t* values, std::size_t n);
  /// Adds the counts so far to `bins` and starts again from zero.
  void drain(Histogram& bins);
  /// How often the tables were folded; for tests.
  std::uint64_t folds() const { return folds_; }
  Table table() const { return table_; }  ///< that counts at present; for tests

 private:
  void look(const std::uint8_t* values, std::size_t n);
  void count(const std::uint8_t* values, std::size_t n);
  void fold();

  CountPolicy policy_;
  Table table_ = Table::kBytes;
  std::size_t until_look_;
  std::uint64_t seen_ = 0;      // values since the last drain
  std::uint64_t unfolded_ = 0;  // values since the last fold: no 32-bit counter is above
  std::uint64_t folds_ = 0;
  Histogram bins_{};
  alignas(64) std::uint32_t bytes_[kByteTableSize] = {};
  PairTable<std::uint32_t> wide_;
  PairTable<std::uint8_t> narrow_;
};

}  // namespace gpuhisto::count
