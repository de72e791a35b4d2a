// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// 32-bit keys as pixels of one word, so that the reader of pixels serves them too. Keys lie on multiples of 4 bytes. A
// sink counts whole keys: count_key(key).
#pragma once

#include "device/pixel_reader.hpp"

namespace gpuhisto::kernels {

struct KeyFormat {
  static constexpr unsigned kPixelBytes = 4, kUnitWords = 4, kUnitPixels = 4;
  using Luma = NoLuma;

  __device__ __forceinline__ static bool takes(std::uint32_t) { return true; }
  template <typename Sink>
  __device__ __forceinline__ static void visit_channels(std::uint32_t key, const Luma&, Sink& sink) {
    sink.count_key(key);
  }
  template <typename Sink>
  __device__ __forceinline__ static void visit_unit(const Unit<kUnitWords>& unit, const Luma&, Sink& sink) {
#pragma unroll
    for (unsigned i = 0; i < kUnitWords; ++i) sink.count_key(unit.word[i]);
  }
};

/// In one load, since keys are aligned.
template <>
__device__ __forceinline__ std::uint32_t load_pixel<KeyFormat>(const std::uint8_t* at) {
  return *reinterpret_cast<const std::uint32_t*>(at);
}

}  // namespace gpuhisto::kernels
