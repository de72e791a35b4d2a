// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What the C ABI promises about 32-bit keys beyond counting one strip.
#include <random>

#include "device/key_rules.hpp"
#include "kernels/key_cases.hpp"

namespace gpuhisto::test {
namespace {

constexpr std::uint64_t kWhole = std::uint64_t{1} << 32;

TEST(KeyRules, FastRemainderIsExact) {
  const auto check = [](std::uint64_t divisor, std::uint32_t key) {
    const kernels::ModuloRule rule(kernels::make_bin_numbers(divisor), {});
    std::uint32_t bin = 0;
    ASSERT_TRUE(rule.bin(key, bin));
    ASSERT_EQ(bin, key % divisor) << key << " mod " << divisor;
  };
  std::mt19937 random(7);
  const auto divisors = [&] {
    std::vector<std::uint64_t> some;
    for (std::uint64_t d = 3; d < 3000; ++d) some.push_back(d);
    for (unsigned bit = 2; bit < 32; ++bit)
      for (const int near : {-1, 1}) some.push_back((std::uint64_t{1} << bit) + static_cast<std::uint64_t>(near));
    for (int i = 0; i < 3000; ++i) some.push_back(random() >> (i % 30));
    for (const std::uint64_t d : {kWhole - 1, kWhole - 2, kWhole - 5}) some.push_back(d);
    std::erase_if(some, [](std::uint64_t d) { return d < 3 || (d & (d - 1)) == 0; });
    return some;
  }();
  for (const std::uint64_t d : divisors) {
    // The remainder changes at multiples: the first, some in the middle and the last of them, and one to either side.
    const std::uint64_t last = (kWhole - 1) / d;
    for (const std::uint64_t multiple : {std::uint64_t{0}, std::uint64_t{1}, random() % (last + 1), last / 2, last})
      for (const int near : {-1, 0, 1})
        check(d, static_cast<std::uint32_t>(multiple * d + static_cast<unsigned>(near)));
    for (int i = 0; i < 20; ++i) check(d, static_cast<std::uint32_t>(random()));
    check(d, ~0u);
  }
}

TEST(KeyAbi, FillEqualsTheHostsKeys) {
  const Device device;
  for (const auto& [name, spec] : kPatterns) {
    if (!pattern_has_keys(spec.pattern)) continue;
    for (const std::uint64_t range : {std::uint64_t{1}, std::uint64_t{256}, std::uint64_t{70000}, kWhole}) {
      constexpr std::uint64_t kFirst = 1234567890123;
      KeyImage host = {std::vector<std::uint32_t>(3001), 3001, 1, 3001};
      fill_keys(host.keys.data(), host.keys.size(), {spec.pattern, range}, 42, kFirst);
      const OnDevice memory(device, std::vector<std::uint8_t>(host.bytes().size(), 0), 12);
      const gpuhisto_fill fill = {sizeof(gpuhisto_fill),
                                  static_cast<std::uint32_t>(spec.pattern),
                                  spec.entropy_k,
                                  GPUHISTO_KEY_U32,
                                  42,
                                  kFirst,
                                  memory.data(),
                                  host.bytes().size(),
                                  range};
      ASSERT_EQ(plugin().fill(device.get(), &fill), GPUHISTO_OK) << plugin().last_error();
      EXPECT_EQ(memory.fetch(), host.bytes()) << name << " below " << range;
    }
  }
}

TEST(KeyAbi, FillRefusesWhatHasNoKeys) {
  const Device device;
  const OnDevice memory(device, std::vector<std::uint8_t>(64, 0), 0);
  gpuhisto_fill fill = {};
  fill.size = sizeof fill;
  fill.key = GPUHISTO_KEY_U32;
  fill.target = memory.data();
  fill.bytes = 64;
  fill.range = 256;
  const auto refused = [&](gpuhisto_status status, const char* words) {
    EXPECT_EQ(plugin().fill(device.get(), &fill), status);
    EXPECT_NE(std::string(plugin().last_error()).find(words), std::string::npos) << plugin().last_error();
  };
  fill.pattern = static_cast<std::uint32_t>(Pattern::kPhoto);
  refused(GPUHISTO_UNSUPPORTED, "pattern photo makes bytes, not 32-bit keys");
  fill.pattern = 999;
  refused(GPUHISTO_BAD_REQUEST, "there is no pattern 999");
  fill.pattern = static_cast<std::uint32_t>(Pattern::kUniform);
  fill.range = 0;
  refused(GPUHISTO_BAD_REQUEST, "1 to 2^32, not 0");
  fill.range = kWhole + 1;
  refused(GPUHISTO_BAD_REQUEST, "1 to 2^32");
  fill.range = 5;
  fill.bytes = 63;
  refused(GPUHISTO_BAD_REQUEST, "multiple of 4");
  fill.key = 9;
  refused(GPUHISTO_BAD_REQUEST, "key kind 9 is unknown");
  EXPECT_EQ(memory.fetch(), std::vector<std::uint8_t>(64, 0));
}

TEST(KeyAbi, RefusalsNameTheLimit) {
  const Device device;
  const KeyImage image = keys_of_pattern(100, {Pattern::kUniform, 256}, 1);
  const OnDevice memory(device, image.bytes(), 0);
  KeyBins bins(kWhole >> 12);
  const auto refused = [&](gpuhisto_status status, const char* words, auto change) {
    KeyRequest request(memory.data(), image, GPUHISTO_BIN_MODULO, 256);
    request.strip.bins = bins.data();
    change(request);
    EXPECT_EQ(plugin().count(device.get(), &request.count), status) << words;
    EXPECT_NE(std::string(plugin().last_error()).find(words), std::string::npos) << plugin().last_error();
  };
  const auto method = [&](gpuhisto_status status, const char* words, const char* name, const char* policy,
                          std::uint64_t count) {
    refused(status, words, [&](KeyRequest& r) {
      r.count.method = name;
      r.count.policy = policy;
      r.count.bins_count = count;
    });
  };
  refused(GPUHISTO_BAD_REQUEST, "key kind 7", [](KeyRequest& r) { r.count.key = 7; });
  refused(GPUHISTO_BAD_REQUEST, "rule MODULO or RANGE", [](KeyRequest& r) { r.count.bin_rule = 0; });
  refused(GPUHISTO_BAD_REQUEST, "rule IDENTITY", [](KeyRequest& r) { r.count.key = GPUHISTO_KEY_U8; });
  refused(GPUHISTO_BAD_REQUEST, "1 to 2^32 bins, not 0", [](KeyRequest& r) { r.count.bins_count = 0; });
  refused(GPUHISTO_BAD_REQUEST, "1 to 2^32 bins", [](KeyRequest& r) { r.count.bins_count = kWhole + 1; });
  refused(GPUHISTO_BAD_REQUEST, "one channel, not 3", [](KeyRequest& r) { r.count.channels = 3; });
  refused(GPUHISTO_BAD_REQUEST, "no mask", [](KeyRequest& r) { r.strip.mask = r.strip.pixels; });
  refused(GPUHISTO_BAD_REQUEST, "multiples of 4 bytes",
          [](KeyRequest& r) { r.strip.pixels = static_cast<const std::uint8_t*>(r.strip.pixels) + 2; });
  refused(GPUHISTO_BAD_REQUEST, "do not hold their keys",
          [](KeyRequest& r) { r.strip.height = 2, r.strip.row_bytes = 9; });
  refused(GPUHISTO_BAD_REQUEST, "multiple of 4 bytes apart",
          [](KeyRequest& r) { r.strip.width = 10, r.strip.height = 2, r.strip.row_bytes = 42; });
  method(GPUHISTO_BAD_REQUEST, "unknown method", "per-blok", "", 256);
  method(GPUHISTO_BAD_REQUEST, "unknown policy", "per-block", "colour=1", 256);
  method(GPUHISTO_UNSUPPORTED, "per-thread counts 8-bit pixels only", "per-thread", "", 256);
  method(GPUHISTO_UNSUPPORTED, "loses counts", "unsafe-nonatomic", "", 256);
  method(GPUHISTO_UNSUPPORTED, "bytes of shared memory", "per-block-partial", "", 1 << 20);
  method(GPUHISTO_UNSUPPORTED, "bytes of shared memory", "per-block", "replicas=32", 1 << 16);
  method(GPUHISTO_UNSUPPORTED, "loads=3", "per-block", "loads=3", 256);
  method(GPUHISTO_UNSUPPORTED, "power of two", "per-block", "replicas=3", 256);
  method(GPUHISTO_UNSUPPORTED, "grid=4000000", "per-grid", "grid=4000000", 256);
  for (const auto bin : bins) ASSERT_EQ(bin, 0u);
}

/// What a policy asks for is launched, or refused; what is described is what was launched.
TEST(KeyAbi, PoliciesAreTakenAsTheyAreOrRefused) {
  const Device device;
  std::size_t bins = 1 << 12;
  gpuhisto_description description = {};
  do {  // more than shared memory holds: windows
    bins *= 2;
    KeyImage image;
    image.width = image.row_keys = 8 * bins, image.height = 1;
    KeyRequest request(nullptr, image, GPUHISTO_BIN_MODULO, bins);
    description.size = sizeof description;
    ASSERT_EQ(plugin().describe(device.get(), &request.count, &description), GPUHISTO_OK) << plugin().last_error();
  } while (description.passes == 1);
  const std::uint32_t windows = description.passes;
  EXPECT_NE(std::string(description.policy).find("loads=2"), std::string::npos) << description.policy;
  KeyImage image;
  image.width = image.row_keys = 8 * bins, image.height = 1;
  KeyRequest request(nullptr, image, GPUHISTO_BIN_MODULO, bins);
  const auto status_of = [&](const std::string& policy) {
    request.count.policy = policy.c_str();
    return plugin().describe(device.get(), &request.count, &description);
  };
  EXPECT_EQ(status_of("grid=" + std::to_string(3 * windows)), GPUHISTO_OK);
  EXPECT_EQ(description.blocks, 3 * windows);
  EXPECT_EQ(status_of("grid=" + std::to_string(3 * windows + 1)), GPUHISTO_UNSUPPORTED);
  EXPECT_EQ(status_of("loads=1"), GPUHISTO_UNSUPPORTED);
  request.strip.width = 100, request.strip.height = 80, request.count.bins_count = 256;  // rows with a pitch
  EXPECT_EQ(status_of("loads=4"), GPUHISTO_UNSUPPORTED);
  EXPECT_EQ(status_of("loads=2"), GPUHISTO_OK);
}

/// The shapes of launches in which the published studies ran.
TEST(KeyAbi, LaunchShapesOfTheStudiesAreLaunchedAsAsked) {
  const Device device;
  struct Shape {
    const char* method;
    const char* policy;
    std::uint32_t block, blocks;
  };
  constexpr std::size_t kKeys = 1 << 16;
  const Shape shapes[] = {{"per-grid", "block=256,grid=256", 256, 256},
                          {"per-block", "block=256,grid=16,loads=4,replicas=1", 256, 16},
                          {"per-block-partial", "block=256,grid=16,replicas=1", 256, 16},
                          {"per-grid-vec4", "block=64,grid=256", 64, 256},
                          {"wave-aggregated", "block=256,grid=3", 256, 3},
                          {"per-block", "block=256,grid=400", 256, 400}};
  const KeyImage image = keys_of_pattern(kKeys, {Pattern::kEveryFourth, 256}, 5);
  const OnDevice memory(device, image.bytes(), 0);
  for (const Shape& shape : shapes) {
    KeyRequest request(memory.data(), image, GPUHISTO_BIN_MODULO, 256);
    request.count.method = shape.method;
    request.count.policy = shape.policy;
    gpuhisto_description description = {};
    description.size = sizeof description;
    ASSERT_EQ(plugin().describe(device.get(), &request.count, &description), GPUHISTO_OK) << plugin().last_error();
    EXPECT_EQ(description.block_threads, shape.block) << shape.method;
    EXPECT_EQ(description.blocks, shape.blocks) << shape.method;
    EXPECT_NE(std::string(description.policy).find("grid="), std::string::npos);
    const Measured measured = measure_once(device, request.count, 256);
    ASSERT_EQ(measured.status, GPUHISTO_OK) << plugin().last_error();
    EXPECT_EQ(measured.bins, oracle_keys(image, GPUHISTO_BIN_MODULO, 256)) << shape.method << ' ' << shape.policy;
  }
}

/// Shapes for bytes: The CUDA Handbook's 400 blocks of 256, and a single block.
TEST(KeyAbi, GridOfBytesIsLaunchedAsAsked) {
  const Device device;
  std::vector<std::uint8_t> bytes(100003);
  fill_pattern(bytes.data(), bytes.size(), {Pattern::kUniform, 1}, 3);
  const OnDevice memory(device, bytes, 0);
  std::vector<std::uint64_t> expected(GPUHISTO_CHANNELS * GPUHISTO_BINS);
  for (const auto byte : bytes) ++expected[byte];
  const gpuhisto_strip strip = {memory.data(), bytes.size(), 1, bytes.size(), nullptr, 0, nullptr};
  for (const char* method :
       {"per-grid", "per-grid-vec4", "wave-aggregated", "per-block", "per-block-partial", "per-thread"})
    for (const char* policy : {"block=128,grid=40", "block=128,grid=1", "block=128,grid=13,replicas=8"}) {
      gpuhisto_count count = {};
      count.size = sizeof count;
      count.channels = 1;
      count.strips_count = 1;
      count.strips = &strip;
      count.method = method;
      count.policy = policy;
      gpuhisto_description description = {};
      description.size = sizeof description;
      ASSERT_EQ(plugin().describe(device.get(), &count, &description), GPUHISTO_OK) << plugin().last_error();
      EXPECT_EQ("grid=" + std::to_string(description.blocks),
                std::string(policy).substr(10, std::string(policy).find(',', 10) - 10));
      const Measured measured = measure_once(device, count, expected.size());
      ASSERT_EQ(measured.status, GPUHISTO_OK) << plugin().last_error();
      EXPECT_EQ(measured.bins, expected) << method << ' ' << policy;
    }
}

TEST(KeyAbi, StripsAreAddedEachToItsOwnBins) {
  const Device device;
  const KeyImage a = keys_of_pattern(5000, {Pattern::kZipf, 4096}, 1),
                 b = keys_of_pattern(777, {Pattern::kRamp, 50}, 2);
  KeyBins bins_a(4096), bins_b(4096);
  const gpuhisto_strip strips[] = {{a.keys.data(), 5000, 1, 20000, nullptr, 0, bins_a.data()},
                                   {b.keys.data(), 777, 1, 3108, nullptr, 0, bins_b.data()},
                                   {a.keys.data(), 5000, 1, 20000, nullptr, 0, bins_a.data()}};
  KeyRequest request(nullptr, a, GPUHISTO_BIN_RANGE, 4096);
  request.count.memory = GPUHISTO_ON_HOST;
  request.count.strips = strips;
  request.count.strips_count = 3;
  ASSERT_EQ(plugin().count(device.get(), &request.count), GPUHISTO_OK) << plugin().last_error();
  KeyBins twice = oracle_keys(a, GPUHISTO_BIN_RANGE, 4096);
  for (auto& bin : twice) bin *= 2;
  EXPECT_EQ(bins_a, twice);
  EXPECT_EQ(bins_b, oracle_keys(b, GPUHISTO_BIN_RANGE, 4096));
}

/// A launch leaves its counts over poison, and leaves what the next one needs.
TEST(KeyAbi, MeasuredLaunchesOfDifferentBinsFollowEachOther) {
  const Device device;
  const KeyImage image = keys_of_pattern(60000, {Pattern::kUniform, kWhole}, 9);
  const OnDevice memory(device, image.bytes(), 4);
  for (const std::uint64_t bins : {std::uint64_t{4096}, std::uint64_t{256}, std::uint64_t{300}, std::uint64_t{8192},
                                   std::uint64_t{8193}, std::uint64_t{1}, std::uint64_t{4096}, std::uint64_t{1} << 20})
    for (const char* method : {"per-block", "per-grid", "per-block"}) {
      KeyRequest request(memory.data(), image, GPUHISTO_BIN_MODULO, bins);
      request.count.method = method;
      const Measured measured = measure_once(device, request.count, static_cast<std::size_t>(bins));
      ASSERT_EQ(measured.status, GPUHISTO_OK) << plugin().last_error();
      EXPECT_TRUE(measured.bins == oracle_keys(image, GPUHISTO_BIN_MODULO, bins)) << method << ' ' << bins;
      EXPECT_EQ(measured.counters.known, emulated() ? 1u : 0u);
    }
}

TEST(KeyAbi, WhatCannotBeMeasuredInOneLaunchIsRefused) {
  const Device device;
  const KeyImage image = keys_of_pattern(100, {Pattern::kUniform, 256}, 1);
  const OnDevice memory(device, image.bytes(), 0);
  KeyRequest request(memory.data(), image, GPUHISTO_BIN_MODULO, 256);
  request.count.policy = "bound=99";
  EXPECT_EQ(measure_once(device, request.count, 256).status, GPUHISTO_UNSUPPORTED);
  EXPECT_NE(std::string(plugin().last_error()).find("more than 99"), std::string::npos) << plugin().last_error();
  const gpuhisto_strip two[] = {request.strip, request.strip};
  request.count.policy = "";
  request.count.strips = two;
  request.count.strips_count = 2;
  EXPECT_EQ(measure_once(device, request.count, 512).status, GPUHISTO_UNSUPPORTED);
}

}  // namespace
}  // namespace gpuhisto::test
