// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>

#include "gpuhisto/decoder.hpp"
#include "gpuhisto/histogram.hpp"
#include "gpuhisto/image.hpp"

namespace gpuhisto {

/// Which mask chose the pixels: two are the same when what they choose is, wherever they lie.
struct MaskName {
  std::string name;    ///< as the user named it; any bytes
  std::string digest;  ///< SHA-256 of "WIDTHxHEIGHT", a NUL, and a byte a pixel, 255 where it counts and else 0
  /// By the digest alone.
  bool operator==(const MaskName& other) const { return digest == other.digest; }
};

/// An image that chooses pixels of others of its size.
struct Mask {
  Image image;  ///< one channel: 255 where a pixel counts, else 0
  std::string digest;
  bool empty = true;  ///< nothing counts
  Flags flags;
  std::vector<std::string> notes;  ///< of the decoder
};
/// Decodes an image as a mask: a pixel counts where one of its gray or colour channels is not zero; alpha plays no
/// part. Damage is an error, whatever the options say. Throws what open_decoder() throws, and Error(kUnsupported) for
/// more than 8 bits a sample: what is not zero there may be once it is reduced.
Mask read_mask(ByteSource& source, const DecodeOptions& options);

/// Throws Error(kInput), naming both sizes, when the mask has not the image's, or the rectangle reaches beyond it.
void check_selection(const PixelPredicate& predicate, const ImageInfo& info);

}  // namespace gpuhisto
