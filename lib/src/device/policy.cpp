// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/policy.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <set>
#include <vector>

#include "device/unknown.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

constexpr std::array<std::string_view, 3> kOverflows = {"periodic-merge", "avoid", "check"};
constexpr std::array<std::string_view, 4> kLayouts = {"byte-per-lane", "interleaved", "column", "row"};

constexpr std::array<PolicyKey, 10> kKeys = {{
    {"overflow", "what a thread's 8-bit counters do when they are full", kOverflows},
    {"layout", "where a thread's counters lie in shared memory", kLayouts},
    {"replicas", "copies of a block's bins in shared memory", {}},
    {"block", "threads per block", {}},
    {"blocks", "blocks per multiprocessor", {}},
    {"grid", "blocks in all, whatever blocks= says", {}},
    {"loads", "loads that a thread has in flight", {}},
    {"lanes", "threads that take a row together", {}},
    {"merge-rounds", "rounds between two merges of 8-bit counters", {}},
    {"bound", "pixels per launch", {}},
}};

void check_number(const PolicyKey& key, std::string_view value) {
  std::uint64_t number = 0;
  const char* end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, number);
  const std::uint64_t most = key.name == "bound" ? UINT64_MAX : UINT32_MAX;
  if (error != std::errc{} || rest != end || number > most)
    throw Error(ErrorKind::kUsage, "policy " + std::string(key.name) + " takes a number up to " + std::to_string(most) +
                                       ", not '" + std::string(value) + "'");
}

/// Returns the key.
std::string check_entry(const std::string& entry) {
  const std::size_t equals = entry.find('=');
  if (equals == std::string::npos)
    throw Error(ErrorKind::kUsage, "policy '" + entry + "' has no value: write key=value,...");
  std::string name = entry.substr(0, equals);
  const std::string value = entry.substr(equals + 1);
  for (const auto& key : kKeys) {
    if (key.name != name) continue;
    if (key.values.empty()) {
      check_number(key, value);
      return name;
    }
    for (const auto known : key.values)
      if (known == value) return name;
    throw_unknown("value of policy " + name, value, key.values);
  }
  std::vector<std::string_view> names;
  for (const auto& key : kKeys) names.push_back(key.name);
  throw_unknown("policy", name, names);
}

}  // namespace

std::span<const PolicyKey> policy_keys() { return kKeys; }

void check_policy(const std::string& text) {
  if (text.empty()) return;
  std::set<std::string> given;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end == begin) throw Error(ErrorKind::kUsage, "policy '" + text + "' has a comma too many: write key=value,...");
    const std::string key = check_entry(text.substr(begin, end - begin));
    if (!given.insert(key).second) throw Error(ErrorKind::kUsage, "policy " + key + " is given twice");
    begin = end + 1;
  }
}

}  // namespace gpuhisto
