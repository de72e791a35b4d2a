// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <memory>

#include "codecs/codec.hpp"

namespace gpuhisto {

/// A decoder for the ordinary small PNG: a file of known size, at most 1 MiB, that keeps every rule and holds at most
/// 4 MiB of pixels of 8 bits a sample, neither interlaced nor with a palette or tRNS. Inflated in one go by libdeflate,
/// which takes well under half of libpng's time.
///
/// Null for any other file, with nothing consumed: libpng reads those, and is the judge of what is odd or damaged.
std::unique_ptr<Decoder> open_small_png(ByteSource& source, const DecodeOptions& options);

}  // namespace gpuhisto
