// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/stb_image.hpp"

#include <limits>
#include <string>

#include "gpuhisto/error.hpp"

// The only place that sees stb_image: four of its formats, from memory. Its code is not ours to warn about.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wcast-align"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#define STBI_ONLY_PSD
#define STBI_ONLY_GIF
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace gpuhisto {

void StbFree::operator()(std::uint8_t* pixels) const { stbi_image_free(pixels); }

StbPixels load_with_stb(std::span<const std::uint8_t> file, std::uint64_t width, std::uint64_t height, int channels) {
  constexpr std::uint64_t kMax = std::numeric_limits<int>::max();
  // stb_image counts bytes, of four channels where it has to convert, in an int.
  if (file.size() > kMax || width * 4 > kMax / height)
    throw Error(ErrorKind::kUnsupported, "an image of more than 2 GiB in this format");
  int w = 0, h = 0, stored_channels = 0;
  StbPixels pixels(
      stbi_load_from_memory(file.data(), static_cast<int>(file.size()), &w, &h, &stored_channels, channels));
  if (!pixels) throw Error(ErrorKind::kInput, std::string("stb_image: ") + stbi_failure_reason());
  if (static_cast<std::uint64_t>(w) != width || static_cast<std::uint64_t>(h) != height)
    throw Error(ErrorKind::kInput, "stb_image sees another size");
  return pixels;
}

}  // namespace gpuhisto
