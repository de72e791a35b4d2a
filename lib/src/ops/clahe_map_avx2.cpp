// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#if defined(__x86_64__)
#include <immintrin.h>

#include "ops/clahe_map.hpp"

#define GPUHISTO_AVX2 __attribute__((target("avx2")))

namespace gpuhisto::ops {
namespace {

constexpr std::size_t kLanes = 8;

template <int kByte>
GPUHISTO_AVX2 inline __m256 byte_of(__m256i words) {
  return _mm256_cvtepi32_ps(_mm256_and_si256(_mm256_srli_epi32(words, 8 * kByte), _mm256_set1_epi32(255)));
}

/// Eight pixels as 32-bit lanes. One gather brings all four entries of a pixel.
GPUHISTO_AVX2 inline __m256i map_eight(const std::uint8_t* from, const CellMaps& maps, const float* right, __m256 above,
                                       __m256 below) {
  const __m256i values = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
  const __m256i four = _mm256_i32gather_epi32(reinterpret_cast<const int*>(maps.four), values, 4);
  const __m256 b = _mm256_loadu_ps(right), a = _mm256_sub_ps(_mm256_set1_ps(1), b);
  const __m256 upper = _mm256_add_ps(_mm256_mul_ps(byte_of<0>(four), a), _mm256_mul_ps(byte_of<1>(four), b));
  const __m256 lower = _mm256_add_ps(_mm256_mul_ps(byte_of<2>(four), a), _mm256_mul_ps(byte_of<3>(four), b));
  return _mm256_cvtps_epi32(_mm256_add_ps(_mm256_mul_ps(upper, above), _mm256_mul_ps(lower, below)));
}

}  // namespace

GPUHISTO_AVX2 void map_cell_avx2(const std::uint8_t* from, std::uint8_t* to, std::size_t count, const CellMaps& maps,
                                 const float* right, float below) {
  const __m256 lower = _mm256_set1_ps(below), upper = _mm256_sub_ps(_mm256_set1_ps(1), lower);
  std::size_t i = 0;
  for (; i + 2 * kLanes <= count; i += 2 * kLanes) {
    const __m256i first = map_eight(from + i, maps, right + i, upper, lower);
    const __m256i second = map_eight(from + i + kLanes, maps, right + i + kLanes, upper, lower);
    // Packing leaves pixels 0-3, 8-11, 4-7, 12-15.
    const __m256i words = _mm256_permute4x64_epi64(_mm256_packus_epi32(first, second), 0xd8);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1)));
  }
  map_cell_portable(from + i, to + i, count - i, maps, right + i, below);
}

}  // namespace gpuhisto::ops
#endif
