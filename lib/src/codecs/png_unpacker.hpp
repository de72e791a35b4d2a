// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gpuhisto {

/// Turns rows of 1, 2 or 4 bits a sample into bytes, by one table look-up a byte (libpng goes pixel by pixel: a
/// 65536 x 65536 scan of one bit takes a quarter of the time this way).
class PngUnpacker {
 public:
  enum class Values { kAsStored, kScaledTo255 };

  PngUnpacker(int bits, Values values);
  void unpack(const std::uint8_t* packed, std::uint8_t* to, std::size_t pixels) const;

 private:
  template <std::size_t PerByte>
  void unpack_by(const std::uint8_t* packed, std::uint8_t* to, std::size_t pixels) const;

  std::size_t per_byte_;
  std::array<std::array<std::uint8_t, 8>, 256> table_{};
};

}  // namespace gpuhisto
