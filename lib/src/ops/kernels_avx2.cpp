// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#if defined(__x86_64__)
#include <immintrin.h>

#include "ops/kernels.hpp"
#include "ops/ycrcb.hpp"

#define GPUHISTO_AVX2 __attribute__((target("avx2")))

namespace gpuhisto::ops {
namespace {

// 16 pixels at a time, as sixteen 16-bit lanes. _mm256_mulhrs_epi16(2 * a, b) is (a * b + 2^13) >> 14: descale(a * b)
// without widening, as long as 2 * a and b fit 16 signed bits.

struct Colors {
  __m256i red, green, blue;
};

GPUHISTO_AVX2 inline __m256i descaled_product(__m256i a, int weight) {
  return _mm256_mulhrs_epi16(_mm256_slli_epi16(a, 1), _mm256_set1_epi16(static_cast<short>(weight)));
}

/// descale(kGreenCr * cr + kGreenCb * cb): one rounding of a sum, so in 32 bits.
GPUHISTO_AVX2 inline __m256i green_difference(__m256i cr, __m256i cb) {
  const __m256i weights = _mm256_set1_epi32((kGreenCr & 0xffff) | (kGreenCb * 65536));
  const __m256i half = _mm256_set1_epi32(1 << (kShift - 1));
  const __m256i low = _mm256_madd_epi16(_mm256_unpacklo_epi16(cr, cb), weights);
  const __m256i high = _mm256_madd_epi16(_mm256_unpackhi_epi16(cr, cb), weights);
  return _mm256_packs_epi32(_mm256_srai_epi32(_mm256_add_epi32(low, half), kShift),
                            _mm256_srai_epi32(_mm256_add_epi32(high, half), kShift));
}

GPUHISTO_AVX2 inline __m256i clipped_difference(__m256i difference) {
  return _mm256_min_epi16(_mm256_max_epi16(difference, _mm256_set1_epi16(-128)), _mm256_set1_epi16(127));
}

/// The new colours, not yet clipped.
GPUHISTO_AVX2 inline Colors recolor(__m256i red, __m256i blue, __m256i y, __m256i new_y) {
  const __m256i cr = clipped_difference(descaled_product(_mm256_sub_epi16(red, y), kCrRed));
  const __m256i cb = clipped_difference(descaled_product(_mm256_sub_epi16(blue, y), kCbBlue));
  return {_mm256_add_epi16(new_y, descaled_product(cr, kRedCr)), _mm256_add_epi16(new_y, green_difference(cr, cb)),
          _mm256_add_epi16(new_y, descaled_product(cb, kBlueCb))};
}

using ByteMask = std::array<std::uint8_t, 16>;
constexpr std::uint8_t kNone = 0x80;  // pshufb writes 0

/// Picks from the `part`th 16 bytes of 16 RGB pixels the values of one channel, each at its pixel's place.
constexpr ByteMask split_mask(unsigned part, unsigned channel) {
  ByteMask mask{};
  for (unsigned i = 0; i < 16; ++i) {
    const unsigned at = 3 * i + channel;
    mask[i] = at / 16 == part ? static_cast<std::uint8_t>(at % 16) : kNone;
  }
  return mask;
}

/// The reverse: places one channel's values in the `part`th 16 bytes.
constexpr ByteMask join_mask(unsigned part, unsigned channel) {
  ByteMask mask{};
  for (unsigned i = 0; i < 16; ++i) {
    const unsigned at = 16 * part + i;
    mask[i] = at % 3 == channel ? static_cast<std::uint8_t>(at / 3) : kNone;
  }
  return mask;
}

constexpr std::array<std::array<ByteMask, 3>, 3> make_masks(ByteMask (*mask)(unsigned, unsigned)) {
  std::array<std::array<ByteMask, 3>, 3> masks{};
  for (unsigned part = 0; part < 3; ++part)
    for (unsigned channel = 0; channel < 3; ++channel) masks[part][channel] = mask(part, channel);
  return masks;
}
constexpr auto kSplit = make_masks(split_mask);
constexpr auto kJoin = make_masks(join_mask);

GPUHISTO_AVX2 inline __m128i load(const std::uint8_t* p) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}
GPUHISTO_AVX2 inline __m128i pick(__m128i bytes, const ByteMask& mask) {
  return _mm_shuffle_epi8(bytes, load(mask.data()));
}
GPUHISTO_AVX2 inline __m128i or3(__m128i a, __m128i b, __m128i c) { return _mm_or_si128(_mm_or_si128(a, b), c); }
GPUHISTO_AVX2 inline __m256i load_widened(const std::uint8_t* p) { return _mm256_cvtepu8_epi16(load(p)); }
GPUHISTO_AVX2 inline __m128i narrow(__m256i x) {
  return _mm_packus_epi16(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
}

GPUHISTO_AVX2 inline __m256i channel_of_rgb(const std::uint8_t* p, std::size_t c) {
  return _mm256_cvtepu8_epi16(
      or3(pick(load(p), kSplit[0][c]), pick(load(p + 16), kSplit[1][c]), pick(load(p + 32), kSplit[2][c])));
}

GPUHISTO_AVX2 void replace_luma_16_rgb(std::uint8_t* p, const std::uint8_t* y, const std::uint8_t* new_y) {
  const Colors colors = recolor(channel_of_rgb(p, 0), channel_of_rgb(p, 2), load_widened(y), load_widened(new_y));
  const __m128i red = narrow(colors.red), green = narrow(colors.green), blue = narrow(colors.blue);
  for (std::size_t part = 0; part < 3; ++part) {
    const auto& join = kJoin[part];
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p + 16 * part),
                     or3(pick(red, join[0]), pick(green, join[1]), pick(blue, join[2])));
  }
}

