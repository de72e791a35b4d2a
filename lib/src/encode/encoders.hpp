// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "gpuhisto/encoder.hpp"

namespace gpuhisto {

/// One file per format; encode() has checked that the image is not empty and that its channels suit the format.
void encode_png(const ImageView& image, const EncodeOptions& options, ByteSink& sink);
void encode_jpeg(const ImageView& image, const EncodeOptions& options, ByteSink& sink);
void encode_pnm(const ImageView& image, ByteSink& sink);  // P5 or P6
void encode_pam(const ImageView& image, ByteSink& sink);
void encode_bmp(const ImageView& image, const EncodeOptions& options, ByteSink& sink);

}  // namespace gpuhisto
