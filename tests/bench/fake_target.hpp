// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// A machine in host memory whose times are made up and whose counts can be made wrong.
#pragma once

#include <cstring>
#include <map>
#include <vector>

#include "gpuhisto/bench.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto::bench {

class FakeTarget final : public Target {
 public:
  FakeTarget() { info_ = {"gpu:0", "a fake", "fake", true, std::uint64_t{1} << 34, 0}; }

  const TargetInfo& info() const override { return info_; }
  std::vector<Method> methods() const override {
    return {
        {"right", "", true}, {"wrong", "", true}, {"unwritten", "", true}, {"unable", "", true}, {"lossy", "", false}};
  }
  void* allocate(std::uint64_t bytes) override {
    auto memory = std::make_unique<std::vector<std::uint64_t>>(bytes / 8 + 1);
    void* address = memory->data();
    memory_[address] = std::move(memory);
    return address;
  }
  void release(void* memory) override { memory_.erase(memory); }
  void upload(void* to, const void* from, std::uint64_t bytes) override { std::memcpy(to, from, bytes); }
  void download(void* to, const void* from, std::uint64_t bytes) override { std::memcpy(to, from, bytes); }
  void fill(void* to, std::uint64_t bytes, const Input& input, Keys, std::uint64_t seed) override {
    if (input.pattern.pattern != Pattern::kRamp) seeds.push_back(seed);  // the ramp is the poison
    fill_pattern(static_cast<std::uint8_t*>(to), bytes, input.pattern, seed);
  }
  Sample measure(const Launch& launch, const void* data, const Burst& burst, std::span<std::uint64_t> counts) override {
    if (launch.method == "unable" && round() > good_rounds)
      throw Error(ErrorKind::kUnsupported, "the method cannot do it");
    if (launch.method == "greedy" && round() > good_rounds) throw Error(ErrorKind::kLimit, "no memory for it");
    if (counts.empty()) {  // the poison: all that remains is what it left on the device
      result_ = reference_counts(launch.shape, static_cast<const std::uint8_t*>(data));
      return {};
    }
    bursts.push_back(burst);
    poisoned = poisoned && counts[0] != 0 && counts[0] == counts[counts.size() - 1];
    if (launch.method == "unwritten") return {seconds, 0, {}};
    if (launch.method != "stale") {
      const auto* last = static_cast<const std::uint8_t*>(data) + (burst.launches - 1) * burst.stride;
      result_ = reference_counts(launch.shape, last);
      if (launch.method == "wrong" || launch.method == "lossy" || all_wrong) result_[kWrongBin] -= 1;
    }
    std::copy(result_.begin(), result_.end(), counts.begin());
    return {seconds, launch.method == "right" ? second_share : 0, {}};
  }
  double read(const void*, std::uint64_t bytes, const Burst&) override { return static_cast<double>(bytes) / 1e9; }
  double copy(void*, const void*, std::uint64_t) override { return 1e-3; }
  std::optional<double> count_from_host(const Launch& launch, const void* pixels,
                                        std::span<std::uint64_t> counts) override {
    carriers.push_back(launch.method);
    if (round() > good_transfers) throw Error(ErrorKind::kLimit, "no memory for the transfer");
    const auto right = reference_counts(launch.shape, static_cast<const std::uint8_t*>(pixels));
    std::copy(right.begin(), right.end(), counts.begin());
    return 1e-2;
  }
  Description describe(const Launch&, const void*) override {
    Description description;
    description.kernel = "kernel";
    description.block_threads = 64;
    return description;
  }
  void evict(const void*, std::uint64_t) override { ++evictions; }

  /// From 1 on.
  std::size_t round() const { return seeds.size(); }

  static constexpr std::size_t kWrongBin = 77;
  TargetInfo info_;
  double seconds = 1e-4, second_share = 0;
  bool poisoned = true, all_wrong = false;
  int evictions = 0;
  std::size_t good_rounds = 0;        ///< of methods "unable" and "greedy", which fail from then on
  std::size_t good_transfers = 1000;  ///< rounds until the transfer fails
  std::vector<std::string> carriers;  ///< methods whose transfer was asked for
  std::vector<std::uint64_t> seeds;
  std::vector<Burst> bursts;

 private:
  std::vector<std::uint64_t> result_;  ///< on the device
  std::map<void*, std::unique_ptr<std::vector<std::uint64_t>>> memory_;
};

/// Three rounds of constant pixels by each of the methods.
inline Request request_of(std::vector<std::string> methods, std::uint64_t pixels = 1000) {
  Request request;
  request.input.name = "constant";
  request.input.pattern = {Pattern::kConstant, 1};
  request.shape.width = pixels;
  request.rounds = 3;
  for (auto& method : methods) request.candidates.push_back({std::move(method), "", "", {}});
  return request;
}

}  // namespace gpuhisto::bench
