// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/png_metadata.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "codecs/byte_fields.hpp"
#include "codecs/png_chunks.hpp"
#include "metadata/exif.hpp"
#include "metadata/limits.hpp"

namespace gpuhisto {
namespace {

using Bytes = std::span<const std::uint8_t>;
using Buffer = std::vector<std::uint8_t>;

constexpr std::uint32_t kProfile = png_chunk_type("iCCP"), kExif = png_chunk_type("eXIf"),
                        kResolution = png_chunk_type("pHYs"), kText = png_chunk_type("tEXt"),
                        kPackedText = png_chunk_type("zTXt"), kUnicodeText = png_chunk_type("iTXt"),
                        kGamma = png_chunk_type("gAMA"), kPrimaries = png_chunk_type("cHRM"),
                        kSrgb = png_chunk_type("sRGB"), kCodePoints = png_chunk_type("cICP");
constexpr std::array kKept = {kProfile,     kExif,  kResolution, kText, kPackedText,
                              kUnicodeText, kGamma, kPrimaries,  kSrgb, kCodePoints};

/// In a chunk's numbers. Without any such chunk an image is taken for sRGB anyway.
constexpr std::uint32_t kSrgbGamma = 45455;
constexpr std::array<std::uint32_t, 8> kSrgbPrimaries = {31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000};
constexpr std::array<std::uint8_t, 4> kSrgbCodePoints = {1, 13, 0, 1};

/// What is lost where the chunk is.
const char* name_of(std::uint32_t type, Bytes payload) {
  switch (type) {
    case kProfile:
      return "ICC profile";
    case kExif:
      return "EXIF";
    case kResolution:
      return "resolution";
    case kGamma:
      return "gamma";
    case kPrimaries:
      return "primaries";
    case kSrgb:
    case kCodePoints:
      return "color space";
    default:
      return is_png_xmp(type, payload) ? "XMP" : "text";
  }
}

bool says_srgb(std::uint32_t type, Bytes payload) {
  if (type == kGamma) return u32be(payload, 0) == kSrgbGamma;
  if (type == kCodePoints)
    return std::equal(payload.begin(), payload.end(), kSrgbCodePoints.begin(), kSrgbCodePoints.end());
  if (type != kPrimaries) return type == kSrgb;
  for (std::size_t i = 0; i < kSrgbPrimaries.size(); ++i)
    if (u32be(payload, 4 * i) != kSrgbPrimaries[i]) return false;
  return true;
}

bool is_of_color(std::uint32_t type) {
  return type == kGamma || type == kPrimaries || type == kSrgb || type == kCodePoints;
}

/// Bytes of its payload, where each such chunk has as many; else 0.
std::size_t fixed_size(std::uint32_t type) {
  return type == kGamma || type == kCodePoints ? 4 : type == kPrimaries ? 32 : type == kSrgb ? 1 : 0;
}

/// The part behind the next NUL; empty without one.
Bytes behind_nul(Bytes bytes) {
  const auto nul = std::find(bytes.begin(), bytes.end(), std::uint8_t{0});
  return nul == bytes.end() ? Bytes{} : bytes.subspan(static_cast<std::size_t>(nul - bytes.begin()) + 1);
}

bool is_text(std::uint32_t type) { return type == kText || type == kPackedText || type == kUnicodeText; }

/// A keyword of 1 to 79 bytes, ended by NUL; behind that, where the rest is always compressed, a known method.
bool has_keyword(std::uint32_t type, Bytes payload) {
  constexpr std::ptrdiff_t kMostBytes = 79;
  const auto end = std::find(payload.begin(), payload.end(), std::uint8_t{0});
  if (end == payload.begin() || end == payload.end() || end - payload.begin() > kMostBytes) return false;
  return (type != kPackedText && type != kProfile) || (end + 1 != payload.end() && end[1] == 0);
}

/// Readers ignore a chunk that is not.
bool is_sound(std::uint32_t type, Bytes payload) {
  constexpr std::uint32_t kMostNumber = 0x7FFFFFFF;
  constexpr unsigned kRenderingIntents = 4;
  if (is_text(type) || type == kProfile) return has_keyword(type, payload);
  if (fixed_size(type) != 0 && payload.size() != fixed_size(type)) return false;
  if (type == kGamma) return u32be(payload, 0) > 0 && u32be(payload, 0) <= kMostNumber;
  return type != kSrgb || payload[0] < kRenderingIntents;
}

enum class Inflated { kWhole, kDamaged, kTooLong };

/// A zlib stream of at most `most` bytes.
Inflated inflate_up_to(Bytes stream, std::size_t most, Buffer& to) {
  constexpr std::size_t kStep = 64 * 1024;
  z_stream z{};
  if (inflateInit(&z) != Z_OK) return Inflated::kDamaged;
  // zlib's input is not const, but only read. A chunk's length is below 2^31.
  z.next_in = const_cast<Bytef*>(stream.data());
  z.avail_in = static_cast<uInt>(stream.size());
  int status = Z_OK;
  while (status == Z_OK && to.size() < most) {
    const std::size_t before = to.size(), step = std::min(kStep, most - before);
    to.resize(before + step);
    z.next_out = to.data() + before;
    z.avail_out = static_cast<uInt>(step);
    status = ::inflate(&z, Z_NO_FLUSH);
    to.resize(before + step - z.avail_out);
  }
  inflateEnd(&z);
  if (status == Z_STREAM_END) return Inflated::kWhole;
  to.clear();
  return status == Z_OK ? Inflated::kTooLong : Inflated::kDamaged;
}

}  // namespace

bool is_png_xmp(std::uint32_t type, Bytes payload) {
  constexpr std::string_view kKeyword("XML:com.adobe.xmp\0", 18);
  return type == kUnicodeText && payload.size() >= kKeyword.size() &&
         std::equal(kKeyword.begin(), kKeyword.end(), payload.begin(),
                    [](char c, std::uint8_t byte) { return static_cast<std::uint8_t>(c) == byte; });
}

bool is_png_text_of_orientation(std::uint32_t type, Bytes payload) {
  constexpr std::array<std::string_view, 6> kKeywords = {"raw profile type exif", "raw profile type app1",
                                                         "raw profile type xmp",  "exif:orientation",
                                                         "tiff:orientation",      "xml:com.adobe.xmp"};
  if (!is_text(type)) return false;
  std::string keyword(payload.begin(), std::find(payload.begin(), payload.end(), std::uint8_t{0}));
  for (char& c : keyword)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return std::find(kKeywords.begin(), kKeywords.end(), keyword) != kKeywords.end();
}

bool PngMetadata::wants(std::uint32_t type) const {
  const bool is_metadata = std::find(kKept.begin(), kKept.end(), type) != kKept.end();
  return limit_ > 0 && is_metadata && std::find(had_.begin(), had_.end(), type) == had_.end();
}

/// Readers take the first of a kind, be it of use or not: a file may have many that inflate to much.
void PngMetadata::note_had(std::uint32_t type) {
  if (!is_text(type)) had_.push_back(type);
}

void PngMetadata::lose_damaged(std::uint32_t type, Bytes payload) { metadata_.lose(name_of(type, payload), "damaged"); }

void PngMetadata::lose_beyond(std::uint32_t type, Bytes payload) {
  note_had(type);
  metadata_.lose(name_of(type, payload), beyond_limit(limit_));
}

void PngMetadata::add(std::uint32_t type, Buffer payload) {
  note_had(type);
  if (!is_sound(type, payload)) return lose_damaged(type, payload);
  if (type == kProfile) return add_profile(payload);
  if (type == kResolution) return add_resolution(payload);
  if (is_png_xmp(type, payload)) return add_xmp(payload);
  if (type != kExif) {
    const char* const name = name_of(type, payload);
    bytes_ += payload.size() + kBlockCost;
    metadata_.png_chunks.push_back(
        {type, is_of_color(type) && says_srgb(type, payload) ? "" : name, std::move(payload)});
  } else {
    bytes_ += payload.size();
    metadata_.exif.assign(payload.begin() + static_cast<std::ptrdiff_t>(exif_head_bytes(payload)), payload.end());
  }
}

/// A name, the method of compression, the profile.
void PngMetadata::add_profile(Bytes payload) { inflate(behind_nul(payload).subspan(1), metadata_.icc, "ICC profile"); }

/// A keyword, whether it is compressed and how, language, translated keyword, the text.
void PngMetadata::add_xmp(Bytes payload) {
  const Bytes rest = behind_nul(payload);
  if (std::exchange(has_xmp_, true)) return;
  if (rest.size() < 2 || rest[0] > 1 || rest[1] != 0) return lose_damaged(kUnicodeText, payload);
  const Bytes text = behind_nul(behind_nul(rest.subspan(2)));
  if (rest[0] == 1) return inflate(text, metadata_.xmp, "XMP");
  bytes_ += text.size();
  metadata_.xmp.assign(text.begin(), text.end());
}

void PngMetadata::inflate(Bytes stream, Buffer& to, const char* name) {
  const Inflated result = inflate_up_to(stream, room(), to);
  bytes_ += to.size();
  if (result == Inflated::kDamaged) metadata_.lose(name, "damaged");
  if (result == Inflated::kTooLong) metadata_.lose(name, beyond_limit(limit_));
}

void PngMetadata::add_resolution(Bytes payload) {
  const double x = u32be(payload, 0), y = u32be(payload, 4);
  if (payload.size() != 9 || payload[8] > 1 || x == 0 || y == 0) return lose_damaged(kResolution, payload);
  if (payload[8] == 1) metadata_.resolution = {x, y, Resolution::Unit::kMetre};
  if (payload[8] == 0 && x != y) metadata_.resolution = {x, y, Resolution::Unit::kNone};
}

Metadata PngMetadata::take() {
  std::vector<MetadataBlock>& chunks = metadata_.png_chunks;
  // They overrule gamma and primaries, which are for readers that know no better.
  const bool better =
      !metadata_.icc.empty() || std::any_of(chunks.begin(), chunks.end(), [](const MetadataBlock& chunk) {
        return chunk.type == kSrgb || chunk.type == kCodePoints;
      });
  for (MetadataBlock& chunk : chunks)
    if (better && (chunk.type == kGamma || chunk.type == kPrimaries)) chunk.name.clear();
  return std::exchange(metadata_, {});
}

}  // namespace gpuhisto
