// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Measuring a batch of images in one launch: each image's counts against the oracle.
#include <random>

#include "gpuhisto/pattern.hpp"
#include "kernels/key_cases.hpp"
#include "kernels/oracle.hpp"

namespace gpuhisto::test {
namespace {

/// Images of these sizes one after the other in device memory.
struct Images {
  std::vector<std::uint8_t> bytes;
  std::vector<std::size_t> offsets;
  std::vector<gpuhisto_strip> strips;

  Images(const std::vector<std::pair<std::size_t, std::size_t>>& sizes, unsigned channels, const PatternSpec& spec,
         std::size_t gap) {
    for (const auto& [width, height] : sizes) {
      offsets.push_back(bytes.size());
      strips.push_back({nullptr, width, height, width * channels, nullptr, 0, nullptr});
      bytes.resize(bytes.size() + width * height * channels + gap);
    }
    fill_pattern(bytes.data(), bytes.size(), spec, 77);
  }
  gpuhisto_count request(const OnDevice& memory, unsigned channels) {
    for (std::size_t i = 0; i < strips.size(); ++i) strips[i].pixels = memory.data() + offsets[i];
    gpuhisto_count count = {};
    count.size = sizeof count;
    count.channels = channels;
    count.luma = GPUHISTO_LUMA_BT601;
    count.memory = GPUHISTO_ON_DEVICE;
    count.strips_count = static_cast<std::uint32_t>(strips.size());
    count.strips = strips.data();
    count.method = "per-block";
    count.policy = "";
    return count;
  }
};

void expect_each_image(const Images& images, unsigned channels, const std::vector<std::uint64_t>& bins) {
  for (std::size_t i = 0; i < images.strips.size(); ++i) {
    const gpuhisto_strip& strip = images.strips[i];
    const Bins expected =
        oracle_count({images.bytes.data() + images.offsets[i], strip.width, strip.height, strip.row_bytes, channels},
                     GPUHISTO_LUMA_BT601, false);
    const std::size_t at = i * GPUHISTO_CHANNELS * GPUHISTO_BINS;
    EXPECT_TRUE(std::equal(bins.begin() + static_cast<std::ptrdiff_t>(at),
                           bins.begin() + static_cast<std::ptrdiff_t>(at) + GPUHISTO_CHANNELS * GPUHISTO_BINS,
                           expected[0].begin()))
        << "image " << i << " of " << channels << " channels, " << strip.width << 'x' << strip.height;
  }
}

TEST(Batch, EachImageHasItsOwnCounts) {
  const std::vector<std::pair<std::size_t, std::size_t>> sizes = {{64, 64}, {1, 1},    {0, 7}, {33, 5},   {255, 17},
                                                                  {16, 1},  {4097, 1}, {3, 3}, {100, 100}};
  for (int index = 0; index < (emulated() ? 2 : 1); ++index) {
    const Device device(index);
    for (const unsigned channels : {1u, 2u, 3u, 4u})
      for (const std::size_t gap : {std::size_t{0}, std::size_t{5}})
        for (const char* policy : {"", "block=256,grid=1", "block=128,replicas=4", "block=256,blocks=1"}) {
          Images images(sizes, channels, {Pattern::kUniform, 1}, gap);
          const OnDevice memory(device, images.bytes, 3);
          gpuhisto_count count = images.request(memory, channels);
          count.policy = policy;
          const Measured measured = measure_once(device, count, sizes.size() * GPUHISTO_CHANNELS * GPUHISTO_BINS);
          ASSERT_EQ(measured.status, GPUHISTO_OK) << plugin().last_error();
          expect_each_image(images, channels, measured.bins);
        }
  }
}

/// One value in images of the largest size: each half of a word is as full as it can be.
TEST(Batch, LargestConstantImagesFitInHalfAWord) {
  const Device device;
  Images images({{1024, 1024}, {1 << 20, 1}, {1024, 1023}}, 1, {Pattern::kConstant, 1}, 1);
  const OnDevice memory(device, images.bytes, 1);
  for (const char* policy : {"", "block=64,blocks=1"}) {
    gpuhisto_count count = images.request(memory, 1);
    count.policy = policy;
    gpuhisto_measure measure = {};
    std::vector<std::uint64_t> bins(3 * GPUHISTO_CHANNELS * GPUHISTO_BINS, 7);
    measure.size = sizeof measure;
    measure.count = &count;
    measure.bins = bins.data();
    ASSERT_EQ(plugin().measure(device.get(), &measure), GPUHISTO_OK) << plugin().last_error();
    expect_each_image(images, 1, bins);
  }
}

/// Each launch of a burst moves on by the stride; the counts are the last one's.
TEST(Batch, BurstsMoveOn) {
  const Device device;
  for (const unsigned channels : {1u, 3u}) {
    Images images({{40, 30}, {50, 20}, {33, 3}, {40, 30}, {50, 20}, {33, 3}}, channels, {Pattern::kUniform, 1}, 0);
    const OnDevice memory(device, images.bytes, 0);
    gpuhisto_count count = images.request(memory, channels);
    count.strips_count = 3;
    std::vector<std::uint64_t> bins(3 * GPUHISTO_CHANNELS * GPUHISTO_BINS, 7);
    float milliseconds = 0;
    gpuhisto_measure measure = {};
    measure.size = sizeof measure;
    measure.rounds = 1;
    measure.burst = 2;
    measure.stride = images.offsets[3];
    measure.count = &count;
    measure.milliseconds = &milliseconds;
    measure.bins = bins.data();
    ASSERT_EQ(plugin().measure(device.get(), &measure), GPUHISTO_OK) << plugin().last_error();
    images.strips.erase(images.strips.begin(), images.strips.begin() + 3);
    images.offsets.erase(images.offsets.begin(), images.offsets.begin() + 3);
    expect_each_image(images, channels, bins);
  }
}

TEST(Batch, IsDescribedAsItsLaunch) {
  const Device device;
  Images images({{64, 64}, {10, 10}, {7, 3}}, 1, {Pattern::kUniform, 1}, 0);
  const OnDevice memory(device, images.bytes, 0);
  gpuhisto_count count = images.request(memory, 1);
  gpuhisto_description description = {};
  description.size = sizeof description;
  ASSERT_EQ(plugin().describe(device.get(), &count, &description), GPUHISTO_OK) << plugin().last_error();
  EXPECT_STREQ(description.kernel, "batch_pairs_kernel");
  EXPECT_EQ(description.blocks, 2u);  // two images, and the third
  count.method = "per-grid";
  EXPECT_EQ(plugin().describe(device.get(), &count, &description), GPUHISTO_UNSUPPORTED);

  std::vector<gpuhisto_strip> many(10'000, images.strips[0]);
  count.method = "per-block";
  count.strips = many.data();
  count.strips_count = static_cast<std::uint32_t>(many.size());
  ASSERT_EQ(plugin().describe(device.get(), &count, &description), GPUHISTO_OK) << plugin().last_error();
  EXPECT_EQ(description.blocks, many.size() / 2);
  std::uint32_t of_one = 0;
  for (const auto& [policy, times] : {std::pair{"blocks=1", 1u}, std::pair{"blocks=3", 3u}}) {
    count.policy = policy;
    ASSERT_EQ(plugin().describe(device.get(), &count, &description), GPUHISTO_OK) << plugin().last_error();
    if (times == 1) of_one = description.blocks;
    EXPECT_EQ(description.blocks, times * of_one) << policy;
    EXPECT_LT(description.blocks, many.size() / 2) << policy;
  }
}

TEST(Batch, OnlyNeighboursAreReadInOneLaunch) {
  const Device device;
  for (const std::size_t gap : {std::size_t{0}, std::size_t{4}}) {
    Images images({{64, 64}, {10, 10}, {7, 3}}, 1, {Pattern::kUniform, 1}, gap);
    const OnDevice memory(device, images.bytes, 0);
    gpuhisto_count count = images.request(memory, 1);
    float milliseconds = 0;
    gpuhisto_measure measure = {};
    measure.size = sizeof measure;
    measure.what = GPUHISTO_MEASURE_READ;
    measure.rounds = 1;
    measure.count = &count;
    measure.milliseconds = &milliseconds;
    EXPECT_EQ(plugin().measure(device.get(), &measure), gap ? GPUHISTO_UNSUPPORTED : GPUHISTO_OK);
  }
}

TEST(Batch, WhatItCannotDoIsRefused) {
  const Device device;
  Images images({{64, 64}, {10, 10}}, 1, {Pattern::kUniform, 1}, 0);
  const OnDevice memory(device, images.bytes, 0);
  const auto refused = [&](gpuhisto_status status, const char* words, auto change) {
    gpuhisto_count count = images.request(memory, 1);
    std::vector<gpuhisto_strip> strips = images.strips;
    count.strips = strips.data();
    change(count, strips);
    EXPECT_EQ(measure_once(device, count, 2 * GPUHISTO_CHANNELS * GPUHISTO_BINS).status, status) << words;
    EXPECT_NE(std::string(plugin().last_error()).find(words), std::string::npos) << plugin().last_error();
  };
  using Strips = std::vector<gpuhisto_strip>;
  refused(GPUHISTO_UNSUPPORTED, "only per-block", [](gpuhisto_count& c, Strips&) { c.method = "per-grid"; });
  refused(GPUHISTO_UNSUPPORTED, "loads", [](gpuhisto_count& c, Strips&) { c.policy = "loads=2"; });
  refused(GPUHISTO_UNSUPPORTED, "512 threads", [](gpuhisto_count& c, Strips&) { c.policy = "block=1024"; });
  refused(GPUHISTO_UNSUPPORTED, "no gaps", [](gpuhisto_count&, Strips& s) { s[1].row_bytes = 12; });
  refused(GPUHISTO_UNSUPPORTED, "at most 1048576",
          [](gpuhisto_count&, Strips& s) { s[0] = {s[0].pixels, 1025, 1024, 1025, nullptr, 0, nullptr}; });
  refused(GPUHISTO_BAD_REQUEST, "one strip at least", [](gpuhisto_count& c, Strips&) { c.strips_count = 0; });
}

}  // namespace
}  // namespace gpuhisto::test
