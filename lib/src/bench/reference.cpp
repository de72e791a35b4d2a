// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What counts are compared with: a scalar loop, in bands on several threads. It shares no code with the CPU's counter.
#include <algorithm>
#include <mutex>

#include "gpuhisto/bench.hpp"
#include "gpuhisto/parallel.hpp"

namespace gpuhisto::bench {
namespace {

constexpr std::uint64_t kMostPrivateBins = std::uint64_t{1} << 20;

void count_pixel(const std::uint8_t* p, const Shape& shape, std::uint64_t* bins) {
  const auto row = [&](Channel channel) { return bins + static_cast<std::size_t>(channel) * kBins; };
  if (has_alpha(shape.channels)) ++row(Channel::kAlpha)[p[shape.channels - 1]];
  if (!has_color(shape.channels)) {
    ++row(Channel::kLuma)[p[0]];
    return;
  }
  ++row(Channel::kRed)[p[0]];
  ++row(Channel::kGreen)[p[1]];
  ++row(Channel::kBlue)[p[2]];
  if (shape.luma) ++row(Channel::kLuma)[(9798u * p[0] + 19235u * p[1] + 3735u * p[2] + 16384u) >> 15];
}

void count_key(std::uint32_t key, const Shape& shape, std::uint64_t* bins) {
  if (shape.map == BinMap::kModulo)
    ++bins[key % shape.bins];
  else if (key < shape.bins)
    ++bins[key];
}

void count_range(const Shape& shape, const std::uint8_t* values, std::size_t begin, std::size_t end,
                 std::uint64_t* bins) {
  if (shape.keys == Keys::kU32) {
    const auto* keys = reinterpret_cast<const std::uint32_t*>(values);
    for (std::size_t i = begin; i < end; ++i) count_key(keys[i], shape, bins);
  } else {
    const auto channels = static_cast<std::size_t>(shape.channels);
    for (std::size_t i = begin; i < end; ++i) count_pixel(values + i * channels, shape, bins);
  }
}

}  // namespace

std::vector<std::uint64_t> reference_counts(const Shape& shape, const std::uint8_t* pixels) {
  const auto per_image = static_cast<std::size_t>(shape.counts_per_image());
  const auto n = static_cast<std::size_t>(shape.width * shape.height);
  // So many bins that a second set costs more than it gains: one thread.
  const int threads = per_image > kMostPrivateBins ? 1 : hardware_threads();
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(shape.counts()));
  std::mutex mutex;
  for (std::size_t image = 0; image < shape.images; ++image) {
    const std::uint8_t* values = pixels + image * n * static_cast<std::size_t>(shape.pixel_bytes());
    std::uint64_t* bins = counts.data() + image * per_image;
    fork_join(n, n < (std::size_t{1} << 16) ? 1 : threads, [&](int, std::size_t begin, std::size_t end) {
      std::vector<std::uint64_t> own(per_image);
      count_range(shape, values, begin, end, own.data());
      std::lock_guard lock(mutex);
      for (std::size_t i = 0; i < per_image; ++i) bins[i] += own[i];
    });
  }
  return counts;
}

void verify(std::span<const std::uint64_t> expected, std::span<const std::uint64_t> got, const Shape& shape,
            Verification& result) {
  ++result.rounds;
  bool wrong = false;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    result.expected_total += expected[i];
    if (expected[i] == got[i]) continue;
    if (got[i] < expected[i]) result.missing += expected[i] - got[i];
    if (!wrong && !result.first) {
      const std::uint64_t image = i / shape.counts_per_image(), at = i % shape.counts_per_image();
      result.first = Mismatch{image, at, std::nullopt, expected[i], got[i]};
      if (shape.keys == Keys::kPixels) {
        result.first->channel = kChannels[at / kBins];
        result.first->bin = at % kBins;
      }
    }
    wrong = true;
  }
  result.wrong += wrong ? 1 : 0;
}

}  // namespace gpuhisto::bench
