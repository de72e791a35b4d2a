// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// XMP says a property as an attribute, tiff:Orientation="6", or as an element, <tiff:Orientation>6</tiff:Orientation>.
// A packet may have another prefix for a namespace, and an element may wrap its value: <rdf:value>6</rdf:value>.
#include "metadata/xmp.hpp"

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "report/names.hpp"

namespace gpuhisto {
namespace {

constexpr std::string_view kSpace = " \t\r\n", kDigits = "0123456789", kEndsName = " \t\r\n\"'=<>/:";

std::string_view text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The word that ends at `end`.
std::string_view word_before(std::string_view text, std::size_t end) {
  const std::string_view before = text.substr(0, end);
  const std::size_t begin = before.find_last_of(kEndsName);
  return before.substr(begin == before.npos ? 0 : begin + 1);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t last = text.find_last_not_of(kSpace);
  return text.substr(0, last == text.npos ? 0 : last + 1);
}

using Prefixes = std::set<std::string, std::less<>>;

/// The usual prefix of a namespace, and those that the packet declares: xmlns:t="http://ns.adobe.com/tiff/1.0/".
Prefixes prefixes_of(std::string_view text, std::string_view usual, std::string_view space) {
  Prefixes prefixes{std::string(usual)};
  for (std::size_t at = text.find(space); at != text.npos; at = text.find(space, at + 1)) {
    std::string_view before = text.substr(0, at);
    if (!before.ends_with('"') && !before.ends_with('\'')) continue;
    before = trimmed(before.substr(0, at - 1));
    if (!before.ends_with('=')) continue;
    before = trimmed(before.substr(0, before.size() - 1));
    const std::string_view prefix = word_before(before, before.size());
    if (before.substr(0, before.size() - prefix.size()).ends_with("xmlns:")) prefixes.emplace(prefix);
  }
  return prefixes;
}

/// A property's name with the colon before it: ":Orientation".
struct Property {
  const Prefixes& prefixes;
  std::string_view name;
};

/// Where the content begins, of the element whose start tag goes on at `at`.
std::size_t content_at(std::string_view text, std::size_t at) {
  const std::size_t end = text.find_first_of("<>", at);
  if (end == text.npos || text[end] != '>' || text[end - 1] == '/') return text.npos;
  return text.find_first_not_of(kSpace, end + 1);
}

/// Where the value begins, of the property whose colon is at `at`.
std::size_t value_at(std::string_view text, const Property& property, std::size_t at) {
  const std::string_view prefix = word_before(text, at);
  if (!property.prefixes.contains(prefix)) return text.npos;
  const std::size_t end = at + property.name.size(), behind = text.find_first_not_of(kSpace, end);
  if (behind == text.npos) return text.npos;
  if (text[behind] == '=') {
    const std::size_t quote = text.find_first_not_of(kSpace, behind + 1);
    if (quote == text.npos || (text[quote] != '"' && text[quote] != '\'')) return text.npos;
    return text.find_first_not_of(kSpace, quote + 1);
  }
  const bool whole_name = behind > end || text[end] == '>';
  if (!whole_name || !text.substr(0, at - prefix.size()).ends_with('<')) return text.npos;
  constexpr int kMostWraps = 2;  // <rdf:Description><rdf:value>
  std::size_t value = content_at(text, end);
  for (int i = 0; i < kMostWraps && value != text.npos && text.substr(value).starts_with("<rdf:"); ++i)
    value = content_at(text, value + 1);
  return value;
}

/// Where the number lies that the property has at or behind `from`.
struct Found {
  std::size_t at = std::string_view::npos, count = 0;
};
Found find_number(std::string_view text, const Property& property, std::size_t from) {
  for (std::size_t at = text.find(property.name, from); at != text.npos; at = text.find(property.name, at + 1)) {
    const std::size_t digits = value_at(text, property, at);
    if (digits == text.npos) continue;
    const std::size_t end = text.find_first_not_of(kDigits, digits);
    if (end != text.npos && end > digits) return {digits, end - digits};
  }
  return {};
}

/// In one pass: a packet may have the property a million times.
void set_all(std::vector<std::uint8_t>& packet, const Property& property, std::string_view value) {
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

/// By their names, which have one length, whatever form the values have.
void swap_resolutions(std::vector<std::uint8_t>& packet, const Prefixes& prefixes) {
  constexpr std::string_view kName = "Resolution";
  const std::string_view text = text_of(packet);
  for (std::size_t at = text.find(kName, 2); at != text.npos; at = text.find(kName, at + 1)) {
    const std::size_t end = at + kName.size();
    const bool one_of_both = text[at - 2] == ':' && (text[at - 1] == 'X' || text[at - 1] == 'Y');
    if (!one_of_both || end == text.size() || kEndsName.find(text[end]) == kEndsName.npos) continue;
    if (prefixes.contains(word_before(text, at - 2))) packet[at - 1] = text[at - 1] == 'X' ? 'Y' : 'X';
  }
}

}  // namespace

bool is_sound_xmp(std::span<const std::uint8_t> packet) {
  const std::string_view text = text_of(packet);
  return text.find('\0') == text.npos && is_utf8(text);
}

void fit_xmp(std::vector<std::uint8_t>& packet, const PixelChange& change) {
  const Prefixes tiff = prefixes_of(text_of(packet), "tiff", "http://ns.adobe.com/tiff/1.0/"),
                 exif = prefixes_of(text_of(packet), "exif", "http://ns.adobe.com/exif/1.0/");
  // The video behind a photo's pixels is carried by no output.
  const Prefixes camera = prefixes_of(text_of(packet), "GCamera", "http://ns.google.com/photos/1.0/camera/");
  for (const std::string_view name : {":MotionPhoto", ":MicroVideo"}) set_all(packet, {camera, name}, "0");
  if (change.upright) set_all(packet, {tiff, ":Orientation"}, "1");
  if (change.swapped_axes) swap_resolutions(packet, tiff);
  if (change.width == 0) return;
  const std::string width = std::to_string(change.width), height = std::to_string(change.height);
  set_all(packet, {tiff, ":ImageWidth"}, width);
  set_all(packet, {exif, ":PixelXDimension"}, width);
  set_all(packet, {tiff, ":ImageLength"}, height);
  set_all(packet, {exif, ":PixelYDimension"}, height);
}

}  // namespace gpuhisto
