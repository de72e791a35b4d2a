// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/codec.hpp"
#include "codecs/codec_module.hpp"

namespace gpuhisto {

std::unique_ptr<Decoder> open_module_webp(ByteSource& source, const DecodeOptions& options) {
  return open_in_module(source, options, "WebP", "gpuhisto_open_webp");
}

}  // namespace gpuhisto
