// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/jpeg_metadata.hpp"

#include <algorithm>
#include <utility>

#include "codecs/jpeg_session.hpp"
#include "metadata/limits.hpp"

namespace gpuhisto {
namespace {

constexpr int kApp1 = JPEG_APP0 + 1, kApp2 = JPEG_APP0 + 2, kApp13 = JPEG_APP0 + 13;
constexpr std::size_t kIccNumbers = 2;  // behind its head: which segment of how many

using Bytes = std::vector<std::uint8_t>;

bool begins(std::span<const std::uint8_t> bytes, std::string_view text) {
  return bytes.size() >= text.size() &&
         std::equal(text.begin(), text.end(), bytes.begin(),
                    [](char c, std::uint8_t byte) { return static_cast<std::uint8_t>(c) == byte; });
}

/// The rest of a segment behind `head` bytes, in place.
Bytes without_head(Bytes segment, std::size_t head) {
  segment.erase(segment.begin(), segment.begin() + static_cast<std::ptrdiff_t>(head));
  return segment;
}

/// A profile's segments, which are numbered; empty where one is missing or there twice.
Bytes joined_profile(std::vector<Bytes>& segments) {
  const auto number = [](const Bytes& segment) { return segment[kJpegIccHead.size()]; };
  std::stable_sort(segments.begin(), segments.end(),
                   [&](const Bytes& a, const Bytes& b) { return number(a) < number(b); });
  Bytes profile;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Bytes& segment = segments[i];
    if (number(segment) != i + 1 || segment[kJpegIccHead.size() + 1] != segments.size()) return {};
    profile.insert(profile.end(), segment.begin() + kJpegIccHead.size() + kIccNumbers, segment.end());
  }
  return profile;
}

}  // namespace

JpegSegmentKind jpeg_segment_kind(int marker, std::span<const std::uint8_t> payload) {
  using Kind = JpegSegmentKind;
  if (marker == JPEG_COM) return Kind::kComment;
  if (marker == kApp13) return begins(payload, {"Photoshop 3.0\0", 14}) ? Kind::kIptc : Kind::kOther;
  if (marker == kApp2) {
    if (begins(payload, kJpegIccHead) && payload.size() >= kJpegIccHead.size() + kIccNumbers) return Kind::kIcc;
    return begins(payload, {"MPF\0", 4}) ? Kind::kMultiPicture : Kind::kOther;
  }
  if (marker != kApp1) return Kind::kOther;
  // The byte behind "Exif\0" is padding.
  if (begins(payload, kJpegExifHead.substr(0, 5)) && payload.size() >= kJpegExifHead.size()) return Kind::kExif;
  if (begins(payload, kJpegXmpHead)) return Kind::kXmp;
  return begins(payload, "http://ns.adobe.com/xmp/extension/") ? Kind::kExtendedXmp : Kind::kOther;
}

std::string_view jpeg_segment_name(JpegSegmentKind kind) {
  switch (kind) {
    case JpegSegmentKind::kExif:
      return "EXIF";
    case JpegSegmentKind::kXmp:
      return "XMP";
    case JpegSegmentKind::kExtendedXmp:
      return "extended XMP";
    case JpegSegmentKind::kIcc:
      return "ICC profile";
    case JpegSegmentKind::kMultiPicture:
      return "further pictures";
    case JpegSegmentKind::kIptc:
      return "IPTC";
    case JpegSegmentKind::kComment:
      return "comment";
    default:
      return "";
  }
}

Metadata take_metadata(JpegSegments& segments, std::size_t limit) {
  Metadata metadata;
  std::vector<Bytes> profile;
  for (MetadataBlock& block : std::exchange(segments.kept, {})) {
    if (segments.beyond.contains(block.name)) continue;
    switch (jpeg_segment_kind(static_cast<int>(block.type), block.bytes)) {
      case JpegSegmentKind::kExif:
        if (metadata.exif.empty()) metadata.exif = without_head(std::move(block.bytes), kJpegExifHead.size());
        break;
      case JpegSegmentKind::kXmp:
        if (metadata.xmp.empty()) metadata.xmp = without_head(std::move(block.bytes), kJpegXmpHead.size());
        break;
      case JpegSegmentKind::kIcc:
        profile.push_back(std::move(block.bytes));
        break;
      case JpegSegmentKind::kMultiPicture:
        metadata.lose(block.name);
        break;
      default:
        metadata.jpeg_segments.push_back(std::move(block));
    }
  }
  metadata.icc = joined_profile(profile);
  if (!profile.empty() && metadata.icc.empty()) metadata.lose("ICC profile", "damaged");
  for (const std::string& name : segments.beyond) metadata.lose(name, beyond_limit(limit));
  return metadata;
}

}  // namespace gpuhisto
