// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Splitting on x86-64 with AVX2; compiled with -mavx2, entered only where the CPU has it.
#include "count/split.hpp"

#if defined(__AVX2__)
#include <immintrin.h>

namespace gpuhisto::count {
namespace {

constexpr std::size_t kStep = 32;  // pixels a vector

struct Colors {
  __m256i red, green, blue;
};

inline void store(std::uint8_t* to, __m256i v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), v); }

/// 16 bytes at `low` and 16 at `high`, a lane each.
inline __m256i load_lanes(const std::uint8_t* low, const std::uint8_t* high) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(low))),
                                 _mm_loadu_si128(reinterpret_cast<const __m128i*>(high)), 1);
}

/// For the part-th 16 bytes of 48 with three channels: where each of a channel's 16 values comes from, or none.
struct Pick {
  alignas(32) std::int8_t from[3][3][32];  // [channel][part][byte]
};
constexpr Pick make_pick() {
  Pick pick{};
  for (int channel = 0; channel < 3; ++channel)
    for (int part = 0; part < 3; ++part)
      for (int k = 0; k < 32; ++k) {
        const int at = 3 * (k % 16) + channel - 16 * part;
        pick.from[channel][part][k] = static_cast<std::int8_t>(at >= 0 && at < 16 ? at : -1);
      }
  return pick;
}
constexpr Pick kPick = make_pick();

inline __m256i pick(int channel, __m256i part0, __m256i part1, __m256i part2) {
  const auto from = [&](int part) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(kPick.from[channel][part]));
  };
  return _mm256_or_si256(_mm256_or_si256(_mm256_shuffle_epi8(part0, from(0)), _mm256_shuffle_epi8(part1, from(1))),
                         _mm256_shuffle_epi8(part2, from(2)));
}

/// Reads 96 bytes.
inline Colors load_rgb(const std::uint8_t* p) {
  const __m256i part0 = load_lanes(p, p + 48), part1 = load_lanes(p + 16, p + 64), part2 = load_lanes(p + 32, p + 80);
  return {pick(0, part0, part1, part2), pick(1, part0, part1, part2), pick(2, part0, part1, part2)};
}

/// Reads 128 bytes.
inline Colors load_rgba(const std::uint8_t* p, __m256i& alpha) {
  const __m256i group = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15,  //
                                         0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  // Lanes 64 bytes apart: unpacking works within lanes, and so puts the pixels in order.
  const __m256i v0 = _mm256_shuffle_epi8(load_lanes(p, p + 64), group);
  const __m256i v1 = _mm256_shuffle_epi8(load_lanes(p + 16, p + 80), group);
  const __m256i v2 = _mm256_shuffle_epi8(load_lanes(p + 32, p + 96), group);
  const __m256i v3 = _mm256_shuffle_epi8(load_lanes(p + 48, p + 112), group);
  const __m256i red_green01 = _mm256_unpacklo_epi32(v0, v1), red_green23 = _mm256_unpacklo_epi32(v2, v3);
  const __m256i blue_alpha01 = _mm256_unpackhi_epi32(v0, v1), blue_alpha23 = _mm256_unpackhi_epi32(v2, v3);
  alpha = _mm256_unpackhi_epi64(blue_alpha01, blue_alpha23);
  return {_mm256_unpacklo_epi64(red_green01, red_green23), _mm256_unpackhi_epi64(red_green01, red_green23),
          _mm256_unpacklo_epi64(blue_alpha01, blue_alpha23)};
}

class Luma {
 public:
  explicit Luma(const LumaFormula& f)
      : kind_(f.kind),
        red_green_(_mm256_set1_epi32(f.red | f.green << 16)),
        blue_(_mm256_set1_epi32(f.blue)),
        half_(_mm256_set1_epi32(f.shift > 0 ? 1 << (f.shift - 1) : 0)),
        shift_(_mm_cvtsi32_si128(f.shift)) {}

  __m256i operator()(const Colors& c) const {
    if (kind_ == LumaKind::kMaximum) return _mm256_max_epu8(_mm256_max_epu8(c.red, c.green), c.blue);
    // Unpacking and packing work within lanes and undo each other.
    const __m256i zero = _mm256_setzero_si256();
    const __m256i r0 = _mm256_unpacklo_epi8(c.red, zero), r1 = _mm256_unpackhi_epi8(c.red, zero);
    const __m256i g0 = _mm256_unpacklo_epi8(c.green, zero), g1 = _mm256_unpackhi_epi8(c.green, zero);
    const __m256i b0 = _mm256_unpacklo_epi8(c.blue, zero), b1 = _mm256_unpackhi_epi8(c.blue, zero);
    if (kind_ == LumaKind::kAverage) return _mm256_packus_epi16(average(r0, g0, b0), average(r1, g1, b1));
    return _mm256_packus_epi16(weighted(r0, g0, b0), weighted(r1, g1, b1));
  }

