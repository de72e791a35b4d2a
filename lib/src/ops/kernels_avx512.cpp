// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#if defined(__x86_64__)
#include "ops/kernels.hpp"
#include "ops/table_avx512.hpp"
#include "ops/ycrcb.hpp"

namespace gpuhisto::ops {
namespace {

constexpr unsigned kLanes = 64;  // bytes of a vector
using ByteIndex = std::array<std::uint8_t, kLanes>;

GPUHISTO_AVX512 inline __m512i load(const std::uint8_t* p) { return _mm512_loadu_si512(p); }
GPUHISTO_AVX512 inline void store(std::uint8_t* p, __m512i v) { _mm512_storeu_si512(p, v); }

// ---- Maps -----------------------------------------------------------------------------------------------------------

/// Bit i: byte i of a run of pixels belongs to `channel`, the run starting `phase` bytes into a pixel.
constexpr std::uint64_t lanes_of(unsigned channel, unsigned channels, unsigned phase) {
  std::uint64_t lanes = 0;
  for (unsigned i = 0; i < kLanes; ++i)
    if ((i + phase) % channels == channel) lanes |= std::uint64_t{1} << i;
  return lanes;
}

GPUHISTO_AVX512 std::size_t map_gray(std::uint8_t* p, std::size_t count, const ChannelLuts& luts) {
  const Table table(luts.luts[0]);
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) store(p + i, table(load(p + i)));
  return i;
}

template <unsigned kChannels>
GPUHISTO_AVX512 __m512i map_lanes(__m512i v, const Table* tables, const std::uint64_t* lanes) {
  __m512i mapped = tables[0](v);
  for (unsigned c = 1; c < kChannels; ++c) mapped = _mm512_mask_mov_epi8(mapped, lanes[c], tables[c](v));
  return mapped;
}

template <unsigned kChannels>
GPUHISTO_AVX512 std::size_t map_even(std::uint8_t* p, std::size_t count, const ChannelLuts& luts) {
  // Alpha's table is the identity: its lanes keep what was loaded.
  constexpr unsigned kColors = kChannels - 1;
  constexpr std::uint64_t kAlpha = lanes_of(kColors, kChannels, 0);
  constexpr std::uint64_t kLanesOf[] = {lanes_of(0, kChannels, 0), lanes_of(1, kChannels, 0),
                                        lanes_of(2, kChannels, 0)};
  const Table tables[] = {Table(luts.luts[0]), Table(luts.luts[1]), Table(luts.luts[2])};
  const std::size_t bytes = count * kChannels;
  std::size_t i = 0;
  for (; i + kLanes <= bytes; i += kLanes) {
    const __m512i v = load(p + i);
    store(p + i, _mm512_mask_mov_epi8(map_lanes<kColors>(v, tables, kLanesOf), kAlpha, v));
  }
  return i / kChannels;
}

GPUHISTO_AVX512 std::size_t map_rgb(std::uint8_t* p, std::size_t count, const ChannelLuts& luts) {
  constexpr std::uint64_t kLanesOf[3][3] = {{lanes_of(0, 3, 0), lanes_of(1, 3, 0), lanes_of(2, 3, 0)},
                                            {lanes_of(0, 3, 1), lanes_of(1, 3, 1), lanes_of(2, 3, 1)},
                                            {lanes_of(0, 3, 2), lanes_of(1, 3, 2), lanes_of(2, 3, 2)}};
  const Table tables[] = {Table(luts.luts[0]), Table(luts.luts[1]), Table(luts.luts[2])};
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes, p += 3 * kLanes)  // 64 begins one byte into a pixel, 128 two
    for (std::size_t part = 0; part < 3; ++part)
      store(p + kLanes * part, map_lanes<3>(load(p + kLanes * part), tables, kLanesOf[part]));
  return i;
}

void map(std::uint8_t* pixels, std::size_t count, const ChannelLuts& luts) {
  std::size_t done = 0;
  if (luts.channels == 1) done = map_gray(pixels, count, luts);
  if (luts.channels == 2) done = map_even<2>(pixels, count, luts);
  if (luts.channels == 3) done = map_rgb(pixels, count, luts);
  if (luts.channels == 4) done = map_even<4>(pixels, count, luts);
  kPortableKernels.map(pixels + done * static_cast<std::size_t>(luts.channels), count - done, luts);
}

