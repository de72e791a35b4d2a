// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "gpuhisto/equalize.hpp"

namespace gpuhisto::ops {

/// One table for each interleaved channel.
struct ChannelLuts {
  int channels = 1;
  std::array<Lut, 4> luts;
};

/// The inner loops over one run of pixels, for one instruction set. They read and write exactly the bytes of their
/// pixels, at any alignment.
struct Kernels {
  std::string_view name;
  /// Replaces each byte by its channel's table.
  void (*map)(std::uint8_t* pixels, std::size_t count, const ChannelLuts& luts);
  /// Gives RGB pixels (channels = 3, or 4: alpha stays), whose YCrCb Y are `y`, the Y of `new_y`.
  void (*replace_luma)(std::uint8_t* pixels, std::size_t count, int channels, const std::uint8_t* y,
                       const std::uint8_t* new_y);
};

/// Those this machine can run: the portable ones first, the fastest last.
std::span<const Kernels> kernels();

extern const Kernels kPortableKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
#endif

}  // namespace gpuhisto::ops