 private:
  static __m256i average(__m256i r, __m256i g, __m256i b) {
    const __m256i sum = _mm256_add_epi16(_mm256_add_epi16(r, g), _mm256_add_epi16(b, _mm256_set1_epi16(1)));
    return _mm256_mulhi_epu16(sum, _mm256_set1_epi16(21846));  // x * 21846 >> 16 = x / 3 for x < 32768
  }
  __m256i weighted(__m256i r, __m256i g, __m256i b) const {
    const __m256i zero = _mm256_setzero_si256();
    return _mm256_packs_epi32(sum(_mm256_unpacklo_epi16(r, g), _mm256_unpacklo_epi16(b, zero)),
                              sum(_mm256_unpackhi_epi16(r, g), _mm256_unpackhi_epi16(b, zero)));
  }
  __m256i sum(__m256i red_green, __m256i blue) const {
    const __m256i weighted = _mm256_add_epi32(_mm256_madd_epi16(red_green, red_green_), _mm256_madd_epi16(blue, blue_));
    return _mm256_srl_epi32(_mm256_add_epi32(weighted, half_), shift_);
  }

  LumaKind kind_;
  __m256i red_green_, blue_, half_;
  __m128i shift_;
};

/// Splitting comes in short bursts between counts, too short for the hardware to notice where it goes.
inline void prefetch(const std::uint8_t* pixels) {
  _mm_prefetch(reinterpret_cast<const char*>(pixels + 4096), _MM_HINT_T0);
  _mm_prefetch(reinterpret_cast<const char*>(pixels + 4160), _MM_HINT_T0);
}

inline void store_colors(const Planes& planes, std::size_t at, const Colors& c, const Luma& luma) {
  if (planes.luma) store(planes.luma + at, luma(c));
  if (!planes.red) return;
  store(planes.red + at, c.red);
  store(planes.green + at, c.green);
  store(planes.blue + at, c.blue);
}

std::size_t split_rgb(const std::uint8_t* pixels, std::size_t n, const Luma& luma, const Planes& planes) {
  std::size_t i = 0;
  for (; i + kStep <= n; i += kStep) {
    prefetch(pixels + 3 * i);
    store_colors(planes, i, load_rgb(pixels + 3 * i), luma);
  }
  return i;
}

std::size_t split_rgba(const std::uint8_t* pixels, std::size_t n, const Luma& luma, const Planes& planes) {
  std::size_t i = 0;
  for (; i + kStep <= n; i += kStep) {
    __m256i alpha;
    prefetch(pixels + 4 * i);
    store_colors(planes, i, load_rgba(pixels + 4 * i, alpha), luma);
    if (planes.alpha) store(planes.alpha + i, alpha);
  }
  return i;
}

std::size_t split_gray_alpha(const std::uint8_t* pixels, std::size_t n, const Planes& planes) {
  const __m256i low = _mm256_set1_epi16(255);
  std::size_t i = 0;
  for (; i + kStep <= n; i += kStep) {
    const std::uint8_t* p = pixels + 2 * i;
    const __m256i v0 = load_lanes(p, p + 32), v1 = load_lanes(p + 16, p + 48);  // packing works within lanes
    if (planes.luma) store(planes.luma + i, _mm256_packus_epi16(_mm256_and_si256(v0, low), _mm256_and_si256(v1, low)));
    if (planes.alpha) store(planes.alpha + i, _mm256_packus_epi16(_mm256_srli_epi16(v0, 8), _mm256_srli_epi16(v1, 8)));
  }
  return i;
}

void split(const std::uint8_t* pixels, std::size_t n, int channels, const LumaFormula& formula, const Planes& planes) {
  std::size_t done = 0;
  if (channels == 2) done = split_gray_alpha(pixels, n, planes);
  if (channels == 3) done = split_rgb(pixels, n, Luma(formula), planes);
  if (channels == 4) done = split_rgba(pixels, n, Luma(formula), planes);
  split_portable(pixels + done * static_cast<std::size_t>(channels), n - done, channels, formula, planes.from(done));
}

}  // namespace

SplitFunction avx2_split() { return __builtin_cpu_supports("avx2") ? &split : nullptr; }

}  // namespace gpuhisto::count

#else

namespace gpuhisto::count {
SplitFunction avx2_split() { return nullptr; }
}  // namespace gpuhisto::count

#endif
