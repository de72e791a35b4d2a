// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace gpuhisto {

/// SHA-256 (FIPS 180-4) of bytes that come piece by piece.
class Sha256 {
 public:
  void add(std::string_view bytes);
  /// 64 lower-case hexadecimal digits, as sha256sum prints them; the object is then used up.
  std::string digits();
  static std::string of(std::string_view bytes);

 private:
  void block();

  // The first 32 bits of the fractional parts of the square roots of the first eight primes.
  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> pending_{};
  std::uint64_t bytes_ = 0;
};

}  // namespace gpuhisto
