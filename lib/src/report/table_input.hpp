// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// What the readers of CSV and of JSON tables share.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "gpuhisto/report.hpp"

namespace gpuhisto {

/// Characters of a stream one by one, with the line they stand on.
class TextFeed {
 public:
  static constexpr int kEnd = -1;

  /// Throws Error(kLimit), naming --max-memory, once more than `max_bytes` were read.
  TextFeed(ByteSource& source, std::uint64_t max_bytes) : source_(source), max_bytes_(max_bytes) {}
  int peek() { return at_ < chunk_.size() || fill() ? chunk_[at_] : kEnd; }
  /// Steps over what peek() returned; not at the end.
  void advance() { line_ += chunk_[at_++] == '\n'; }
  std::uint64_t line() const { return line_; }
  /// Throws Error(kInput) with "line N: ".
  [[noreturn]] void fail(const std::string& fact) const { fail_at(line_, fact); }
  [[noreturn]] static void fail_at(std::uint64_t line, const std::string& fact);

 private:
  bool fill();

  ByteSource& source_;
  std::uint64_t max_bytes_, read_ = 0;
  std::span<const std::uint8_t> chunk_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
};

/// Gathers tables within a bound of memory. Messages of its errors lack the position.
class TableCollector {
 public:
  explicit TableCollector(std::uint64_t max_bytes) : max_bytes_(max_bytes) {}
  /// An input's table. Throws Error(kLimit), naming --max-memory.
  void add(Table&& table);
  /// A total; several are summed. Throws Error(kLimit) beyond 64 bits.
  void add_total(const Total& total);
  void set_counting(const Counting& counting) { counting_ = counting; }
  const std::optional<Counting>& counting() const { return counting_; }
  /// Throws Error(kInput) when there is no histogram at all.
  TableFile finish();

 private:
  std::uint64_t max_bytes_, held_ = 0;
  std::optional<Counting> counting_;
  TableFile file_;
};

/// The sum of the bins; nullopt beyond 2^64 - 1.
std::optional<std::uint64_t> checked_sum(const Histogram& bins);

void read_csv_tables(TextFeed& feed, TableCollector& tables);
void read_json_tables(TextFeed& feed, TableCollector& tables);

}  // namespace gpuhisto
