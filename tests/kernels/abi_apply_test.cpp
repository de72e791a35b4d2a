// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What the C ABI promises of tables that map pixels.
#include <gtest/gtest.h>

#include <algorithm>

#include "codecs/random_bytes.hpp"
#include "kernels/color_cube.hpp"
#include "kernels/device_under_test.hpp"
#include "kernels/oracle.hpp"

namespace gpuhisto::test {
namespace {

std::vector<std::uint8_t> random_bytes(std::size_t n) {
  return gpuhisto::testing::random_bytes(n, static_cast<std::uint32_t>(n) + 1);
}

/// Applies tables by hand.
std::vector<std::uint8_t> oracle_apply(std::vector<std::uint8_t> bytes, std::uint32_t kind, unsigned channels,
                                       bool skip, const std::uint8_t* tables) {
  for (std::size_t i = 0; i + channels <= bytes.size(); i += channels) {
    std::uint8_t* p = bytes.data() + i;
    if (channels % 2 == 0 && skip && p[channels - 1] == 0) continue;
    if (kind == GPUHISTO_APPLY_YCRCB_LUMA) {
      oracle_ycrcb(p, tables);
      continue;
    }
    const unsigned colors = channels % 2 == 0 ? channels - 1 : channels;
    for (unsigned c = 0; c < colors; ++c) p[c] = tables[(kind == GPUHISTO_APPLY_CHANNELS ? c : 0) * 256 + p[c]];
  }
  return bytes;
}

/// Of a strip on the host.
gpuhisto_apply request_for(const gpuhisto_apply_strip& strip, std::uint32_t kind, unsigned channels,
                           const std::vector<std::uint8_t>& tables) {
  return {sizeof(gpuhisto_apply), kind, channels, 0, GPUHISTO_ON_HOST, 1, &strip, tables.data(), 0, 0, 0, 0, 0};
}

TEST(Abi, TablesEqualTheOracle) {
  const Device device;
  const auto tables = random_bytes(4 * 256);
  for (const std::uint32_t kind : {GPUHISTO_APPLY_ONE, GPUHISTO_APPLY_CHANNELS, GPUHISTO_APPLY_YCRCB_LUMA})
    for (const unsigned channels : {1u, 2u, 3u, 4u})
      for (const unsigned pixels : {1u, 15u, 16u, 17u, 300u, 4099u})
        for (const unsigned skip : {0u, 1u})
          for (const std::size_t offset : {0u, 3u, 4u}) {
            if (kind == GPUHISTO_APPLY_YCRCB_LUMA && channels < 3) continue;
            auto image = random_bytes(std::size_t{pixels} * channels);
            for (std::size_t i = channels - 1; i < image.size(); i += 3 * channels) image[i] = 0;
            const OnDevice from(device, image, offset),
                to(device, std::vector<std::uint8_t>(image.size(), 9), pixels % 2 ? offset : 1);
            const gpuhisto_apply_strip strip = {from.data(), to.data(), pixels, 1, image.size(), image.size()};
            gpuhisto_apply request = request_for(strip, kind, channels, tables);
            request.memory = GPUHISTO_ON_DEVICE;
            request.skip_transparent = skip;
            ASSERT_EQ(plugin().apply(device.get(), &request), GPUHISTO_OK) << plugin().last_error();
            ASSERT_EQ(to.fetch(), oracle_apply(image, kind, channels, skip != 0, tables.data()))
                << "kind " << kind << " channels " << channels << " pixels " << pixels << " skip " << skip << " offset "
                << offset;
            ASSERT_EQ(from.fetch(), image);
          }
}

TEST(Abi, TablesOnHostImagesKeepThePadding) {
  const Device device;
  const auto tables = random_bytes(4 * 256);
  constexpr std::size_t kWidth = 101, kHeight = 7, kPitch = 3 * kWidth + 5;
  const auto image = random_bytes(kPitch * kHeight);
  auto mapped = std::vector<std::uint8_t>(image.size(), 9);
  const gpuhisto_apply_strip strip = {image.data(), mapped.data(), kWidth, kHeight, kPitch, kPitch};
  const gpuhisto_apply request = request_for(strip, GPUHISTO_APPLY_YCRCB_LUMA, 3, tables);
  ASSERT_EQ(plugin().apply(device.get(), &request), GPUHISTO_OK) << plugin().last_error();
  for (std::size_t y = 0; y < kHeight; ++y) {
    const auto begin = image.begin() + static_cast<std::ptrdiff_t>(y * kPitch);
    auto row = oracle_apply({begin, begin + 3 * kWidth}, GPUHISTO_APPLY_YCRCB_LUMA, 3, false, tables.data());
    row.resize(kPitch, 9);
    EXPECT_TRUE(std::equal(row.begin(), row.end(), mapped.begin() + static_cast<std::ptrdiff_t>(y * kPitch)))
        << "row " << y;
  }
}

TEST(Abi, EveryColorsLumaMapIsExact) {
  const Device device;
  const auto image = color_cube();
  const auto tables = random_bytes(256);
  auto mapped = std::vector<std::uint8_t>(image.size(), 9);
  const gpuhisto_apply_strip strip = {image.data(), mapped.data(), image.size() / 3, 1, image.size(), image.size()};
  const gpuhisto_apply request = request_for(strip, GPUHISTO_APPLY_YCRCB_LUMA, 3, tables);
  ASSERT_EQ(plugin().apply(device.get(), &request), GPUHISTO_OK) << plugin().last_error();
  EXPECT_TRUE(mapped == oracle_apply(image, GPUHISTO_APPLY_YCRCB_LUMA, 3, false, tables.data()));
}

}  // namespace
}  // namespace gpuhisto::test
