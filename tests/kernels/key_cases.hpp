// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What the tests of keys share: an oracle, requests, measurements.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "gpuhisto/key_pattern.hpp"
#include "kernels/device_under_test.hpp"

namespace gpuhisto::test {

using KeyBins = std::vector<std::uint64_t>;

/// Rows of keys, `row_keys` apart.
struct KeyImage {
  std::vector<std::uint32_t> keys;
  std::size_t width = 0, height = 1, row_keys = 0;

  std::vector<std::uint8_t> bytes() const {
    std::vector<std::uint8_t> copy(keys.size() * 4);
    if (!copy.empty()) std::memcpy(copy.data(), keys.data(), copy.size());
    return copy;
  }
};

inline KeyImage keys_of_pattern(std::size_t count, const KeySpec& spec, std::uint64_t seed) {
  KeyImage image = {std::vector<std::uint32_t>(count), count, 1, count};
  fill_keys(image.keys.data(), count, spec, seed);
  return image;
}

inline KeyBins oracle_keys(const KeyImage& image, std::uint32_t rule, std::uint64_t bins) {
  KeyBins counts(static_cast<std::size_t>(bins));
  for (std::size_t y = 0; y < image.height; ++y)
    for (std::size_t x = 0; x < image.width; ++x) {
      const std::uint64_t key = image.keys[y * image.row_keys + x];
      if (rule == GPUHISTO_BIN_MODULO)
        ++counts[static_cast<std::size_t>(key % bins)];
      else if (key < bins)
        ++counts[static_cast<std::size_t>(key)];
    }
  return counts;
}

/// A request for one strip, kept beside it.
struct KeyRequest {
  gpuhisto_strip strip = {};
  gpuhisto_count count = {};

  KeyRequest(const void* keys, const KeyImage& image, std::uint32_t rule, std::uint64_t bins) {
    strip = {keys, image.width, image.height, image.row_keys * 4, nullptr, 0, nullptr};
    count.size = sizeof count;
    count.key = GPUHISTO_KEY_U32;
    count.bin_rule = rule;
    count.channels = 1;
    count.memory = GPUHISTO_ON_DEVICE;
    count.strips_count = 1;
    count.strips = &strip;
    count.method = "auto";
    count.policy = "";
    count.bins_count = bins;
  }
  KeyRequest(const KeyRequest&) = delete;
  KeyRequest& operator=(const KeyRequest&) = delete;
};

/// One measured launch: its counts over poison, and what it did to memory.
struct Measured {
  gpuhisto_status status;
  std::vector<std::uint64_t> bins;
  gpuhisto_counters counters = {};
};

inline Measured measure_once(const Device& device, const gpuhisto_count& count, std::size_t bins) {
  Measured result = {GPUHISTO_OK, std::vector<std::uint64_t>(bins, 0xABABABAB)};
  result.counters.size = sizeof result.counters;
  float milliseconds = -1;
  gpuhisto_measure measure = {};
  measure.size = sizeof measure;
  measure.rounds = 1;
  measure.count = &count;
  measure.milliseconds = &milliseconds;
  measure.bins = result.bins.data();
  measure.counters = &result.counters;
  result.status = plugin().measure(device.get(), &measure);
  if (result.status == GPUHISTO_OK) {
    EXPECT_GE(milliseconds, 0);
  }
  return result;
}

}  // namespace gpuhisto::test