GPUHISTO_AVX2 inline __m256i clip_lanes(__m256i x) {
  return _mm256_min_epi16(_mm256_max_epi16(x, _mm256_setzero_si256()), _mm256_set1_epi16(255));
}

GPUHISTO_AVX2 void replace_luma_16_rgba(std::uint8_t* p, const std::uint8_t* y, const std::uint8_t* new_y) {
  auto* vectors = reinterpret_cast<__m256i*>(p);
  const __m256i first = _mm256_loadu_si256(vectors), second = _mm256_loadu_si256(vectors + 1);
  const __m256i byte = _mm256_set1_epi32(0xff), alpha = _mm256_set1_epi32(static_cast<int>(0xff000000u));
  // Packing leaves pixels 0-3, 8-11, 4-7, 12-15 in the lanes; unpacking at the end undoes it, the Ys must follow.
  constexpr int kPackOrder = 0xd8;
  const auto third_byte = [&](__m256i v) GPUHISTO_AVX2 { return _mm256_and_si256(_mm256_srli_epi32(v, 16), byte); };
  const __m256i red = _mm256_packus_epi32(_mm256_and_si256(first, byte), _mm256_and_si256(second, byte));
  const __m256i blue = _mm256_packus_epi32(third_byte(first), third_byte(second));
  const Colors colors = recolor(red, blue, _mm256_permute4x64_epi64(load_widened(y), kPackOrder),
                                _mm256_permute4x64_epi64(load_widened(new_y), kPackOrder));
  const __m256i red_green = _mm256_or_si256(clip_lanes(colors.red), _mm256_slli_epi16(clip_lanes(colors.green), 8));
  const __m256i new_blue = clip_lanes(colors.blue);
  _mm256_storeu_si256(vectors,
                      _mm256_or_si256(_mm256_unpacklo_epi16(red_green, new_blue), _mm256_and_si256(first, alpha)));
  _mm256_storeu_si256(vectors + 1,
                      _mm256_or_si256(_mm256_unpackhi_epi16(red_green, new_blue), _mm256_and_si256(second, alpha)));
}

GPUHISTO_AVX2 void replace_luma(std::uint8_t* pixels, std::size_t count, int channels, const std::uint8_t* y,
                                const std::uint8_t* new_y) {
  const auto step = static_cast<std::size_t>(channels);
  std::size_t i = 0;
  if (channels == 3) {
    for (; i + 16 <= count; i += 16) replace_luma_16_rgb(pixels + step * i, y + i, new_y + i);
  } else {
    for (; i + 16 <= count; i += 16) replace_luma_16_rgba(pixels + step * i, y + i, new_y + i);
  }
  kPortableKernels.replace_luma(pixels + step * i, count - i, channels, y + i, new_y + i);
}

void map(std::uint8_t* pixels, std::size_t count, const ChannelLuts& luts) {
  // Sixteen 16-byte shuffles a vector gain nothing over a table in the first-level cache.
  kPortableKernels.map(pixels, count, luts);
}

}  // namespace

const Kernels kAvx2Kernels = {"avx2", map, replace_luma, map_cell_avx2};

}  // namespace gpuhisto::ops
#endif
