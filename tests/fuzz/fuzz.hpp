// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// What the fuzz targets share. Each is one LLVMFuzzerTestOneInput(), linked with libFuzzer or with replay.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace gpuhisto::fuzz {

using Bytes = std::span<const std::uint8_t>;

inline Bytes bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// Ends the process where a promise is broken, so that the fuzzer keeps the input.
inline void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

/// Up to `most` parts of the bytes, cut at a separator.
inline std::vector<Bytes> parts_of(Bytes bytes, std::uint8_t separator, std::size_t most) {
  std::vector<Bytes> parts;
  for (auto begin = bytes.begin(); parts.size() < most;) {
    const auto end = std::find(begin, bytes.end(), separator);
    parts.emplace_back(begin, end);
    if (end == bytes.end()) break;
    begin = end + 1;
  }
  return parts;
}

/// Takes choices from the start of an input: zeros beyond its end. The rest is for the target.
class Choices {
 public:
  explicit Choices(Bytes bytes) : bytes_(bytes) {}

  /// 0 to count - 1, from one byte, or from two where one is too few.
  unsigned below(unsigned count) { return (count <= 256 ? byte() : byte() << 8 | byte()) % count; }
  bool flag() { return below(2) != 0; }
  Bytes rest() const { return bytes_; }

 private:
  unsigned byte() {
    if (bytes_.empty()) return 0;
    const unsigned value = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return value;
  }
  Bytes bytes_;
};

}  // namespace gpuhisto::fuzz
