// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "ops/kernels.hpp"
#include "ops/ycrcb.hpp"

namespace gpuhisto::ops {
namespace {

template <int kChannels>
void map_channels(std::uint8_t* pixels, std::size_t count, const ChannelLuts& luts) {
  for (std::size_t i = 0; i < count; ++i, pixels += kChannels)
    for (std::size_t c = 0; c < kChannels; ++c) pixels[c] = luts.luts[c][pixels[c]];
}

void map(std::uint8_t* pixels, std::size_t count, const ChannelLuts& luts) {
  switch (luts.channels) {
    case 1:
      return map_channels<1>(pixels, count, luts);
    case 2:
      return map_channels<2>(pixels, count, luts);
    case 3:
      return map_channels<3>(pixels, count, luts);
    default:
      return map_channels<4>(pixels, count, luts);
  }
}

void replace_luma(std::uint8_t* pixels, std::size_t count, int channels, const std::uint8_t* y,
                  const std::uint8_t* new_y) {
  for (std::size_t i = 0; i < count; ++i, pixels += channels) replace_luma_of(pixels, y[i], new_y[i]);
}

}  // namespace

const Kernels kPortableKernels = {"portable", map, replace_luma, map_cell_portable};

}  // namespace gpuhisto::ops
