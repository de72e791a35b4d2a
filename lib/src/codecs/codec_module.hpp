// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <vector>

#include "gpuhisto/decoder.hpp"

namespace gpuhisto {

/// What gpuhisto_codecs.so asks of the program, so that it need not link the program's other decoders.
struct CodecHost {
  void (*check_pixels)(std::uint64_t width, std::uint64_t height, const DecodeOptions& options);
  void (*check_memory)(std::uint64_t bytes, const DecodeOptions& options);
};

/// The type of gpuhisto_open_tiff and gpuhisto_open_webp: a decoder of the whole file `file`, which it takes, owned by
/// the caller. Throws Error.
using OpenInModule = Decoder*(std::vector<std::uint8_t>& file, const DecodeOptions& options, const CodecHost& host);

/// Reads the rest of `source` and opens it with the function `symbol` of the module. Where there is no such module,
/// the Error(kUnsupported) says that `format` needs it.
std::unique_ptr<Decoder> open_in_module(ByteSource& source, const DecodeOptions& options, const char* format,
                                        const char* symbol);

}  // namespace gpuhisto
