// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "metadata/icc.hpp"

#include <string_view>

#include "codecs/byte_fields.hpp"
#include "gpuhisto/image.hpp"

namespace gpuhisto {
namespace {

constexpr std::size_t kHeaderBytes = 128, kTagBytes = 12;

std::string_view signature(std::span<const std::uint8_t> profile, std::size_t at) {
  return {reinterpret_cast<const char*>(profile.data()) + at, 4};
}

/// The header, and a table of tags that lie within the profile.
bool is_sound(std::span<const std::uint8_t> profile) {
  if (profile.size() < kHeaderBytes + 4 || u32be(profile, 0) != profile.size() || signature(profile, 36) != "acsp")
    return false;
  const std::uint64_t tags = u32be(profile, kHeaderBytes);
  if (tags > (profile.size() - kHeaderBytes - 4) / kTagBytes) return false;
  for (std::uint64_t i = 0; i < tags; ++i) {
    const std::uint64_t entry = kHeaderBytes + 4 + i * kTagBytes;
    const std::uint64_t at = u32be(profile, entry + 4), bytes = u32be(profile, entry + 8);
    if (at > profile.size() || bytes > profile.size() - at) return false;
  }
  return true;
}

/// "RGB", "gray", "CMYK", "Lab": a color space's signature as people write it.
std::string space_name(std::string_view space) {
  if (space == "GRAY") return "gray";
  std::string name;
  for (const char c : space) {
    if (c < ' ' || c > '~') return "unknown";
    name += c;
  }
  while (!name.empty() && name.back() == ' ') name.pop_back();
  return name;
}

}  // namespace

std::string icc_objection(std::span<const std::uint8_t> profile, int channels) {
  if (!is_sound(profile)) return "damaged";
  const std::string_view space = signature(profile, 16), wanted = has_color(channels) ? "RGB " : "GRAY";
  return space == wanted ? "" : "of " + space_name(space) + " pixels";
}

}  // namespace gpuhisto
