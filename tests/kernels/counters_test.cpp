// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What measure() says that kernels did to memory: on the emulated device each method's own idea in numbers; elsewhere
// that it is not known.
#include "emulated/config.hpp"
#include "kernels/key_cases.hpp"

namespace gpuhisto::test {
namespace {

constexpr std::size_t kPixels = 40000;

gpuhisto_counters counters_of(const Device& device, const std::vector<std::uint8_t>& pixels, const char* method,
                              const char* policy) {
  const OnDevice memory(device, pixels, 0);
  const gpuhisto_strip strip = {memory.data(), pixels.size(), 1, pixels.size(), nullptr, 0, nullptr};
  gpuhisto_count count = {};
  count.size = sizeof count;
  count.channels = 1;
  count.strips_count = 1;
  count.strips = &strip;
  count.method = method;
  count.policy = policy;
  const Measured measured = measure_once(device, count, GPUHISTO_CHANNELS * GPUHISTO_BINS);
  EXPECT_EQ(measured.status, GPUHISTO_OK) << plugin().last_error();
  return measured.counters;
}

std::vector<std::uint8_t> pixels_of(Pattern pattern) {
  std::vector<std::uint8_t> pixels(kPixels);
  fill_pattern(pixels.data(), pixels.size(), {pattern, 1}, 11);
  return pixels;
}

class Counters : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!emulated()) GTEST_SKIP() << "only the emulated device counts accesses";
  }
};

TEST(CountersOfAGpu, AreNotKnown) {
  if (emulated()) GTEST_SKIP() << "the emulated device knows them";
  const Device device;
  const gpuhisto_counters counters = counters_of(device, pixels_of(Pattern::kUniform), "per-grid", "");
  EXPECT_EQ(counters.known, 0u);
  EXPECT_EQ(counters.global_atomics + counters.shared_atomics + counters.shared_instructions, 0u);
}

TEST_F(Counters, PerGridNeedsAGlobalAtomicForEachPixel) {
  for (const int index : {0, 1}) {
    const Device device(index);
    for (const char* method : {"per-grid", "per-grid-vec4"}) {
      const gpuhisto_counters counters = counters_of(device, pixels_of(Pattern::kUniform), method, "block=128");
      EXPECT_EQ(counters.known, 1u);
      EXPECT_EQ(counters.global_atomics, kPixels) << method;
      EXPECT_EQ(counters.shared_atomics, 0u) << method;
    }
  }
}

TEST_F(Counters, WavesCombineEqualPixels) {
  const auto pixels = pixels_of(Pattern::kConstant);
  EXPECT_EQ(counters_of(Device(0), pixels, "wave-aggregated", "block=128").global_atomics, kPixels / 64);
  EXPECT_EQ(counters_of(Device(1), pixels, "wave-aggregated", "block=128").global_atomics, kPixels / 32);
}

TEST_F(Counters, FullCopiesHaveNoBankConflicts) {
  const Device device(1);  // a copy for each lane of a wave
  for (const Pattern pattern : {Pattern::kUniform, Pattern::kConstant, Pattern::kRamp}) {
    const gpuhisto_counters counters =
        counters_of(device, pixels_of(pattern), "per-block", "block=128,blocks=1,replicas=32");
    EXPECT_EQ(counters.shared_atomics, kPixels);
    EXPECT_EQ(counters.shared_passes, counters.shared_instructions);
    EXPECT_EQ(counters.same_address, 0u);
    EXPECT_LE(counters.global_atomics, 2u * (256 + 1) + 1);  // two blocks' sums, their tickets, and the ticket's return
  }
}

TEST_F(Counters, OneCopyMeetsItselfOnEqualPixels) {
  const Device device(1);
  const gpuhisto_counters equal =
      counters_of(device, pixels_of(Pattern::kConstant), "per-block", "block=128,blocks=1,replicas=1");
  EXPECT_EQ(equal.shared_atomics, kPixels);
  EXPECT_GT(equal.same_address, kPixels * 9 / 10);
  const gpuhisto_counters uniform =
      counters_of(device, pixels_of(Pattern::kUniform), "per-block", "block=128,blocks=1,replicas=1");
  EXPECT_GT(uniform.shared_passes, 2 * uniform.shared_instructions);  // 32 lanes meet in 32 banks
  EXPECT_LT(uniform.same_address, kPixels / 2);
}

