// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Test patterns for tests, fuzzers and benchmarks; as 32-bit keys: key_pattern.hpp. Value i of a pattern depends only
// on (seed, i), in integers, so a device and the host generate the same bytes in any order. Device code includes this
// file too: it needs <cstdint> alone, and GPUHISTO_HOST_DEVICE may be defined as __host__ __device__ before.
#pragma once

#include <cstdint>

#ifndef GPUHISTO_HOST_DEVICE
#define GPUHISTO_HOST_DEVICE
#endif

namespace gpuhisto {

/// How values are distributed.
enum class Pattern : std::uint32_t {
  kConstant,     ///< 77
  kTwoLevel,     ///< 0 or 255 by a random bit
  kRamp,         ///< i mod 256
  kUniform,      ///< every value equally likely
  kGauss,        ///< half the sum of eight 6-bit uniforms
  kPhoto,        ///< smooth waves in rows of 8192 values, plus noise; 52..204
  kEveryFourth,  ///< i mod 4 = 0: 1; else uniform
  kHot90,        ///< nine of ten values are 200, the tenth is uniform
  kZipf,         ///< value v has weight (v + 1)^-1.2
  kEntropy,      ///< bitwise AND of k uniforms, 1 <= k <= 16
};

/// A pattern with its parameter.
struct PatternSpec {
  Pattern pattern = Pattern::kUniform;
  std::uint32_t entropy_k = 1;  ///< of kEntropy
};

/// A pattern and its spelling.
struct NamedPattern {
  const char* name;
  PatternSpec spec;
};
/// Every pattern by its spelling; of kEntropy the steps of the usual benchmark axis beyond 1 (which is uniform).
inline constexpr NamedPattern kPatterns[] = {
    {"constant", {Pattern::kConstant, 1}},
    {"two-level", {Pattern::kTwoLevel, 1}},
    {"ramp", {Pattern::kRamp, 1}},
    {"uniform", {Pattern::kUniform, 1}},
    {"gauss", {Pattern::kGauss, 1}},
    {"photo", {Pattern::kPhoto, 1}},
    {"every-4th-fixed", {Pattern::kEveryFourth, 1}},
    {"hot-90", {Pattern::kHot90, 1}},
    {"zipf", {Pattern::kZipf, 1}},
    {"entropy-2", {Pattern::kEntropy, 2}},
    {"entropy-3", {Pattern::kEntropy, 3}},
    {"entropy-4", {Pattern::kEntropy, 4}},
    {"entropy-5", {Pattern::kEntropy, 5}},
};

/// 128 random bits.
struct PhiloxBlock {
  std::uint32_t word[4];
};

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3; SC 2011).
GPUHISTO_HOST_DEVICE inline PhiloxBlock philox4x32_10(PhiloxBlock counter, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53u} * counter.word[0];
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57u} * counter.word[2];
    counter = PhiloxBlock{
        {static_cast<std::uint32_t>(product1 >> 32) ^ counter.word[1] ^ key0, static_cast<std::uint32_t>(product1),
         static_cast<std::uint32_t>(product0 >> 32) ^ counter.word[3] ^ key1, static_cast<std::uint32_t>(product0)}};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

/// Made once on the host by make_pattern_tables(); device code gets a copy.
struct PatternTables {
  std::int32_t sine[256];         ///< round(127 sin(2 pi i / 256))
  std::uint32_t zipf_below[256];  ///< 2^32 P(value < v), rounded down
};

