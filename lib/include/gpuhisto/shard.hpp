// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "gpuhisto/pipeline.hpp"
#include "gpuhisto/report.hpp"

namespace gpuhisto {

/// Part `index` of `count`: 1 <= index <= count.
struct Shard {
  std::uint64_t index = 1, count = 1;
};

/// A shard's inputs out of a whole list: the input at position i, from 0, belongs to shard i mod count + 1. So the
/// shards are disjoint, cover the list, differ by one input at most, and each has its share of every folder of a sorted
/// list. Needs constant memory.
class ShardedList {
 public:
  /// `source`: the environment that the shard was taken from; may be empty.
  ShardedList(InputList whole, const Shard& shard, const std::string& source = "");
  ~ShardedList();
  /// An InputList of the shard's inputs. Its last call walks the whole list to the end.
  bool next(Input& input);
  /// Inputs given so far.
  std::uint64_t given() const { return given_; }
  /// What the total of this shard says of it: size and digest of the list are there once next() was false.
  ShardSet set() const;

 private:
  struct Digest;
  InputList whole_;
  Shard shard_;
  std::unique_ptr<Digest> digest_;
  ShardSet set_;
  std::uint64_t position_ = 0, given_ = 0;
};

/// How many of `inputs` inputs a shard has.
std::uint64_t inputs_of(const Shard& shard, std::uint64_t inputs);

}  // namespace gpuhisto
