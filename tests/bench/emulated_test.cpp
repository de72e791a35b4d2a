// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The emulated device as something to measure: the same calls that time a GPU.
#include <gtest/gtest.h>

#include "gpuhisto/bench.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/key_pattern.hpp"
#include "gpuhisto/module.hpp"

namespace gpuhisto::bench {
namespace {

class BenchEmulated : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { set_module_path({GPUHISTO_MODULE_FOLDER}); }
  std::unique_ptr<Target> target = open_device_target("emulated");
};

TEST_F(BenchEmulated, EveryExactMethodIsVerified) {
  for (const int channels : {1, 3}) {
    Request request;
    request.input.pattern = {Pattern::kPhoto, 1};
    request.shape.width = 5001;
    request.shape.channels = channels;
    request.shape.luma = channels == 3;
    request.rounds = 2;
    for (const Method& method : target->methods())
      if (method.exact) request.candidates.push_back({method.name, "", "", {}});
    int verified = 0;
    for (const Line& line : run(*target, request).lines) {
      if (line.kind != LineKind::kMethod || !line.note.empty()) continue;
      EXPECT_TRUE(line.verification.passed()) << line.method;
      ++verified;
    }
    EXPECT_GE(verified, 6);
  }
}

TEST_F(BenchEmulated, BurstGivesTheCountsOfItsLastLaunch) {
  constexpr std::uint64_t kPixels = 3000, kStride = 3072;
  Launch launch;
  launch.shape.width = kPixels;
  launch.method = "per-block";
  void* data = target->allocate(4 * kStride);
  Input input;
  target->fill(data, 4 * kStride, input, Keys::kPixels, 9);
  std::vector<std::uint8_t> host(4 * kStride);
  target->download(host.data(), data, host.size());
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(launch.shape.counts()), 99);
  (void)target->measure(launch, data, {4, kStride, 2}, counts);
  EXPECT_EQ(counts, reference_counts(launch.shape, host.data() + 3 * kStride));
  const auto seconds = target->count_from_host(launch, host.data(), counts);
  EXPECT_TRUE(seconds);
  EXPECT_EQ(counts, reference_counts(launch.shape, host.data()));
  target->release(data);
}

TEST_F(BenchEmulated, PatternsEqualTheCpus) {
  const auto cpu = make_cpu_target(2);
  constexpr std::uint64_t kBytes = 4000;
  void* data = target->allocate(kBytes);
  void* of_cpu = cpu->allocate(kBytes);
  for (const auto& named : kPatterns)
    for (const Keys keys : {Keys::kPixels, Keys::kU32}) {
      if (keys == Keys::kU32 && !pattern_has_keys(named.spec.pattern)) continue;
      Input input;
      input.pattern = named.spec;
      input.key_range = 5000;
      std::vector<std::uint8_t> device(kBytes);
      target->fill(data, kBytes, input, keys, 5);
      target->download(device.data(), data, kBytes);
      cpu->fill(of_cpu, kBytes, input, keys, 5);
      EXPECT_TRUE(std::equal(device.begin(), device.end(), static_cast<const std::uint8_t*>(of_cpu))) << named.name;
    }
  target->release(data);
  cpu->release(of_cpu);
}

TEST_F(BenchEmulated, DescribesItsLaunch) {
  Launch launch;
  launch.shape.width = 1000;
  launch.method = "per-block";
  const Description description = target->describe(launch, nullptr);
  EXPECT_GT(description.block_threads, 0u);
  EXPECT_FALSE(description.kernel.empty());
  EXPECT_FALSE(description.policy.empty());
}

TEST_F(BenchEmulated, BadPolicyIsAUsageError) {
  Request request;
  request.shape.width = 10;
  request.candidates = {{"per-block", "bloc=1", "", {}}};
  EXPECT_THROW((void)run(*target, request), Error);
}

TEST(BenchDevice, MissingDeviceSaysWhy) {
  set_module_path({GPUHISTO_MODULE_FOLDER});
  try {
    (void)open_device_target("gpu:77");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kDevice);
    EXPECT_GT(std::string(error.what()).size(), 10u);
  }
}

}  // namespace
}  // namespace gpuhisto::bench
