// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Names are bytes: what makes them fit for terminals and for JSON.
#include "report/names.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "gpuhisto/report.hpp"

namespace gpuhisto {
namespace {

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Controls (C0, DEL, C1), line separators, the marks that reorder the text around them, and what takes no room and
/// joins no letters.
bool is_unsafe(char32_t code) {
  constexpr std::pair<char32_t, char32_t> kRanges[] = {
      {0, 0x1f},        {0x7f, 0x9f},     {0xad, 0xad},     {0x34f, 0x34f},    {0x61c, 0x61c},   {0x115f, 0x1160},
      {0x180e, 0x180e}, {0x200b, 0x200b}, {0x200e, 0x200f}, {0x2028, 0x202e},  {0x2060, 0x206f}, {0x3164, 0x3164},
      {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff9, 0xfffb}, {0xe0000, 0xe01ef}};
  return std::any_of(std::begin(kRanges), std::end(kRanges),
                     [code](const auto& range) { return range.first <= code && code <= range.second; });
}

}  // namespace

Utf8Step utf8_step(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {1, lead, true};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  const Utf8Step bad{1, lead, false};
  if (lead < 0xc2 || lead > 0xf4 || at + length > text.size()) return bad;
  char32_t code = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return bad;
    code = code << 6 | (byte(i) & 0x3fu);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return bad;
  return {length, code, true};
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Step step = utf8_step(text, at);
    if (!step.valid) return false;
    at += step.bytes;
  }
  return true;
}

std::string printable_name(const std::string& bytes) {
  std::string doubled;
  for (const char c : bytes) doubled.append(c == '\\' ? 2 : 1, c);
  return printable_text(doubled);
}

std::string printable_text(const std::string& bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string result;
  for (std::size_t at = 0; at < bytes.size();) {
    const Utf8Step step = utf8_step(bytes, at);
    if (step.valid && !is_unsafe(step.code)) {
      result.append(bytes, at, step.bytes);
    } else {
      for (std::size_t i = 0; i < step.bytes; ++i) {
        const auto byte = static_cast<unsigned char>(bytes[at + i]);
        result += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
      }
    }
    at += step.bytes;
  }
  return result;
}

std::string utf8_name(const std::string& bytes) {
  std::string result;
  for (std::size_t at = 0; at < bytes.size();) {
    const Utf8Step step = utf8_step(bytes, at);
    if (step.valid)
      result.append(bytes, at, step.bytes);
    else
      result += "\xef\xbf\xbd";
    at += step.bytes;
  }
  return result;
}

std::string to_base64(std::string_view bytes) {
  std::string result;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view group = bytes.substr(at, 3);
    unsigned bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i) result += i <= group.size() ? kBase64[bits >> (18 - 6 * i) & 63] : '=';
  }
  return result;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); at += 4) {
    unsigned bits = 0;
    std::size_t digits = 0;
    for (const char c : text.substr(at, 4)) {
      const std::size_t digit = kBase64.find(c);
      if (digit == kBase64.npos) break;
      bits |= static_cast<unsigned>(digit) << (18 - 6 * digits++);
    }
    for (std::size_t i = 1; i < digits; ++i) result += static_cast<char>(bits >> (24 - 8 * i) & 0xff);
  }
  if (to_base64(result) != text) return std::nullopt;
  return result;
}

}  // namespace gpuhisto
