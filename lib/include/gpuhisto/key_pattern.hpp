// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// The test patterns as 32-bit keys below a range of 1 to 2^32. As with bytes, key i depends only on (seed, i), in
// integers, so a device and the host generate the same keys in any order.
#pragma once

#include "gpuhisto/pattern.hpp"

namespace gpuhisto {

/// A pattern of keys.
struct KeySpec {
  Pattern pattern = Pattern::kUniform;
  std::uint64_t range = 256;  ///< keys are below it, 1 to 2^32
};

/// Whether a pattern makes keys. Waves of gray levels and the entropy axis are made of bytes.
GPUHISTO_HOST_DEVICE constexpr bool pattern_has_keys(Pattern pattern) {
  return pattern != Pattern::kPhoto && pattern != Pattern::kEntropy && pattern <= Pattern::kEntropy;
}

/// zipf over a range: key v has weight (v + 1)^-1.2. Keys below kSingle have a bucket each; above, an octave
/// [2^k, 2^(k+1)) is 64 buckets of equal width, in which keys are equally likely: there a key's probability is within
/// 1 % of the formula's. Probabilities of buckets are multiples of 2^-32.
struct KeyTables {
  static constexpr std::uint32_t kSingle = 4096, kPerOctave = 64, kMostBuckets = kSingle + 20 * kPerOctave;
  std::uint64_t range = 0;  ///< made for
  std::uint32_t buckets = 0;
  std::uint32_t below[kMostBuckets] = {};  ///< 2^32 P(key in an earlier bucket), rounded down
};

namespace pattern_detail {

/// floor(x * range / 2^64) of the 64-bit x = high:low, range <= 2^32: below range, and every value equally likely to
/// 2^-32 of its probability.
GPUHISTO_HOST_DEVICE inline std::uint32_t scale_to_range(std::uint32_t high, std::uint32_t low, std::uint64_t range) {
  return static_cast<std::uint32_t>((high * range + (low * range >> 32)) >> 32);
}

/// The first key of a bucket.
GPUHISTO_HOST_DEVICE inline std::uint64_t bucket_begin(std::uint32_t bucket) {
  if (bucket < KeyTables::kSingle) return bucket;
  const std::uint32_t octave = (bucket - KeyTables::kSingle) / KeyTables::kPerOctave;
  const std::uint32_t part = (bucket - KeyTables::kSingle) % KeyTables::kPerOctave;
  return (std::uint64_t{KeyTables::kPerOctave} + part) * (KeyTables::kSingle / KeyTables::kPerOctave) << octave;
}

__extension__ using Wide = unsigned __int128;

/// 2^56 width n^-1.2 to 2^-17 of it, n = doubled / 2: the fifth root of n in integers, then one division. (A factor
/// 2^1.2 is left out: all buckets have it.)
inline std::uint64_t bucket_weight(std::uint64_t doubled, std::uint64_t width) {
  const Wide scaled = Wide{doubled} << 90;  // root is doubled^(1/5) 2^18
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 24; bit != 0; bit >>= 1) {
    const Wide next = root | bit;
    if (next * next * next * next * next <= scaled) root |= bit;
  }
  return static_cast<std::uint64_t>((Wide{width} << (56 + 18)) / (Wide{doubled} * root));
}

/// The last bucket that begins at or below a random number.
GPUHISTO_HOST_DEVICE inline std::uint32_t find_bucket(const KeyTables& tables, std::uint32_t random) {
  std::uint32_t low = 0, high = tables.buckets;  // below[low] <= random, and high is past the end or above
  while (high - low > 1) {
    const std::uint32_t middle = (low + high) / 2;
    (tables.below[middle] <= random ? low : high) = middle;
  }
  return low;
}

/// A key of zipf by 96 random bits.
GPUHISTO_HOST_DEVICE inline std::uint32_t zipf_key(const KeyTables& tables, const PhiloxBlock& random) {
  const std::uint32_t bucket = find_bucket(tables, random.word[0]);
  const std::uint64_t begin = bucket_begin(bucket), next = bucket_begin(bucket + 1);
  const std::uint64_t end = next < tables.range ? next : tables.range;
  return static_cast<std::uint32_t>(begin + scale_to_range(random.word[1], random.word[2], end - begin));
}

/// floor(sum * range / 2^35) of eight 32-bit uniforms.
GPUHISTO_HOST_DEVICE inline std::uint32_t gauss_key(const PhiloxBlock& a, const PhiloxBlock& b, std::uint64_t range) {
  std::uint64_t sum = 0;
  for (int k = 0; k < 4; ++k) sum += std::uint64_t{a.word[k]} + b.word[k];
  return static_cast<std::uint32_t>(((sum >> 3) * range + ((sum & 7u) * range >> 3)) >> 32);
}

GPUHISTO_HOST_DEVICE inline PhiloxBlock key_bits(std::uint64_t seed, std::uint64_t i, std::uint32_t block) {
  return philox4x32_10(PhiloxBlock{{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i >> 32), block, 1}},
                       static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
}

}  // namespace pattern_detail