namespace pattern_detail {

/// round(127 sin(2 pi i / 256)) for the first quarter, i in 0..64: Taylor series in fixed point with 28 fraction bits.
constexpr std::int32_t quarter_sine(std::int64_t i) {
  constexpr std::int64_t kHalf = std::int64_t{1} << 27;
  const std::int64_t x = (i * 843314857 + 64) / 128;  // pi * 2^28 = 843314857
  const std::int64_t square = x * x >> 28;
  std::int64_t term = x, sum = x;
  for (std::int64_t n = 2; n < 16; n += 2) {
    term = -(term * square >> 28) / (n * (n + 1));
    sum += term;
  }
  return static_cast<std::int32_t>((127 * sum + kHalf) >> 28);
}

/// floor(2^20 n^-1.2), the largest w with w^5 n^6 <= 2^100, for n in 1..256.
constexpr std::uint64_t zipf_weight(std::uint64_t n) {
  __extension__ using Wide = unsigned __int128;
  const Wide limit = (Wide{1} << 100) / (n * n * n * n * n * n);
  std::uint64_t low = 1, high = (std::uint64_t{1} << 20) + 1;
  while (high - low > 1) {
    const Wide middle = (low + high) / 2;
    (middle * middle * middle * middle * middle <= limit ? low : high) = static_cast<std::uint64_t>(middle);
  }
  return low;
}

GPUHISTO_HOST_DEVICE inline std::uint32_t zipf_value(const std::uint32_t* below, std::uint32_t random) {
  std::uint32_t v = 0;  // the last v with below[v] <= random
  for (std::uint32_t step = 128; step != 0; step >>= 1)
    if (below[v + step] <= random) v += step;
  return v;
}

GPUHISTO_HOST_DEVICE inline std::uint32_t gauss_value(const PhiloxBlock& random) {
  std::uint32_t sum = 0;
  for (int k = 0; k < 8; ++k) sum += (random.word[k / 4] >> (8 * (k % 4))) & 63u;
  return sum / 2;
}

GPUHISTO_HOST_DEVICE inline std::uint32_t photo_value(const std::int32_t* sine, std::uint64_t i, std::uint32_t random) {
  // Angles in 2^-16 steps of the sine table: 6x/8192 rad is 1956 x, and so on. Fourteen fraction bits in the sum.
  const std::uint32_t x = static_cast<std::uint32_t>(i & 8191u);
  const std::uint32_t y = static_cast<std::uint32_t>(i >> 13);
  const std::int32_t wave = sine[((1956u * x + 978u * y) >> 16) & 255u];
  const std::int32_t other = sine[(((1304u * y - 652u * x) >> 16) + 64u) & 255u];
  const std::int32_t noise = 2 * static_cast<std::int32_t>(random & 31u) - 31;
  return static_cast<std::uint32_t>(128 * 16384 + 8192 + 71 * wave * other + 3277 * noise) >> 14;
}

GPUHISTO_HOST_DEVICE inline std::uint32_t entropy_value(const PhiloxBlock& random, std::uint32_t k) {
  std::uint32_t value = 255u;
  for (std::uint32_t j = 0; j < k && j < 16u; ++j) value &= random.word[j / 4] >> (8 * (j % 4));
  return value;
}

}  // namespace pattern_detail

/// The same on every machine.
constexpr PatternTables make_pattern_tables() {
  PatternTables tables{};
  for (int i = 0; i <= 64; ++i) {
    const auto sine = pattern_detail::quarter_sine(i);
    tables.sine[i] = tables.sine[128 - i] = sine;
    tables.sine[(128 + i) & 255] = tables.sine[(256 - i) & 255] = -sine;
  }
  std::uint64_t weight[256] = {}, total = 0, below = 0;
  for (std::uint64_t v = 0; v < 256; ++v) total += weight[v] = pattern_detail::zipf_weight(v + 1);
  for (int v = 0; v < 256; ++v) {
    tables.zipf_below[v] = static_cast<std::uint32_t>((below << 32) / total);
    below += weight[v];
  }
  return tables;
}

/// Value i of a pattern.
GPUHISTO_HOST_DEVICE inline std::uint8_t pattern_value(const PatternSpec& spec, std::uint64_t seed, std::uint64_t i,
                                                       const PatternTables& tables) {
  if (spec.pattern == Pattern::kConstant) return 77;
  if (spec.pattern == Pattern::kRamp) return static_cast<std::uint8_t>(i);
  const PhiloxBlock random =
      philox4x32_10(PhiloxBlock{{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i >> 32), 0, 0}},
                    static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
  std::uint32_t value = random.word[0];  // uniform
  switch (spec.pattern) {
    case Pattern::kTwoLevel:
      value = value & 1u ? 255u : 0u;
      break;
    case Pattern::kGauss:
      value = pattern_detail::gauss_value(random);
      break;
    case Pattern::kPhoto:
      value = pattern_detail::photo_value(tables.sine, i, value);
      break;
    case Pattern::kEveryFourth:
      value = i % 4 == 0 ? 1u : value;
      break;
    case Pattern::kHot90:
      value = random.word[1] % 10u < 9u ? 200u : value;
      break;
    case Pattern::kZipf:
      value = pattern_detail::zipf_value(tables.zipf_below, value);
      break;
    case Pattern::kEntropy:
      value = pattern_detail::entropy_value(random, spec.entropy_k);
      break;
    default:
      break;
  }
  return static_cast<std::uint8_t>(value);
}

/// Writes values first, first + 1, … first + n - 1. Host only.
inline void fill_pattern(std::uint8_t* out, std::uint64_t n, const PatternSpec& spec, std::uint64_t seed,
                         std::uint64_t first = 0) {
  static constexpr PatternTables kTables = make_pattern_tables();
  for (std::uint64_t i = 0; i < n; ++i) out[i] = pattern_value(spec, seed, first + i, kTables);
}

}  // namespace gpuhisto
