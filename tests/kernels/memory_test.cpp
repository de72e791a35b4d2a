// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Device and pinned memory that run short while requests grow: smaller pieces, the same result, and no byte written
// beyond what there is.
#include <gtest/gtest.h>

#include <functional>

#include "emulated/config.hpp"
#include "emulated/hip_names.hpp"
#include "kernels/device_under_test.hpp"
#include "kernels/gray_request.hpp"
#include "kernels/oracle.hpp"

namespace gpuhisto::test {
namespace {

// Bytes of an image, and of one that is larger, but not by so much that half of what it takes were more.
constexpr std::size_t kSmall = std::size_t{4} << 18, kLarge = std::size_t{7} << 18;

std::vector<std::uint8_t> some_bytes(std::size_t n) {
  std::vector<std::uint8_t> bytes(n);
  for (std::size_t i = 0; i < n; ++i) bytes[i] = static_cast<std::uint8_t>(i * i >> 5);
  return bytes;
}

/// A request for an image of that many bytes, and whether its result was right.
struct Outcome {
  gpuhisto_status status;
  bool right;
};
using Request = std::function<Outcome(const Device& device, std::size_t bytes)>;

/// Lets one allocation after the other fail amid a request for more than the one before. Returns how many were made up
/// for.
unsigned made_up_for(const Request& request) {
  unsigned good = 0;
  for (const char* call : {"hipHostMalloc", "hipMalloc"})
    for (int skip = 0; skip < 6; ++skip) {
      {
        const Device device;
        const Outcome before = request(device, kSmall);
        EXPECT_TRUE(before.status == GPUHISTO_OK && before.right);
        emulated::plan_failure(call, hipErrorOutOfMemory, skip);
        const Outcome outcome = request(device, kLarge);
        emulated::plan_failure("", 0, 0, 0);
        if (outcome.status == GPUHISTO_OK) {
          EXPECT_TRUE(outcome.right) << call << ' ' << skip;
          ++good;
        } else {
          EXPECT_EQ(outcome.status, GPUHISTO_OUT_OF_MEMORY) << plugin().last_error();
        }
        const Outcome after = request(device, kLarge);
        EXPECT_TRUE(after.status == GPUHISTO_OK && after.right) << call << ' ' << skip;
      }
      EXPECT_EQ(emulated::take_faults(), "") << call << ' ' << skip;
    }
  return good;
}

class ShortMemory : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!emulated()) GTEST_SKIP() << "only the emulated device fails when told to";
    (void)emulated::take_faults();
  }
};

Outcome count(const Device& device, const std::vector<gpuhisto_strip>& strips, unsigned channels) {
  gpuhisto_count request = {};
  request.size = sizeof request;
  request.channels = channels;
  request.memory = GPUHISTO_ON_HOST;
  request.strips_count = static_cast<std::uint32_t>(strips.size());
  request.strips = strips.data();
  return {plugin().count(device.get(), &request), false};
}

TEST_F(ShortMemory, CountsAreRightInSmallerPieces) {
  for (const std::size_t width : {std::size_t{1000}, kLarge / 3})  // rows that a stage holds, and one that it does not
    for (const bool masked : {false, true}) {
      const Request request = [&](const Device& device, std::size_t bytes) {
        const std::size_t columns = std::min(width, bytes / 3), rows = bytes / 3 / columns;
        const auto pixels = some_bytes(columns * rows * 3);
        auto mask = some_bytes(columns * rows);
        for (auto& byte : mask) byte %= 3;
        Bins bins{};
        Outcome outcome = count(
            device,
            {{pixels.data(), columns, rows, columns * 3, masked ? mask.data() : nullptr, columns, bins[0].data()}}, 3);
        outcome.right = bins == oracle_count({pixels.data(), columns, rows, columns * 3, 3}, GPUHISTO_LUMA_NONE, false,
                                             masked ? &mask : nullptr);
        return outcome;
      };
      EXPECT_GE(made_up_for(request), 6u) << width << ' ' << masked;
    }
}

