// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "shard.hpp"

#include <utility>

#include "shard_value.hpp"

namespace gpuhisto::app {
namespace {

std::string words(const ShardSet& set) {
  return "shard " + std::to_string(set.indexes.front()) + " of " + std::to_string(set.count);
}

}  // namespace

Inputs shard_of(Inputs whole, const std::string& flag, Console& console) {
  if (flag.empty()) return whole;
  const ShardValue value = parse_shard(flag);
  Inputs part;
  part.may_wait = whole.may_wait;
  if (whole.count) part.count = inputs_of(value.shard, *whole.count);
  if (whole.count_ahead)
    part.count_ahead = [count = std::move(whole.count_ahead), shard = value.shard](const std::stop_token& stop) {
      auto counted = count(stop);
      if (counted) counted = inputs_of(shard, *counted);
      return counted;
    };
  part.shard = std::make_shared<ShardedList>(std::move(whole.list), value.shard, value.source);
  part.list = [list = part.shard](Input& input) { return list->next(input); };
  const std::string text = words(part.shard->set());
  value.source.empty() ? console.detail(text) : console.note(text + ", from " + value.taken);
  return part;
}

std::string nothing_found(const Inputs& inputs) {
  if (!inputs.shard || inputs.shard->given() > 0) return "no image was found";
  const ShardSet set = inputs.shard->set();
  return words(set) + " is empty: the list has " + std::to_string(set.inputs) +
         (set.inputs == 1 ? " input" : " inputs");
}

}  // namespace gpuhisto::app
