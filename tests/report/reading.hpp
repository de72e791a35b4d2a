// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Tables read from text.
#pragma once

#include <memory>
#include <string>

#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/report.hpp"

namespace gpuhisto {

inline std::unique_ptr<ByteSource> source_of(const std::string& text) {
  return open_memory({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

inline TableFile read(const std::string& text, std::uint64_t max_bytes = 1 << 24) {
  return read_tables(*source_of(text), max_bytes);
}

}  // namespace gpuhisto
