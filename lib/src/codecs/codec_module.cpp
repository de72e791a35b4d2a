// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/codec_module.hpp"

#include "codecs/codec.hpp"
#include "gpuhisto/module.hpp"

namespace gpuhisto {
namespace {

OpenInModule* find(const char* format, const char* symbol) {
  try {
    return Module::open("gpuhisto_codecs").function<OpenInModule>(symbol);
  } catch (const Error& error) {
    throw Error(error.kind(), "to read " + std::string(format) + ": " + error.what());
  }
}

}  // namespace

std::unique_ptr<Decoder> open_in_module(ByteSource& source, const DecodeOptions& options, const char* format,
                                        const char* symbol) {
  OpenInModule* open = find(format, symbol);
  const CodecHost host{check_pixels, check_memory};
  std::vector<std::uint8_t> file = source.read_all(options.max_memory);
  return std::unique_ptr<Decoder>(open(file, options, host));
}

}  // namespace gpuhisto