// ---- YCrCb, in lanes of 16 bits; _mm512_mulhrs_epi16(2 * a, b) is descale(a * b), see the AVX2 form
// ------------------

struct Colors {
  __m512i red, green, blue;
};

GPUHISTO_AVX512 inline __m512i descaled_product(__m512i a, int weight) {
  return _mm512_mulhrs_epi16(_mm512_slli_epi16(a, 1), _mm512_set1_epi16(static_cast<short>(weight)));
}

GPUHISTO_AVX512 inline __m512i green_difference(__m512i cr, __m512i cb) {
  const __m512i weights = _mm512_set1_epi32((kGreenCr & 0xffff) | (kGreenCb * 65536));
  const __m512i half = _mm512_set1_epi32(1 << (kShift - 1));
  const __m512i low = _mm512_madd_epi16(_mm512_unpacklo_epi16(cr, cb), weights);
  const __m512i high = _mm512_madd_epi16(_mm512_unpackhi_epi16(cr, cb), weights);
  return _mm512_packs_epi32(_mm512_srai_epi32(_mm512_add_epi32(low, half), kShift),
                            _mm512_srai_epi32(_mm512_add_epi32(high, half), kShift));
}

GPUHISTO_AVX512 inline __m512i clipped_difference(__m512i difference) {
  return _mm512_min_epi16(_mm512_max_epi16(difference, _mm512_set1_epi16(-128)), _mm512_set1_epi16(127));
}

GPUHISTO_AVX512 inline Colors recolor(__m512i red, __m512i blue, __m512i y, __m512i new_y) {
  const __m512i cr = clipped_difference(descaled_product(_mm512_sub_epi16(red, y), kCrRed));
  const __m512i cb = clipped_difference(descaled_product(_mm512_sub_epi16(blue, y), kCbBlue));
  return {_mm512_add_epi16(new_y, descaled_product(cr, kRedCr)), _mm512_add_epi16(new_y, green_difference(cr, cb)),
          _mm512_add_epi16(new_y, descaled_product(cb, kBlueCb))};
}

/// Of 64 RGB pixels in three vectors, where one channel's value stands: in the first two (7 bits), or in the third.
constexpr ByteIndex split_index(unsigned channel) {
  ByteIndex index{};
  for (unsigned i = 0; i < kLanes; ++i) index[i] = static_cast<std::uint8_t>((3 * i + channel) % 128);
  return index;
}
constexpr std::uint64_t third_vector(unsigned channel) {
  std::uint64_t lanes = 0;
  for (unsigned i = 0; i < kLanes; ++i)
    if (3 * i + channel >= 128) lanes |= std::uint64_t{1} << i;
  return lanes;
}
/// The reverse: which pixel stands at each byte of the `part`th vector; greens come from a second register (+ 64).
constexpr ByteIndex join_index(unsigned part) {
  ByteIndex index{};
  for (unsigned i = 0; i < kLanes; ++i) {
    const unsigned at = kLanes * part + i;
    index[i] = static_cast<std::uint8_t>(at / 3 + (at % 3 == 1 ? 64 : 0));
  }
  return index;
}
constexpr ByteIndex kSplitRed = split_index(0), kSplitBlue = split_index(2);
constexpr ByteIndex kJoin[3] = {join_index(0), join_index(1), join_index(2)};
constexpr std::uint64_t kBlueLanes[3] = {lanes_of(2, 3, 0), lanes_of(2, 3, 1), lanes_of(2, 3, 2)};

GPUHISTO_AVX512 inline __m512i half_widened(__m512i bytes, int half) {
  return _mm512_cvtepu8_epi16(half == 0 ? _mm512_castsi512_si256(bytes) : _mm512_extracti64x4_epi64(bytes, 1));
}

/// Two vectors of sixteen-bit lanes as clipped bytes in order.
GPUHISTO_AVX512 inline __m512i narrow(__m512i first, __m512i second) {
  const __m512i in_order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0);
  return _mm512_permutexvar_epi64(in_order, _mm512_packus_epi16(first, second));
}

