// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/codec.hpp"
#include "codecs/codec_module.hpp"

namespace gpuhisto {

std::unique_ptr<Decoder> open_module_tiff(ByteSource& source, const DecodeOptions& options) {
  return open_in_module(source, options, "TIFF", "gpuhisto_open_tiff");
}

}  // namespace gpuhisto