/// Slices of 2^32 bytes and more in all: 20 GB here.
TEST_F(ShortMemory, ALargeGridsSlicesAreMoreThanThereIs) {
  const Device device(1);  // waves of 32
  const auto pixels = some_bytes(64);
  for (const char* policy : {"grid=4194304,block=32", "grid=3355444,block=32"}) {
    Bins bins{};
    const gpuhisto_strip strip = {pixels.data(), 64, 1, 64, nullptr, 0, bins[0].data()};
    gpuhisto_count request = gray_request(strip, "per-block-partial", policy);
    EXPECT_EQ(plugin().count(device.get(), &request), GPUHISTO_OUT_OF_MEMORY) << policy;
    EXPECT_EQ(bins, Bins{});
  }
}

TEST_F(ShortMemory, ABatchIsCountedInSmallerPieces) {
  const Request request = [](const Device& device, std::size_t bytes) {
    constexpr std::size_t kPixels = std::size_t{100} << 10;
    const std::size_t images = bytes / kPixels;
    const auto pixels = some_bytes(images * kPixels);
    std::vector<Bins> bins(images);
    std::vector<gpuhisto_strip> strips;
    for (std::size_t i = 0; i < images; ++i)
      strips.push_back({pixels.data() + i * kPixels, kPixels, 1, kPixels, nullptr, 0, bins[i][0].data()});
    Outcome outcome = count(device, strips, 1);
    outcome.right = true;
    for (std::size_t i = 0; i < images; ++i)
      outcome.right &= bins[i] == oracle_count({pixels.data() + i * kPixels, kPixels, 1, kPixels, 1}, 0, false);
    return outcome;
  };
  EXPECT_GE(made_up_for(request), 6u);
}

TEST_F(ShortMemory, ImagesAreMappedInSmallerPieces) {
  std::vector<std::uint8_t> table(256);
  for (std::size_t v = 0; v < 256; ++v) table[v] = static_cast<std::uint8_t>(255 - v / 2);
  for (const std::size_t width : {std::size_t{1000}, kLarge}) {
    const Request request = [&](const Device& device, std::size_t bytes) {
      const std::size_t columns = std::min(width, bytes), rows = bytes / columns;
      const auto pixels = some_bytes(columns * rows);
      std::vector<std::uint8_t> mapped(pixels.size()), expected(pixels.size());
      for (std::size_t i = 0; i < pixels.size(); ++i) expected[i] = table[pixels[i]];
      const gpuhisto_apply_strip strip = {pixels.data(), mapped.data(), columns, rows, columns, columns};
      gpuhisto_apply apply = gray_apply(strip, GPUHISTO_APPLY_ONE);
      apply.tables = table.data();
      const gpuhisto_status status = plugin().apply(device.get(), &apply);
      return Outcome{status, mapped == expected};
    };
    EXPECT_EQ(made_up_for(request), 12u) << width;
  }
}

TEST_F(ShortMemory, ClaheMovesImagesInSmallerPieces) {
  std::vector<std::uint8_t> mapped;
  const auto map = [&mapped](const Device& device, std::size_t bytes) {
    const std::size_t columns = 1000, rows = bytes / columns;
    const auto pixels = some_bytes(columns * rows);
    mapped.assign(pixels.size(), 0);
    const gpuhisto_apply_strip strip = {pixels.data(), mapped.data(), columns, rows, columns, columns};
    gpuhisto_apply apply = gray_apply(strip, GPUHISTO_APPLY_TILES);
    apply.tiles_across = apply.tiles_down = 2;
    apply.tile_width = columns / 2;
    apply.tile_height = (rows + 1) / 2;
    return plugin().apply(device.get(), &apply);
  };
  const Device undisturbed;
  ASSERT_EQ(map(undisturbed, kLarge), GPUHISTO_OK);
  const auto expected = mapped;
  const Request request = [&](const Device& device, std::size_t bytes) {
    const gpuhisto_status status = map(device, bytes);
    return Outcome{status, bytes == kSmall || mapped == expected};
  };
  EXPECT_GE(made_up_for(request), 6u);
}

}  // namespace
}  // namespace gpuhisto::test
