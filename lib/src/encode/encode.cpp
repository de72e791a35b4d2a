// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "encode/encoders.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {

void encode(const ImageView& image, Format format, const EncodeOptions& options, ByteSink& sink) {
  if (!can_write(format))
    throw Error(ErrorKind::kUnsupported,
                std::string(format_name(format)) + " cannot be written; png, jpeg, pnm, pam and bmp can");
  if (image.width == 0 || image.height == 0) throw Error(ErrorKind::kUsage, "an empty image cannot be written");
  if (image.channels < 1 || image.channels > 4) throw Error(ErrorKind::kUsage, "an image has 1 to 4 channels");
  if (has_alpha(image.channels) && !can_write_alpha(format))
    throw Error(ErrorKind::kUnsupported,
                std::string(format_name(format)) + " has no alpha channel; PNG and PAM have one");
  switch (format) {
    case Format::kPng:
      return encode_png(image, options, sink);
    case Format::kJpeg:
      return encode_jpeg(image, options, sink);
    case Format::kPnm:
      return encode_pnm(image, sink);
    case Format::kPam:
      return encode_pam(image, sink);
    default:
      return encode_bmp(image, options, sink);
  }
}

}  // namespace gpuhisto
