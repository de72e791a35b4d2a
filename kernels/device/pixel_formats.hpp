// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What the words of a pixel hold. A format visits pixels by telling a sink "count byte kByte of this word in slot
// kSlot"; slots number the histograms that a format fills, channel() names them. A unit is what one thread loads at
// once: whole 16-byte vectors and whole pixels.
#pragma once

#include "device/luma.hpp"

namespace gpuhisto::kernels {

enum class Take { kAll, kSkipTransparent };

template <unsigned kWords>
struct Unit {
  std::uint32_t word[kWords];
};

struct GrayFormat {
  static constexpr unsigned kPixelBytes = 1, kUnitWords = 4, kUnitPixels = 16, kSlots = 1;
  static constexpr unsigned kLoads = 2;  ///< units in flight per thread; more spills registers at 2048 threads
  using Luma = NoLuma;
  __host__ __device__ static constexpr unsigned channel(unsigned) { return 0; }

  __device__ __forceinline__ static bool takes(std::uint32_t) { return true; }
  template <typename Sink>
  __device__ __forceinline__ static void visit_channels(std::uint32_t pixel, const Luma&, Sink& sink) {
    sink.template count<0, 0>(pixel);
  }
  template <typename Sink>
  __device__ __forceinline__ static void visit_unit(const Unit<kUnitWords>& unit, const Luma&, Sink& sink) {
#pragma unroll
    for (unsigned i = 0; i < kUnitWords; ++i) sink.template count_word<0>(unit.word[i]);
  }
};

template <Take kTake>
struct GrayAlphaFormat {
  static constexpr unsigned kPixelBytes = 2, kUnitWords = 4, kUnitPixels = 8, kSlots = 2;
  static constexpr unsigned kLoads = 2;
  using Luma = NoLuma;
  __host__ __device__ static constexpr unsigned channel(unsigned slot) { return slot == 0 ? 0 : 4; }

  __device__ __forceinline__ static bool takes(std::uint32_t pixel) {
    return kTake == Take::kAll || byte_of<1>(pixel) != 0;
  }
  template <typename Sink>
  __device__ __forceinline__ static void visit_channels(std::uint32_t pixel, const Luma&, Sink& sink) {
    sink.template count<0, 0>(pixel);
    sink.template count<1, 1>(pixel);
  }
  template <typename Sink>
  __device__ __forceinline__ static void visit_unit(const Unit<kUnitWords>& unit, const Luma&, Sink& sink) {
#pragma unroll
    for (unsigned i = 0; i < kUnitWords; ++i) {
      const std::uint32_t word = unit.word[i];
      if (kTake == Take::kAll || byte_of<1>(word) != 0) {
        sink.template count<0, 0>(word);
        sink.template count<1, 1>(word);
      }
      if (kTake == Take::kAll || byte_of<3>(word) != 0) {
        sink.template count<0, 2>(word);
        sink.template count<1, 3>(word);
      }
    }
  }
};

template <typename LumaForm>
struct RgbFormat {
  static constexpr unsigned kPixelBytes = 3, kUnitWords = 12, kUnitPixels = 16, kSlots = LumaForm::kCounts ? 4 : 3;
  static constexpr unsigned kLoads = 2;
  using Luma = LumaForm;
  __host__ __device__ static constexpr unsigned channel(unsigned slot) { return slot == 3 ? 0 : slot + 1; }

  __device__ __forceinline__ static bool takes(std::uint32_t) { return true; }
  template <typename Sink>
  __device__ __forceinline__ static void visit_channels(std::uint32_t pixel, const Luma& luma, Sink& sink) {
    sink.template count<0, 0>(pixel);
    sink.template count<1, 1>(pixel);
    sink.template count<2, 2>(pixel);
    if constexpr (Luma::kCounts) sink.template count<3, 2>(luma.template of<0>(pixel, 0));
  }
  /// Four pixels in three words.
  template <typename Sink>
  __device__ __forceinline__ static void visit_four(std::uint32_t a, std::uint32_t b, std::uint32_t c, const Luma& luma,
                                                    Sink& sink) {
    visit_channels(a, luma, sink);
    sink.template count<0, 3>(a);
    sink.template count<1, 0>(b);
    sink.template count<2, 1>(b);
    if constexpr (Luma::kCounts) sink.template count<3, 2>(luma.template of<3>(a, b));
    sink.template count<0, 2>(b);
    sink.template count<1, 3>(b);
    sink.template count<2, 0>(c);
    if constexpr (Luma::kCounts) sink.template count<3, 2>(luma.template of<2>(b, c));
    sink.template count<0, 1>(c);
    sink.template count<1, 2>(c);
    sink.template count<2, 3>(c);
    if constexpr (Luma::kCounts) sink.template count<3, 2>(luma.template of<1>(c, 0));
  }
  template <typename Sink>
  __device__ __forceinline__ static void visit_unit(const Unit<kUnitWords>& unit, const Luma& luma, Sink& sink) {
#pragma unroll
    for (unsigned i = 0; i < kUnitWords; i += 3)
      visit_four(unit.word[i], unit.word[i + 1], unit.word[i + 2], luma, sink);
  }
};

template <typename LumaForm, Take kTake>
struct RgbaFormat {
  static constexpr unsigned kPixelBytes = 4, kUnitWords = 4, kUnitPixels = 4, kSlots = LumaForm::kCounts ? 5 : 4;
  static constexpr unsigned kLoads = LumaForm::kCounts ? 4 : 8;
  using Luma = LumaForm;
  __host__ __device__ static constexpr unsigned channel(unsigned slot) { return slot == 4 ? 0 : slot + 1; }

  __device__ __forceinline__ static bool takes(std::uint32_t pixel) { return kTake == Take::kAll || pixel >> 24 != 0; }
  template <typename Sink>
  __device__ __forceinline__ static void visit_channels(std::uint32_t pixel, const Luma& luma, Sink& sink) {
    sink.template count<0, 0>(pixel);
    sink.template count<1, 1>(pixel);
    sink.template count<2, 2>(pixel);
    sink.template count<3, 3>(pixel);
    if constexpr (Luma::kCounts) sink.template count<4, 2>(luma.template of<0>(pixel, 0));
  }
  template <typename Sink>
  __device__ __forceinline__ static void visit_unit(const Unit<kUnitWords>& unit, const Luma& luma, Sink& sink) {
#pragma unroll
    for (unsigned i = 0; i < kUnitWords; ++i)
      if (takes(unit.word[i])) visit_channels(unit.word[i], luma, sink);
  }
};

template <typename Format, typename Sink>
__device__ __forceinline__ void visit_pixel(std::uint32_t pixel, const typename Format::Luma& luma, Sink& sink) {
  if (Format::takes(pixel)) Format::visit_channels(pixel, luma, sink);
}

}  // namespace gpuhisto::kernels
