// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/report.hpp"

namespace gpuhisto {

/// Adds the totals of tables made elsewhere, exactly: the order does not matter, and sums may be added again. Needs
/// constant memory but for the indexes of the shards.
class Merge {
 public:
  /// kPartial: takes what runs that did not finish have left, of a text that ends within a document the whole results,
  /// and leaves shards out without complaint.
  enum class Accept { kWhole, kPartial };

  /// A sum of nothing yet.
  explicit Merge(Accept accept) : accept_(accept) {}

  /// Adds every total of one file: JSON or JSON lines, several after another. The results before a total must add up to
  /// it. Throws Error(kInput) with the line for what is malformed, of a run that did not finish, or no total of a whole
  /// list or of shards; Error(kLimit) beyond 64 bits; and, naming both files, Error(kUsage) for what does not go
  /// together: another counting, another list or count of shards, a shard twice, shards beside a whole list. After an
  /// error the file has added nothing.
  void add(ByteSource& source, const std::string& name);

  const Counting& counting() const { return counting_; }  ///< of all that was added
  /// "2, 5-7": the shards that are not there; empty when none is missing. The list is cut where it gets long.
  std::string missing() const;
  /// The sum. Its shard says what is in it; absent once all shards are, or where there were none: equal then to the
  /// total of one run over the whole list.
  Total total() const;
  /// Files that ended before they could tell which shard they are of, or that they are of a whole list.
  const std::vector<std::string>& of_unknown_shard() const { return of_unknown_shard_; }
  /// Whether every shard of a list is there.
  bool has_all_shards() const { return sum_.shard && found_.size() == sum_.shard->count; }

 private:
  struct FileSum;
  class FileReader;
  void check_counting(const FileSum& file, const std::string& name) const;
  void check_shards(const FileSum& file, const std::string& name) const;

  Accept accept_;
  Counting counting_;
  Total sum_;
  std::string first_, first_with_digest_, whole_;  ///< names of files; `whole_`: the first of a whole list
  std::vector<std::string> of_unknown_shard_;
  std::map<std::uint64_t, std::string> found_;  ///< index of a shard -> the file it is from
};

}  // namespace gpuhisto
