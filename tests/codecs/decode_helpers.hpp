// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "gpuhisto/decoder.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto::testing {

using Bytes = std::vector<std::uint8_t>;

inline Bytes bytes_of(const std::string& text) { return Bytes(text.begin(), text.end()); }
inline Bytes cut(const Bytes& bytes, std::size_t size) {
  return Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
}
inline Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Gives at most `step` bytes a read, as a slow pipe does.
class TrickleSource : public ByteSource {
 public:
  TrickleSource(const Bytes& bytes, std::size_t step) : bytes_(bytes), step_(step) {}

 protected:
  std::size_t read_some(std::uint8_t* to, std::size_t count) override {
    const std::size_t n = std::min({count, step_, bytes_.size() - at_});
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(at_), n, to);
    at_ += n;
    return n;
  }

 private:
  const Bytes& bytes_;
  std::size_t step_, at_ = 0;
};

struct Decoded {
  ImageInfo info;
  Flags flags;
  std::vector<std::string> notes;
  Metadata metadata;
  Bytes pixels;  ///< rows without gaps
  std::uint64_t rows = 0;
};

/// Decodes with `rows_a_call` rows a call into rows with a gap, and checks that the gap stays untouched.
inline Decoded decode(ByteSource& source, const DecodeOptions& options = {}, std::size_t rows_a_call = 3,
                      std::size_t gap = 5) {
  constexpr std::uint8_t kPoison = 0xA5;
  const auto decoder = open_decoder(source, options);
  Decoded result;
  result.info = decoder->info();
  const std::size_t size = static_cast<std::size_t>(result.info.width) * static_cast<std::size_t>(result.info.channels);
  Bytes strip((size + gap) * rows_a_call);
  for (;;) {
    std::fill(strip.begin(), strip.end(), kPoison);
    const std::size_t got = decoder->read_rows(strip.data(), size + gap, rows_a_call);
    if (got == 0) break;
    for (std::size_t y = 0; y < got; ++y) {
      const auto row = strip.begin() + static_cast<std::ptrdiff_t>(y * (size + gap));
      result.pixels.insert(result.pixels.end(), row, row + static_cast<std::ptrdiff_t>(size));
      for (std::size_t i = 0; i < gap; ++i) EXPECT_EQ(row[static_cast<std::ptrdiff_t>(size + i)], kPoison);
    }
    result.rows += got;
  }
  EXPECT_EQ(decoder->read_rows(strip.data(), size + gap, rows_a_call), 0u);
  result.flags = decoder->flags();
  result.notes = decoder->notes();
  result.metadata = decoder->take_metadata();
  return result;
}

inline DecodeOptions keeping_metadata() {
  DecodeOptions options;
  options.keep_metadata = true;
  return options;
}

inline Decoded decode(const Bytes& bytes, const DecodeOptions& options = {}) {
  const auto source = open_memory(bytes);
  Decoded result = decode(*source, options);
  return result;
}

/// The kind of the error that decoding `bytes` ends with, and its text; "" for none.
struct Failure {
  bool failed = false;
  ErrorKind kind = ErrorKind::kInput;
  std::string text;
};
inline Failure failure_of(const Bytes& bytes, const DecodeOptions& options = {}) {
  try {
    decode(bytes, options);
    return {};
  } catch (const Error& error) {
    return {true, error.kind(), error.what()};
  }
}

/// The same rows whatever the size of the reads, of the calls and of the gap between rows.
inline void expect_same_in_every_way(const Bytes& bytes) {
  const Decoded whole = decode(bytes);
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{4096}}) {
    for (const std::size_t gap : {std::size_t{0}, std::size_t{3}}) {
      TrickleSource source(bytes, step);
      const Decoded other = decode(source, {}, 1 + step % 5, gap);
      EXPECT_EQ(other.pixels, whole.pixels) << "step " << step;
      EXPECT_EQ(other.rows, whole.info.height);
      EXPECT_EQ(other.notes, whole.notes);
    }
  }
}

/// Flips every bit of `bytes` once, and decodes: anything but a crash, a hang or an unknown exception will do.
inline void flip_every_bit(Bytes bytes) {
  DecodeOptions options;
  options.max_pixels = 1 << 20;
  options.max_memory = 1 << 26;
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    const auto mask = static_cast<std::uint8_t>(1u << bit % 8);
    bytes[bit / 8] ^= mask;
    options.tolerate_damage = bit % 2 != 0;
    try {
      decode(bytes, options);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()), "");
    }
    bytes[bit / 8] ^= mask;
  }
}

}  // namespace gpuhisto::testing
