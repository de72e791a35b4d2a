// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace gpuhisto {

struct StbFree {
  void operator()(std::uint8_t* pixels) const;
};
using StbPixels = std::unique_ptr<std::uint8_t[], StbFree>;

/// width * height * channels bytes decoded by stb_image from a BMP, TGA, PSD or GIF file of that size.
/// Throws Error(kInput) with stb_image's reason.
StbPixels load_with_stb(std::span<const std::uint8_t> file, std::uint64_t width, std::uint64_t height, int channels);

}  // namespace gpuhisto