/// What zipf needs for a range of 1 to 2^32; made once, on the host.
inline KeyTables make_key_tables(std::uint64_t range) {
  KeyTables tables;
  tables.range = range;
  std::uint64_t weight[KeyTables::kMostBuckets] = {};
  pattern_detail::Wide total = 0, below = 0;
  while (tables.buckets < KeyTables::kMostBuckets && pattern_detail::bucket_begin(tables.buckets) < range) {
    const std::uint64_t begin = pattern_detail::bucket_begin(tables.buckets);
    const std::uint64_t next = pattern_detail::bucket_begin(tables.buckets + 1), end = next < range ? next : range;
    total += weight[tables.buckets++] = pattern_detail::bucket_weight(begin + end + 1, end - begin);
  }
  for (std::uint32_t k = 0; k < tables.buckets; ++k) {
    tables.below[k] = static_cast<std::uint32_t>((below << 32) / total);
    below += weight[k];
  }
  return tables;
}

/// Key i of a pattern that has keys: constant is 77, two-level 0 or range - 1, hot-90 nine times in ten 200 (77 and 200
/// modulo a smaller range); every-4th-fixed is 1, or 0 if range is 1, for i mod 4 = 0; gauss is the mean of eight
/// uniforms; all others are uniform. `tables` are read for zipf alone, and made for the same range.
GPUHISTO_HOST_DEVICE inline std::uint32_t key_value(const KeySpec& spec, std::uint64_t seed, std::uint64_t i,
                                                    const KeyTables& tables) {
  const std::uint64_t range = spec.range;
  if (spec.pattern == Pattern::kConstant) return static_cast<std::uint32_t>(77 % range);
  if (spec.pattern == Pattern::kRamp) return static_cast<std::uint32_t>(i % range);
  if (spec.pattern == Pattern::kEveryFourth && i % 4 == 0) return range > 1 ? 1 : 0;
  const PhiloxBlock random = pattern_detail::key_bits(seed, i, 0);
  switch (spec.pattern) {
    case Pattern::kTwoLevel:
      return (random.word[0] & 1u) != 0 ? static_cast<std::uint32_t>(range - 1) : 0;
    case Pattern::kHot90:
      if (random.word[3] % 10u < 9u) return static_cast<std::uint32_t>(200 % range);
      break;
    case Pattern::kGauss:
      return pattern_detail::gauss_key(random, pattern_detail::key_bits(seed, i, 1), range);
    case Pattern::kZipf:
      return pattern_detail::zipf_key(tables, random);
    default:
      break;
  }
  return pattern_detail::scale_to_range(random.word[0], random.word[1], range);
}

/// Writes keys first, first + 1, … first + n - 1. Host only.
inline void fill_keys(std::uint32_t* out, std::uint64_t n, const KeySpec& spec, std::uint64_t seed,
                      std::uint64_t first = 0) {
  const KeyTables tables = spec.pattern == Pattern::kZipf ? make_key_tables(spec.range) : KeyTables{};
  for (std::uint64_t i = 0; i < n; ++i) out[i] = key_value(spec, seed, first + i, tables);
}

}  // namespace gpuhisto