GPUHISTO_AVX512 void replace_luma_64_rgb(std::uint8_t* p, const std::uint8_t* y, const std::uint8_t* new_y) {
  const __m512i v0 = load(p), v1 = load(p + 64), v2 = load(p + 128), y_bytes = load(y), new_bytes = load(new_y);
  const auto split = [&](const ByteIndex& index, std::uint64_t third) GPUHISTO_AVX512 {
    const __m512i i = load(index.data());
    return _mm512_mask_permutexvar_epi8(_mm512_permutex2var_epi8(v0, i, v1), third, i, v2);
  };
  const __m512i red = split(kSplitRed, third_vector(0)), blue = split(kSplitBlue, third_vector(2));
  Colors halves[2];
  for (int half = 0; half < 2; ++half)
    halves[half] = recolor(half_widened(red, half), half_widened(blue, half), half_widened(y_bytes, half),
                           half_widened(new_bytes, half));
  const __m512i new_red = narrow(halves[0].red, halves[1].red), new_green = narrow(halves[0].green, halves[1].green);
  const __m512i new_blue = narrow(halves[0].blue, halves[1].blue);
  for (std::size_t part = 0; part < 3; ++part) {
    const __m512i index = load(kJoin[part].data());
    const __m512i red_green = _mm512_permutex2var_epi8(new_red, index, new_green);
    store(p + 64 * part, _mm512_mask_permutexvar_epi8(red_green, kBlueLanes[part], index, new_blue));
  }
}

GPUHISTO_AVX512 inline __m512i clip_lanes(__m512i x) {
  return _mm512_min_epi16(_mm512_max_epi16(x, _mm512_setzero_si512()), _mm512_set1_epi16(255));
}

GPUHISTO_AVX512 void replace_luma_32_rgba(std::uint8_t* p, const std::uint8_t* y, const std::uint8_t* new_y) {
  const __m512i first = load(p), second = load(p + 64), byte = _mm512_set1_epi32(0xff);
  // Packing interleaves the quarters of both vectors; unpacking at the end undoes it, the Ys must follow.
  const __m512i pack_order = _mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0);
  const auto ordered = [&](const std::uint8_t* bytes) GPUHISTO_AVX512 {
    const __m256i loaded = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
    return _mm512_permutexvar_epi64(pack_order, _mm512_cvtepu8_epi16(loaded));
  };
  const auto third_byte = [&](__m512i v) GPUHISTO_AVX512 { return _mm512_and_si512(_mm512_srli_epi32(v, 16), byte); };
  const __m512i red = _mm512_packus_epi32(_mm512_and_si512(first, byte), _mm512_and_si512(second, byte));
  const __m512i blue = _mm512_packus_epi32(third_byte(first), third_byte(second));
  const Colors colors = recolor(red, blue, ordered(y), ordered(new_y));
  const __m512i red_green = _mm512_or_si512(clip_lanes(colors.red), _mm512_slli_epi16(clip_lanes(colors.green), 8));
  const __m512i new_blue = clip_lanes(colors.blue);
  constexpr std::uint64_t kAlpha = lanes_of(3, 4, 0);
  store(p, _mm512_mask_mov_epi8(_mm512_unpacklo_epi16(red_green, new_blue), kAlpha, first));
  store(p + 64, _mm512_mask_mov_epi8(_mm512_unpackhi_epi16(red_green, new_blue), kAlpha, second));
}

GPUHISTO_AVX512 void replace_luma(std::uint8_t* pixels, std::size_t count, int channels, const std::uint8_t* y,
                                  const std::uint8_t* new_y) {
  const auto step = static_cast<std::size_t>(channels);
  std::size_t i = 0;
  if (channels == 3) {
    for (; i + 64 <= count; i += 64) replace_luma_64_rgb(pixels + step * i, y + i, new_y + i);
  } else {
    for (; i + 32 <= count; i += 32) replace_luma_32_rgba(pixels + step * i, y + i, new_y + i);
  }
  kAvx2Kernels.replace_luma(pixels + step * i, count - i, channels, y + i, new_y + i);
}

}  // namespace

const Kernels kAvx512Kernels = {"avx512", map, replace_luma, map_cell_avx512};

}  // namespace gpuhisto::ops
#endif
