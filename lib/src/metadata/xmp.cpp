// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// XMP says a property as an attribute, tiff:Orientation="6", or as an element, <tiff:Orientation>6</tiff:Orientation>.
#include "metadata/xmp.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "report/names.hpp"

namespace gpuhisto {
namespace {

constexpr std::string_view kSpace = " \t\r\n", kDigits = "0123456789";

std::string_view text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Where the number lies that the property has at or behind `from`.
struct Found {
  std::size_t at = std::string_view::npos, count = 0;
};
Found find_number(std::string_view text, std::string_view property, std::size_t from) {
  for (std::size_t at = text.find(property, from); at != text.npos; at = text.find(property, at + 1)) {
    std::size_t value = text.find_first_not_of(kSpace, at + property.size());
    if (value == text.npos) break;
    if (text[value] == '=') {
      value = text.find_first_not_of(kSpace, value + 1);
      if (value == text.npos) break;
      if (text[value] != '"' && text[value] != '\'') continue;
    } else if (text[value] != '>') {
      continue;
    }
    const std::size_t digits = text.find_first_not_of(kSpace, value + 1);
    const std::size_t end = text.find_first_not_of(kDigits, digits);
    if (digits != text.npos && end != text.npos && end > digits) return {digits, end - digits};
  }
  return {};
}

/// In one pass: a packet may have the property a million times.
void set_all(std::vector<std::uint8_t>& packet, std::string_view property, std::string_view value) {
  const std::string_view text = text_of(packet);
  std::vector<std::uint8_t> changed;
  changed.reserve(text.size());
  std::size_t done = 0;
  const auto copy_until = [&](std::size_t end) {
    changed.insert(changed.end(), text.begin() + static_cast<std::ptrdiff_t>(done),
                   text.begin() + static_cast<std::ptrdiff_t>(end));
  };
  for (Found found = find_number(text, property, 0); found.count > 0; found = find_number(text, property, done)) {
    copy_until(found.at);
    changed.insert(changed.end(), value.begin(), value.end());
    done = found.at + found.count;
  }
  copy_until(text.size());
  packet = std::move(changed);
}

}  // namespace

bool is_sound_xmp(std::span<const std::uint8_t> packet) {
  const std::string_view text = text_of(packet);
  return text.find('\0') == text.npos && is_utf8(text);
}

void fit_xmp(std::vector<std::uint8_t>& packet, const PixelChange& change) {
  if (change.upright) set_all(packet, "tiff:Orientation", "1");
  if (change.width == 0) return;
  for (const char* const property : {"tiff:ImageWidth", "exif:PixelXDimension"})
    set_all(packet, property, std::to_string(change.width));
  for (const char* const property : {"tiff:ImageLength", "exif:PixelYDimension"})
    set_all(packet, property, std::to_string(change.height));
}

}  // namespace gpuhisto
