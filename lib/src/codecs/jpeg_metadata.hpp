// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "gpuhisto/metadata.hpp"

namespace gpuhisto {

struct JpegSegments;

/// What segments of metadata begin with.
inline constexpr std::string_view kJpegExifHead("Exif\0\0", 6), kJpegXmpHead("http://ns.adobe.com/xap/1.0/\0", 29),
    kJpegIccHead("ICC_PROFILE\0", 12);

enum class JpegSegmentKind { kOther, kExif, kXmp, kExtendedXmp, kIcc, kMultiPicture, kIptc, kComment };
JpegSegmentKind jpeg_segment_kind(int marker, std::span<const std::uint8_t> payload);
/// "EXIF", "extended XMP", …
std::string_view jpeg_segment_name(JpegSegmentKind kind);

/// Puts the blocks together that the kept segments are parts of, and leaves no segment there. `limit` is what the
/// others were beyond.
Metadata take_metadata(JpegSegments& segments, std::size_t limit);

}  // namespace gpuhisto
