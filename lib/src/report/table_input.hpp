// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// What the readers of CSV and of JSON tables share.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

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
  void advance() {
    ++steps_;
    line_ += chunk_[at_++] == '\n';
  }
  std::uint64_t steps() const { return steps_; }  ///< since the last forget_steps()
  void forget_steps() { steps_ = 0; }
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
  std::uint64_t line_ = 1, steps_ = 0;
};

/// Takes what a reader of tables finds, in its order. Messages of its errors lack the position.
class TableSink {
 public:
  virtual ~TableSink() = default;
  /// The counting of what follows. Throws Error(kInput) when it may not differ from the one before.
  virtual void set_counting(const Counting& counting) = 0;
  /// An input's outcome, with its pixels and whether it has flags where it is ok; before its table.
  virtual void add_result(Status, std::uint64_t /*pixels*/, bool /*flagged*/) {}
  virtual void add(Table&& table) = 0;
  /// Of an input without any of the channels that were counted, whether or not the others have tables.
  virtual void add_without_channels(Table&& /*empty*/) {}
  virtual void add_total(const Total& total) = 0;
  /// The input ends within a document, of which the results so far were added. False: that is an error.
  virtual bool take_cut() { return false; }
};

/// Gathers tables within a bound of memory.
class TableCollector : public TableSink {
 public:
  explicit TableCollector(std::uint64_t max_bytes) : max_bytes_(max_bytes) {}
  void set_counting(const Counting& counting) override;
  /// Throws Error(kLimit), naming --max-memory.
  void add(Table&& table) override;
  void add_without_channels(Table&& empty) override { add(std::move(empty)); }
  /// Several totals are summed. Throws Error(kLimit) beyond 64 bits.
  void add_total(const Total& total) override;
  /// Throws Error(kInput) when there is no histogram at all.
  TableFile finish();

 private:
  std::uint64_t max_bytes_, held_ = 0;
  std::optional<Counting> counting_;
  TableFile file_;
};

/// The sum of the bins; nullopt beyond 2^64 - 1.
std::optional<std::uint64_t> checked_sum(const Histogram& bins);

/// Adds `part`. Throws Error(kLimit) beyond 64 bits.
void add_to(ImageHistogram& sum, const ImageHistogram& part);
/// Adds `part`, but for its shard, to `sum`; incomplete when one of them is. Throws Error(kLimit) beyond 64 bits.
void add_to(Total& sum, const Total& part);

/// Of the tables those that are JSON.
bool is_json_table(ByteSource& source);
void read_csv_tables(TextFeed& feed, TableSink& tables);
/// Needs the memory of one table, however long the input: a single value of more than 16 MiB is Error(kLimit).
void read_json_tables(TextFeed& feed, TableSink& tables);

}  // namespace gpuhisto
