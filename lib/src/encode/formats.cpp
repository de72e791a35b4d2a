// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <array>
#include <string_view>

#include "gpuhisto/encoder.hpp"

namespace gpuhisto {
namespace {

struct Extension {
  std::string_view text;  // without the dot, lower case
  Format format;
};
// ".pbm" is left out: P4 is not written, and a gray image under that name would mislead.
constexpr std::array kExtensions = {
    Extension{"png", Format::kPng},   Extension{"jpg", Format::kJpeg},  Extension{"jpeg", Format::kJpeg},
    Extension{"jpe", Format::kJpeg},  Extension{"jfif", Format::kJpeg}, Extension{"pgm", Format::kPnm},
    Extension{"ppm", Format::kPnm},   Extension{"pnm", Format::kPnm},   Extension{"pam", Format::kPam},
    Extension{"bmp", Format::kBmp},   Extension{"dib", Format::kBmp},   Extension{"tga", Format::kTga},
    Extension{"psd", Format::kPsd},   Extension{"gif", Format::kGif},   Extension{"tif", Format::kTiff},
    Extension{"tiff", Format::kTiff}, Extension{"webp", Format::kWebp},
};

// Not std::tolower: names are bytes, and the locale must not matter.
std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::optional<Format> format_of(std::string_view extension) {
  const std::string lower = lower_case(extension);
  for (const auto& known : kExtensions)
    if (known.text == lower) return known.format;
  return std::nullopt;
}

}  // namespace

std::optional<Format> format_from_extension(const std::string& path) {
  const auto dot = path.find_last_of("./");
  if (dot == std::string::npos || path[dot] != '.') return std::nullopt;
  return format_of(std::string_view(path).substr(dot + 1));
}

std::optional<Format> format_from_name(const std::string& name) { return format_of(name); }

bool can_write(Format format) {
  return format == Format::kPng || format == Format::kJpeg || format == Format::kPnm || format == Format::kPam ||
         format == Format::kBmp;
}

bool can_write_alpha(Format format) { return format == Format::kPng || format == Format::kPam; }

std::string extension_of(Format format, int channels) {
  if (format == Format::kJpeg) return ".jpg";
  if (format == Format::kPnm) return has_color(channels) ? ".ppm" : ".pgm";
  return std::string(1, '.').append(format_name(format));
}

}  // namespace gpuhisto
