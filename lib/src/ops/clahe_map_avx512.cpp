// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#if defined(__x86_64__)
#include "ops/clahe_map.hpp"
#include "ops/table_avx512.hpp"

namespace gpuhisto::ops {
namespace {

constexpr std::size_t kLanes = 64;  // bytes of a vector

/// The `part`th sixteen of 64 bytes.
template <int kPart>
GPUHISTO_AVX512 inline __m512 floats_of(__m512i bytes) {
  return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(bytes, kPart)));
}

struct Entries {
  __m512i above_left, above_right, below_left, below_right;
};
struct RowWeights {
  __m512 above, below;
};

template <int kPart>
GPUHISTO_AVX512 inline __m128i weigh(const Entries& entries, __m512 right, const RowWeights& row) {
  const __m512 left = _mm512_sub_ps(_mm512_set1_ps(1), right);
  const __m512 upper = _mm512_add_ps(_mm512_mul_ps(floats_of<kPart>(entries.above_left), left),
                                     _mm512_mul_ps(floats_of<kPart>(entries.above_right), right));
  const __m512 lower = _mm512_add_ps(_mm512_mul_ps(floats_of<kPart>(entries.below_left), left),
                                     _mm512_mul_ps(floats_of<kPart>(entries.below_right), right));
  const __m512 sum = _mm512_add_ps(_mm512_mul_ps(upper, row.above), _mm512_mul_ps(lower, row.below));
  return _mm512_cvtusepi32_epi8(_mm512_cvtps_epi32(sum));
}

/// One of the four parts of a run shorter than a vector.
template <int kPart>
GPUHISTO_AVX512 inline __m128i weigh_rest(const Entries& entries, const float* right, __mmask64 lanes,
                                          const RowWeights& row) {
  const auto part = static_cast<__mmask16>(lanes >> (16 * kPart));
  return weigh<kPart>(entries, _mm512_maskz_loadu_ps(part, right + 16 * kPart), row);
}

}  // namespace

GPUHISTO_AVX512 void map_cell_avx512(const std::uint8_t* from, std::uint8_t* to, std::size_t count,
                                     const CellMaps& maps, const float* right, float below) {
  const Table above_left(*maps.corner[0]), above_right(*maps.corner[1]);
  const Table below_left(*maps.corner[2]), below_right(*maps.corner[3]);
  const RowWeights row = {_mm512_set1_ps(1.0f - below), _mm512_set1_ps(below)};
  for (; count >= kLanes; count -= kLanes, from += kLanes, to += kLanes, right += kLanes) {
    const __m512i v = _mm512_loadu_si512(from);
    const Entries entries = {above_left(v), above_right(v), below_left(v), below_right(v)};
    auto* vectors = reinterpret_cast<__m128i*>(to);
    _mm_storeu_si128(vectors, weigh<0>(entries, _mm512_loadu_ps(right), row));
    _mm_storeu_si128(vectors + 1, weigh<1>(entries, _mm512_loadu_ps(right + 16), row));
    _mm_storeu_si128(vectors + 2, weigh<2>(entries, _mm512_loadu_ps(right + 32), row));
    _mm_storeu_si128(vectors + 3, weigh<3>(entries, _mm512_loadu_ps(right + 48), row));
  }
  if (count == 0) return;
  const __mmask64 lanes = ~std::uint64_t{0} >> (kLanes - count);
  const __m512i v = _mm512_maskz_loadu_epi8(lanes, from);
  const Entries entries = {above_left(v), above_right(v), below_left(v), below_right(v)};
  __m512i mapped = _mm512_castsi128_si512(weigh_rest<0>(entries, right, lanes, row));
  mapped = _mm512_inserti32x4(mapped, weigh_rest<1>(entries, right, lanes, row), 1);
  mapped = _mm512_inserti32x4(mapped, weigh_rest<2>(entries, right, lanes, row), 2);
  mapped = _mm512_inserti32x4(mapped, weigh_rest<3>(entries, right, lanes, row), 3);
  _mm512_mask_storeu_epi8(to, lanes, mapped);
}

}  // namespace gpuhisto::ops
#endif
