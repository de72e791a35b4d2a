// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "methods/policy.hpp"

#include <charconv>
#include <iterator>
#include <limits>
#include <set>

#include "runtime/check.hpp"

namespace gpuhisto::kernels {
namespace {

template <typename T>
struct Named {
  const char* name;
  T value;
};
constexpr Named<Overflow> kOverflows[] = {
    {"periodic-merge", Overflow::kPeriodicMerge}, {"avoid", Overflow::kAvoid}, {"check", Overflow::kCheck}};
constexpr Named<Layout> kLayouts[] = {{"byte-per-lane", Layout::kByteLane},
                                      {"interleaved", Layout::kInterleaved},
                                      {"column", Layout::kColumn},
                                      {"row", Layout::kRow}};

constexpr const char* kKeys = "block, blocks, grid, replicas, loads, lanes, overflow, layout, merge-rounds, bound";

template <typename T, std::size_t kCount>
const char* name_of(const Named<T> (&list)[kCount], T value) {
  for (const auto& entry : list)
    if (entry.value == value) return entry.name;
  return "?";
}

[[noreturn]] void reject(const std::string& key, const std::string& value, const std::string& known) {
  throw DeviceError(Failure::kRequest, "policy " + key + " cannot be '" + value + "': " + known);
}

template <typename T, std::size_t kCount>
T choice(const Named<T> (&list)[kCount], const std::string& key, const std::string& value) {
  std::string known;
  for (const auto& entry : list) {
    if (value == entry.name) return entry.value;
    known += (known.empty() ? "known are " : ", ") + std::string(entry.name);
  }
  reject(key, value, known);
}

template <typename T>
T number(const std::string& key, const std::string& value) {
  T result = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (error != std::errc{} || end != value.data() + value.size())
    reject(key, value, "it takes a number up to " + std::to_string(std::numeric_limits<T>::max()));
  return result;
}

void set(KernelPolicy& policy, const std::string& key, const std::string& value) {
  if (key == "block")
    policy.block = number<std::uint32_t>(key, value);
  else if (key == "blocks")
    policy.blocks = number<std::uint32_t>(key, value);
  else if (key == "grid")
    policy.grid = number<std::uint32_t>(key, value);
  else if (key == "replicas")
    policy.replicas = number<std::uint32_t>(key, value);
  else if (key == "lanes")
    policy.lanes = number<std::uint32_t>(key, value);
  else if (key == "loads")
    policy.loads = number<std::uint32_t>(key, value);
  else if (key == "overflow")
    policy.overflow = choice(kOverflows, key, value);
  else if (key == "layout")
    policy.layout = choice(kLayouts, key, value);
  else if (key == "merge-rounds")
    policy.merge_rounds = number<std::uint32_t>(key, value);
  else if (key == "bound")
    policy.bound = number<std::uint64_t>(key, value);
  else
    throw DeviceError(Failure::kRequest, "unknown policy '" + key + "'; known are " + kKeys);
}

}  // namespace

std::string to_text(const KernelPolicy& policy) {
  return "block=" + std::to_string(policy.block) + ",blocks=" + std::to_string(policy.blocks) +
         ",grid=" + std::to_string(policy.grid) + ",replicas=" + std::to_string(policy.replicas) +
         ",loads=" + std::to_string(policy.loads) + ",lanes=" + std::to_string(policy.lanes) +
         ",overflow=" + name_of(kOverflows, policy.overflow) + ",layout=" + name_of(kLayouts, policy.layout) +
         ",merge-rounds=" + std::to_string(policy.merge_rounds) + ",bound=" + std::to_string(policy.bound);
}

void parse_policy(const std::string& text, KernelPolicy& policy) {
  if (text.empty()) return;
  std::set<std::string> given;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end == begin)
      throw DeviceError(Failure::kRequest, "policy '" + text + "' has a comma too many: write key=value,...");
    const std::string entry = text.substr(begin, end - begin);
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos)
      throw DeviceError(Failure::kRequest, "policy '" + entry + "' has no value: write key=value");
    const std::string key = entry.substr(0, equals);
    set(policy, key, entry.substr(equals + 1));
    if (!given.insert(key).second) throw DeviceError(Failure::kRequest, "policy " + key + " is given twice");
    begin = end + 1;
  }
}

}  // namespace gpuhisto::kernels
