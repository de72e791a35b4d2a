// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "gpuhisto/tone.hpp"

namespace gpuhisto::ops {

/// One table for each interleaved channel.
struct ChannelLuts {
  int channels = 1;
  std::array<Lut, 4> luts;
};

struct CellMaps;

/// The inner loops over one run of pixels, for one instruction set. They read and write exactly the bytes of their
/// pixels, at any alignment.
struct Kernels {
  std::string_view name;
  /// Replaces each byte by its channel's table.
  void (*map)(std::uint8_t* pixels, std::size_t count, const ChannelLuts& luts);
  /// Gives RGB pixels (channels = 3, or 4: alpha stays), whose YCrCb Y are `y`, the Y of `new_y`.
  void (*replace_luma)(std::uint8_t* pixels, std::size_t count, int channels, const std::uint8_t* y,
                       const std::uint8_t* new_y);
  /// Pixels between the centres of four tiles through their maps: `right` is the weight of the two on the right, one a
  /// pixel, `below` that of the two below, all from 0 to 1. `to` may be `from`. In 32-bit floats in the order
  /// (above_left * (1 - right) + above_right * right) * (1 - below) + (the same of the lower ones) * below, each step
  /// rounded, the sum to the nearest integer, a tie to the even one.
  void (*map_cell)(const std::uint8_t* from, std::uint8_t* to, std::size_t count, const CellMaps& maps,
                   const float* right, float below);
};

/// Those this machine can run: the portable ones first, the fastest last.
std::span<const Kernels> kernels();

void map_cell_portable(const std::uint8_t* from, std::uint8_t* to, std::size_t count, const CellMaps& maps,
                       const float* right, float below);
extern const Kernels kPortableKernels;
#if defined(__x86_64__)
void map_cell_avx2(const std::uint8_t* from, std::uint8_t* to, std::size_t count, const CellMaps& maps,
                   const float* right, float below);
void map_cell_avx512(const std::uint8_t* from, std::uint8_t* to, std::size_t count, const CellMaps& maps,
                     const float* right, float below);
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
#endif

}  // namespace gpuhisto::ops
