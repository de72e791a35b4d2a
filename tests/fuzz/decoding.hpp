// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/decoder.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto::fuzz {

/// Within these no input takes long.
inline constexpr DecodeOptions kLimits = {.max_pixels = 1 << 18, .max_memory = 1 << 25};

/// A few bytes a read and of unknown size, as from a slow pipe.
class ShortReads : public ByteSource {
 public:
  explicit ShortReads(Bytes bytes) : bytes_(bytes) {}

 protected:
  std::size_t read_some(std::uint8_t* to, std::size_t count) override {
    const std::size_t n = std::min({count, bytes_.size(), std::size_t{61}});
    std::copy_n(bytes_.begin(), n, to);
    bytes_ = bytes_.subspan(n);
    return n;
  }

 private:
  Bytes bytes_;
};

/// What became of decoding a file: the rows, as far as they were given, and how it ended.
struct Outcome {
  ImageInfo info;
  std::vector<std::uint8_t> rows;  ///< without gaps
  Flags flags;
  std::optional<ErrorKind> error;
};

inline Outcome decode(ByteSource& source, bool tolerate, std::size_t rows_a_call) {
  Outcome outcome;
  DecodeOptions options = kLimits;
  options.tolerate_damage = options.keep_metadata = tolerate;
  try {
    const auto decoder = open_decoder(source, options);
    outcome.info = decoder->info();
    const auto row_bytes = static_cast<std::size_t>(outcome.info.width) * static_cast<unsigned>(outcome.info.channels);
    std::vector<std::uint8_t> strip(row_bytes * rows_a_call);
    while (const std::size_t got = decoder->read_rows(strip.data(), row_bytes, rows_a_call)) {
      require(got <= rows_a_call, "no more rows than were asked for");
      const auto end = strip.begin() + static_cast<std::ptrdiff_t>(got * row_bytes);
      outcome.rows.insert(outcome.rows.end(), strip.begin(), end);
    }
    outcome.flags = decoder->flags();
    require(outcome.flags.any() == !decoder->notes().empty(), "each flag has its note");
  } catch (const Error& error) {
    outcome.error = error.kind();
  }
  return outcome;
}

}  // namespace gpuhisto::fuzz
