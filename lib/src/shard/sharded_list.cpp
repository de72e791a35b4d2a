// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <utility>

#include "core/sha256.hpp"
#include "gpuhisto/shard.hpp"

namespace gpuhisto {

struct ShardedList::Digest {
  Sha256 hash;
};

ShardedList::ShardedList(InputList whole, const Shard& shard, const std::string& source)
    : whole_(std::move(whole)), shard_(shard), digest_(std::make_unique<Digest>()) {
  set_.indexes = {shard.index};
  set_.count = shard.count;
  set_.source = source;
}
ShardedList::~ShardedList() = default;

bool ShardedList::next(Input& input) {
  while (digest_ && whole_(input)) {
    digest_->hash.add(input.name);
    digest_->hash.add({"\0", 1});  // each name ends with NUL, as in the output of find -print0
    if (position_++ % shard_.count == shard_.index - 1) {
      ++given_;
      return true;
    }
    input = {};
  }
  if (!digest_) return false;
  set_.inputs = position_;
  set_.digest = digest_->hash.digits();
  digest_.reset();
  return false;
}

ShardSet ShardedList::set() const { return set_; }

std::uint64_t inputs_of(const Shard& shard, std::uint64_t inputs) {
  return inputs < shard.index ? 0 : (inputs - shard.index) / shard.count + 1;
}

}  // namespace gpuhisto
