// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "bench/cpu_keys.hpp"

#include <algorithm>
#include <bit>

#include "gpuhisto/parallel.hpp"

namespace gpuhisto::bench {
namespace {

constexpr std::uint64_t kMostPrivateBytes = std::uint64_t{1} << 30;

void count_part(std::span<const std::uint32_t> keys, const Shape& shape, std::uint64_t* bins) {
  if (shape.map == BinMap::kRange) {
    for (const std::uint32_t key : keys)
      if (key < shape.bins) ++bins[key];
  } else if (std::has_single_bit(shape.bins)) {
    const auto mask = static_cast<std::uint32_t>(shape.bins - 1);
    for (const std::uint32_t key : keys) ++bins[key & mask];
  } else {
    for (const std::uint32_t key : keys) ++bins[key % shape.bins];
  }
}

}  // namespace

std::uint64_t CpuKeyCounter::parts_of(const Shape& shape, int threads) {
  const std::uint64_t most = std::max<std::uint64_t>(1, kMostPrivateBytes / (8 * shape.bins));
  return std::min(static_cast<std::uint64_t>(threads), most);
}

void CpuKeyCounter::count(std::span<const std::uint32_t> keys, const Shape& shape, int threads,
                          std::span<std::uint64_t> counts) {
  const auto parts = static_cast<std::size_t>(parts_of(shape, threads));
  if (private_bins_.size() < parts) private_bins_.resize(parts);
  for (std::size_t p = 0; p < parts; ++p) private_bins_[p].resize(static_cast<std::size_t>(shape.bins));
  const auto n = static_cast<int>(parts);
  fork_join(parts, n, [&](int part, std::size_t, std::size_t) {
    auto& own = private_bins_[static_cast<std::size_t>(part)];
    std::fill(own.begin(), own.end(), 0);
    const std::size_t i = static_cast<std::size_t>(part), begin = keys.size() * i / parts,
                      end = keys.size() * (i + 1) / parts;
    count_part(keys.subspan(begin, end - begin), shape, own.data());
  });
  fork_join(static_cast<std::size_t>(shape.bins), n, [&](int, std::size_t begin, std::size_t end) {
    for (std::size_t bin = begin; bin < end; ++bin) {
      std::uint64_t sum = 0;
      for (std::size_t p = 0; p < parts; ++p) sum += private_bins_[p][bin];
      counts[bin] = sum;
    }
  });
}

}  // namespace gpuhisto::bench
