// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What the C ABI promises beyond counting one strip: batches, bounds, tables, refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "codecs/random_bytes.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/pattern.hpp"
#include "gpuhisto/policy.hpp"
#include "kernels/color_cube.hpp"
#include "kernels/device_under_test.hpp"
#include "kernels/oracle.hpp"

namespace gpuhisto::test {
namespace {

gpuhisto_count request_for(const std::vector<gpuhisto_strip>& strips, unsigned channels) {
  gpuhisto_count request = {};
  request.size = sizeof request;
  request.channels = channels;
  request.luma = GPUHISTO_LUMA_BT601;
  request.memory = GPUHISTO_ON_HOST;
  request.strips_count = static_cast<std::uint32_t>(strips.size());
  request.strips = strips.data();
  request.method = "auto";
  request.policy = "";
  return request;
}

std::vector<std::uint8_t> random_bytes(std::size_t n) {
  return gpuhisto::testing::random_bytes(n, static_cast<std::uint32_t>(n) + 1);
}

TEST(Abi, OtherVersionsAreRefused) {
  EXPECT_EQ(plugin().abi_version, GPUHISTO_PLUGIN_ABI);
  EXPECT_EQ(plugin_of_version(GPUHISTO_PLUGIN_ABI - 1), nullptr);
  EXPECT_EQ(plugin_of_version(GPUHISTO_PLUGIN_ABI + 1), nullptr);
}

TEST(Abi, BatchOfSmallImagesGivesEachItsOwnCounts) {
  const Device device;
  for (const unsigned channels : {1u, 2u, 3u, 4u}) {
    std::vector<std::vector<std::uint8_t>> images;
    std::vector<Bins> bins(9);
    std::vector<gpuhisto_strip> strips;
    for (std::size_t i = 0; i < bins.size(); ++i) images.push_back(random_bytes(i * i * 37 * channels));
    for (std::size_t i = 0; i < bins.size(); ++i)
      strips.push_back({images[i].data(), i * 37, i, i * 37 * channels, nullptr, 0, bins[i][0].data()});
    gpuhisto_count request = request_for(strips, channels);
    ASSERT_EQ(plugin().count(device.get(), &request), GPUHISTO_OK) << plugin().last_error();
    for (std::size_t i = 0; i < bins.size(); ++i)
      EXPECT_EQ(bins[i],
                oracle_count({images[i].data(), i * 37, i, i * 37 * channels, channels}, GPUHISTO_LUMA_BT601, false))
          << "image " << i << " of " << channels << " channels";
  }
}

TEST(Abi, EqualPixelsJustPastEachCountersBoundAreCounted) {
  const Device device;
  // 128 threads of one block, 16 pixels a round, 15 rounds: a byte counter's 255 lies between these sizes.
  for (const std::uint64_t pixels : {30719u, 30720u, 30721u, 32640u, 32641u, 34000u, 66000u}) {
    const std::vector<std::uint8_t> image(pixels, 200);
    for (const char* overflow : {"check", "periodic-merge", "avoid"})
      for (const char* layout : {"byte-per-lane", "interleaved", "column", "row"}) {
        Bins bins{};
        const std::vector<gpuhisto_strip> strips = {{image.data(), pixels, 1, pixels, nullptr, 0, bins[0].data()}};
        gpuhisto_count request = request_for(strips, 1);
        request.method = "per-thread";
        const std::string policy = std::string("block=128,blocks=1,overflow=") + overflow + ",layout=" + layout;
        request.policy = policy.c_str();
        // One multiprocessor's block gets everything when it is the only one.
        ASSERT_EQ(plugin().count(device.get(), &request), GPUHISTO_OK) << plugin().last_error();
        EXPECT_EQ(bins[0][200], pixels) << policy;
      }
  }
}

TEST(Abi, LaunchBoundCutsImagesAndLosesNothing) {
  const Device device;
  const auto image = random_bytes(3 * 5000);
  for (const char* bound : {"bound=1", "bound=999", "bound=5000", "bound=5001"}) {
    if (std::string(bound) == "bound=1" && emulated()) continue;  // 5000 launches
    Bins bins{};
    const std::vector<gpuhisto_strip> strips = {{image.data(), 50, 100, 150, nullptr, 0, bins[0].data()}};
    gpuhisto_count request = request_for(strips, 3);
    request.method = "per-block";
    request.policy = bound;
    ASSERT_EQ(plugin().count(device.get(), &request), GPUHISTO_OK) << plugin().last_error();
    EXPECT_EQ(bins, oracle_count({image.data(), 50, 100, 150, 3}, GPUHISTO_LUMA_BT601, false)) << bound;
  }
}

TEST(Abi, RefusalsNameTheLimit) {
  const Device device;
  Bins bins{};
  const auto image = random_bytes(100);
  const std::vector<gpuhisto_strip> strips = {{image.data(), 100, 1, 100, nullptr, 0, bins[0].data()}};
  const auto refused = [&](const char* method, const char* policy, gpuhisto_status status, const char* words) {
    gpuhisto_count request = request_for(strips, 1);
    request.method = method;
    request.policy = policy;
    EXPECT_EQ(plugin().count(device.get(), &request), status) << method << ' ' << policy;
    EXPECT_NE(std::string(plugin().last_error()).find(words), std::string::npos) << plugin().last_error();
  };
  refused("per-blok", "", GPUHISTO_BAD_REQUEST, "unknown method 'per-blok'");
  refused("per-block", "colour=1", GPUHISTO_BAD_REQUEST, "unknown policy 'colour'");
  refused("per-block", "block=64,block=64", GPUHISTO_BAD_REQUEST, "policy block is given twice");
  for (const char* commas : {",", "block=64,", ",block=64", "block=64,,replicas=1"}) {
    refused("per-block", commas, GPUHISTO_BAD_REQUEST, "a comma too many");
    EXPECT_THROW(check_policy(commas), Error) << commas;
  }
  refused("per-block", "replicas=3", GPUHISTO_UNSUPPORTED, "power of two");
  refused("per-block", "block=4096", GPUHISTO_UNSUPPORTED, "threads of a block");
  refused("per-block", "block=100", GPUHISTO_UNSUPPORTED, "wave size");
  refused("per-thread", "layout=diagonal", GPUHISTO_BAD_REQUEST, "byte-per-lane");
  refused("per-thread", "merge-rounds=16,overflow=periodic-merge", GPUHISTO_UNSUPPORTED, "merge-rounds=16 is more");
  refused("per-thread", "merge-rounds=1000,overflow=avoid", GPUHISTO_UNSUPPORTED, "8-bit counters");
  refused("per-thread", "grid=7,overflow=avoid", GPUHISTO_UNSUPPORTED, "grid=7: with overflow=avoid");
  refused("unsafe-nonatomic", "", GPUHISTO_UNSUPPORTED, "loses counts");
  for (const auto& channel : bins)
    for (const auto bin : channel) EXPECT_EQ(bin, 0u);
}

TEST(Abi, AMeasuredCountTellsItsSize) {
  const Device device;
  const auto image = random_bytes(100);
  const OnDevice memory(device, image, 0);
  const std::vector<gpuhisto_strip> strips = {{memory.data(), 100, 1, 100, nullptr, 0, nullptr}};
  gpuhisto_count count = request_for(strips, 1);
  count.memory = GPUHISTO_ON_DEVICE;
  gpuhisto_measure measure = {};
  measure.size = sizeof measure;
  measure.count = &count;
  EXPECT_EQ(plugin().measure(device.get(), &measure), GPUHISTO_OK) << plugin().last_error();
  count.size -= 8;
  EXPECT_EQ(plugin().measure(device.get(), &measure), GPUHISTO_BAD_REQUEST);
}

TEST(Abi, BlocksPerMultiprocessorEndWherePositionsOf32BitsDo) {
  const Device device;
  alignas(128) static const std::uint8_t pixel[128] = {};
  for (const auto& [name, exact] : method_names()) {
    if (name == "vendor") continue;  // its launches are its own
    for (unsigned channels = 1; channels <= 4; ++channels) {
      const std::vector<gpuhisto_strip> strips = {
          {pixel, std::uint64_t{1} << 31, 1, channels * (std::uint64_t{1} << 31), nullptr, 0, nullptr}};
      gpuhisto_count request = request_for(strips, channels);
      request.method = name.c_str();
      request.policy = "blocks=4294967295";
      gpuhisto_description description = {};
      description.size = sizeof description;
      ASSERT_EQ(plugin().describe(device.get(), &request, &description), GPUHISTO_OK) << plugin().last_error();
      EXPECT_LE(std::uint64_t{description.blocks} * description.block_threads, std::uint64_t{1} << 27) << name;
    }
  }
}

TEST(Abi, FillEqualsTheHostsPatterns) {
  const Device device;
  for (const auto& pattern : kPatterns) {
    std::vector<std::uint8_t> host(5001);
    fill_pattern(host.data(), host.size(), pattern.spec, 42, 1234567890123);
    const OnDevice memory(device, std::vector<std::uint8_t>(host.size(), 0), 3);
    const gpuhisto_fill fill = {sizeof(gpuhisto_fill),
                                static_cast<std::uint32_t>(pattern.spec.pattern),
                                pattern.spec.entropy_k,
                                0,
                                42,
                                1234567890123,
                                memory.data(),
                                host.size(),
                                0};
    ASSERT_EQ(plugin().fill(device.get(), &fill), GPUHISTO_OK) << plugin().last_error();
    EXPECT_EQ(memory.fetch(), host) << pattern.name;
  }
}

TEST(Abi, UnsafeMethodLosesUpdatesOnHardware) {
  if (emulated())
    GTEST_SKIP() << "emulated lanes take turns and lose nothing; the thread sanitizer reports the race there";
  const Device device;
  const std::vector<std::uint8_t> image(1 << 20, 7);
  const OnDevice memory(device, image, 0);
  const gpuhisto_strip strip = {memory.data(), image.size(), 1, image.size(), nullptr, 0, nullptr};
  const std::vector<gpuhisto_strip> strips = {strip};
  gpuhisto_count count = request_for(strips, 1);
  count.memory = GPUHISTO_ON_DEVICE;
  count.method = "unsafe-nonatomic";
  float milliseconds = 0;
  Bins bins{};
  gpuhisto_measure measure = {};
  measure.size = sizeof measure;
  measure.rounds = 1;
  measure.count = &count;
  measure.milliseconds = &milliseconds;
  measure.bins = bins[0].data();
  ASSERT_EQ(plugin().measure(device.get(), &measure), GPUHISTO_OK) << plugin().last_error();
  EXPECT_LT(bins[0][7], image.size());
}

TEST(Abi, EveryColorsLumaIsExact) {
  const Device device;
  const auto image = color_cube();
  const std::size_t pixels = image.size() / 3;
  const OnDevice memory(device, image, 0);
  for (std::uint32_t luma = GPUHISTO_LUMA_BT601; luma <= GPUHISTO_LUMA_YCRCB14; ++luma) {
    Bins bins{};
    const std::vector<gpuhisto_strip> strips = {{memory.data(), pixels, 1, image.size(), nullptr, 0, bins[0].data()}};
    gpuhisto_count request = request_for(strips, 3);
    request.luma = luma;
    request.memory = GPUHISTO_ON_DEVICE;
    ASSERT_EQ(plugin().count(device.get(), &request), GPUHISTO_OK) << plugin().last_error();
    EXPECT_EQ(bins, oracle_count({image.data(), pixels, 1, image.size(), 3}, luma, false)) << "luma " << luma;
  }
}

/// As many blocks as share a multiprocessor, and few pixels by a form of their own, which says how it is launched.
TEST(Abi, PerBlockIsLaunchedAsItIsDescribed) {
  gpuhisto_description description = {};
  for (int index = 0; index < (emulated() ? 2 : 1); ++index) {
    const Device device(index);
    const auto describe = [&](std::size_t pixels, const char* policy) {
      const std::vector<gpuhisto_strip> strips = {{nullptr, pixels, 1, pixels, nullptr, 0, nullptr}};
      gpuhisto_count request = request_for(strips, 1);
      request.method = "per-block";
      request.policy = policy;
      description.size = sizeof description;
      return plugin().describe(device.get(), &request, &description);
    };
    ASSERT_EQ(describe(std::size_t{1} << 26, ""), GPUHISTO_OK) << plugin().last_error();
    const std::uint32_t resident = description.resident_blocks, blocks = description.blocks;
    ASSERT_EQ(describe(std::size_t{1} << 26, "blocks=1"), GPUHISTO_OK);
    EXPECT_EQ(blocks, resident * description.blocks) << "device " << index;

    ASSERT_EQ(describe(std::size_t{1} << 20, ""), GPUHISTO_OK);
    const std::string small = description.policy;
    EXPECT_NE(small.find(",blocks=1,"), std::string::npos) << small;
    EXPECT_NE((small + ",").find(",loads=1,"), std::string::npos) << small;
    EXPECT_EQ(describe(std::size_t{1} << 20, "loads=4"), GPUHISTO_OK) << plugin().last_error();
    EXPECT_EQ(describe(std::size_t{1} << 20, "replicas=8,loads=4"), GPUHISTO_UNSUPPORTED);
  }
}

/// The library tells users which policies there are, the module understands them: the two lists are one.
TEST(Abi, PoliciesAreThoseThatTheLibraryNames) {
  const Device device;
  const std::vector<std::uint8_t> bytes = random_bytes(100);
  std::vector<Bins> bins(1);
  const std::vector<gpuhisto_strip> strips = {{bytes.data(), 100, 1, 100, nullptr, 0, bins[0][0].data()}};
  gpuhisto_count request = request_for(strips, 1);
  gpuhisto_description description = {};
  description.size = sizeof description;
  ASSERT_EQ(plugin().describe(device.get(), &request, &description), GPUHISTO_OK) << plugin().last_error();
  const std::string theirs = description.policy;
  EXPECT_NO_THROW(check_policy(theirs)) << theirs;
  EXPECT_EQ(std::count(theirs.begin(), theirs.end(), '='), static_cast<std::ptrdiff_t>(policy_keys().size()));
  for (const PolicyKey& key : policy_keys()) {
    EXPECT_NE(("," + theirs).find("," + std::string(key.name) + "="), std::string::npos) << key.name;
    for (const auto value : key.values) {
      const std::string policy = std::string(key.name) + "=" + std::string(value);
      request.policy = policy.c_str();
      EXPECT_NE(plugin().describe(device.get(), &request, &description), GPUHISTO_BAD_REQUEST) << policy;
    }
  }
}

}  // namespace
}  // namespace gpuhisto::test
