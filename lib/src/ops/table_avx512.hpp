// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <immintrin.h>

#include "gpuhisto/equalize.hpp"

#define GPUHISTO_AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi")))

namespace gpuhisto::ops {

/// A table of 256 bytes in four registers, that 64 bytes go through at once.
class Table {
 public:
  GPUHISTO_AVX512 explicit Table(const Lut& lut)
      : a_(_mm512_loadu_si512(lut.data())),
        b_(_mm512_loadu_si512(lut.data() + 64)),
        c_(_mm512_loadu_si512(lut.data() + 128)),
        d_(_mm512_loadu_si512(lut.data() + 192)) {}
  GPUHISTO_AVX512 __m512i operator()(__m512i v) const {
    const __m512i low = _mm512_permutex2var_epi8(a_, v, b_), high = _mm512_permutex2var_epi8(c_, v, d_);
    return _mm512_mask_blend_epi8(_mm512_movepi8_mask(v), low, high);
  }

 private:
  __m512i a_, b_, c_, d_;
};

}  // namespace gpuhisto::ops
