// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include <map>

#include "core/sha256.hpp"
#include "gpuhisto/shard.hpp"

namespace gpuhisto {
namespace {

InputList list_of(std::uint64_t inputs) {
  return [inputs, next = std::uint64_t{0}](Input& input) mutable {
    if (next == inputs) return false;
    input.name = "n" + std::to_string(next++);
    return true;
  };
}

TEST(ShardedList, ShardsAreDisjointAndCoverTheList) {
  for (const std::uint64_t inputs : {0u, 1u, 2u, 3u, 7u, 16u, 100u}) {
    std::string names;
    for (std::uint64_t i = 0; i < inputs; ++i) names += "n" + std::to_string(i) + '\0';
    for (const std::uint64_t count : {1u, 2u, 3u, 7u, 16u, 101u}) {
      std::map<std::string, int> seen;
      for (std::uint64_t index = 1; index <= count; ++index) {
        ShardedList list(list_of(inputs), {index, count});
        EXPECT_TRUE(list.set().digest.empty());
        for (Input input; list.next(input); input = {}) ++seen[input.name];
        Input input;
        EXPECT_FALSE(list.next(input));
        EXPECT_EQ(list.given(), inputs_of(Shard{index, count}, inputs));
        EXPECT_LE(list.given(), inputs / count + 1);
        EXPECT_EQ(list.set().inputs, inputs);
        EXPECT_EQ(list.set().digest, Sha256::of(names));
      }
      EXPECT_EQ(seen.size(), inputs);
      for (const auto& [name, times] : seen) EXPECT_EQ(times, 1) << name;
    }
  }
}

TEST(Sha256, PiecesMakeNoDifference) {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    Sha256 hash;
    for (std::size_t at = 0; at < text.size(); at += 7) hash.add(std::string_view(text).substr(at, 7));
    EXPECT_EQ(hash.digits(), Sha256::of(text)) << i;
    text += static_cast<char>(i * 7);
  }
}

}  // namespace
}  // namespace gpuhisto
