// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/image.hpp"

#include <string>

#include "gpuhisto/error.hpp"

namespace gpuhisto {

Image::Image(std::size_t width, std::size_t height, int channels)
    : width_(width), height_(height), channels_(channels) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(width, height, &bytes) ||
      __builtin_mul_overflow(bytes, static_cast<std::size_t>(channels), &bytes))
    throw Error(ErrorKind::kLimit, "the image is too large for this machine's addresses");
  // Readers may load a whole vector at the last pixel: keep some bytes behind it.
  constexpr std::size_t kSlack = 64;
  data_.reset(static_cast<std::uint8_t*>(std::malloc(bytes + kSlack)));
  if (!data_)
    throw Error(ErrorKind::kLimit, "not enough memory for the image (" + std::to_string(bytes >> 20) + " MiB)");
}

}  // namespace gpuhisto