TEST_F(Counters, KeysAreSeenToo) {
  const Device device(1);
  const KeyImage image = keys_of_pattern(20000, {Pattern::kEveryFourth, 4096}, 2);
  const OnDevice memory(device, image.bytes(), 0);
  const auto counters = [&](const char* method, const char* policy) {
    KeyRequest request(memory.data(), image, GPUHISTO_BIN_MODULO, 4096);
    request.count.method = method;
    request.count.policy = policy;
    const Measured measured = measure_once(device, request.count, 4096);
    EXPECT_EQ(measured.status, GPUHISTO_OK) << plugin().last_error();
    EXPECT_TRUE(measured.bins == oracle_keys(image, GPUHISTO_BIN_MODULO, 4096));
    return measured.counters;
  };
  EXPECT_EQ(counters("per-grid", "").global_atomics, 20000u);
  const gpuhisto_counters one = counters("per-block", "block=128,blocks=1,replicas=1");
  const gpuhisto_counters four = counters("per-block", "block=128,blocks=1,replicas=4");
  EXPECT_EQ(one.shared_atomics, 20000u);
  EXPECT_EQ(four.shared_atomics, 20000u);
  EXPECT_LT(one.global_atomics, 2u * 4096 + 4);
  EXPECT_LT(four.same_address, one.same_address);
  EXPECT_GT(one.same_address, 20000u / 4 * 9 / 10);  // each fourth key is in one bin
}

/// A device with little shared memory deals windows of the bins out, or counts in global memory.
TEST_F(Counters, BinsBeyondSharedMemoryAreDealtOut) {
  struct Restored {
    emulated::Config saved = emulated::device_config(0);
    ~Restored() { emulated::device_config(0) = saved; }
  } restored;
  emulated::device_config(0).shared_bytes = 4096;  // 1024 bins
  const Device device;
  for (const std::uint64_t bins : {1025u, 3000u, 4096u, 7 * 1024u + 1, 8 * 1024u, 8 * 1024u + 1, 20000u})
    for (const std::uint32_t rule : {GPUHISTO_BIN_MODULO, GPUHISTO_BIN_RANGE})
      for (const std::size_t height : {std::size_t{1}, std::size_t{100}}) {
        KeyImage image = keys_of_pattern(40000, {Pattern::kUniform, 2 * bins}, bins);
        image.height = height;
        image.row_keys = 40000 / height;
        image.width = height == 1 ? 40000 : image.row_keys - 3;
        const OnDevice memory(device, image.bytes(), 4);
        KeyRequest request(memory.data(), image, rule, bins);
        gpuhisto_description description = {};
        description.size = sizeof description;
        ASSERT_EQ(plugin().describe(device.get(), &request.count, &description), GPUHISTO_OK) << plugin().last_error();
        const std::uint64_t windows = (bins + 1023) / 1024;
        EXPECT_EQ(description.passes, windows <= 8 && image.width * height >= 4 * bins ? windows : 1) << bins;
        const std::string grid = "block=128,grid=" + std::to_string(3 * description.passes);
        for (const std::string& policy : {std::string(), grid}) {
          request.count.policy = policy.c_str();
          const Measured measured = measure_once(device, request.count, static_cast<std::size_t>(bins));
          ASSERT_EQ(measured.status, GPUHISTO_OK) << plugin().last_error();
          EXPECT_TRUE(measured.bins == oracle_keys(image, rule, bins)) << bins << ' ' << policy;
          EXPECT_EQ(measured.counters.shared_atomics > 0, description.passes > 1);
        }
      }
}

}  // namespace
}  // namespace gpuhisto::test
