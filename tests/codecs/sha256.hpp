// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

namespace gpuhisto::testing {

/// SHA-256 (FIPS 180-4) of a text, in lower-case hexadecimal digits; for manifests that give digests of counts.
class Sha256 {
 public:
  static std::string of(std::string text) {
    Sha256 hash;
    const std::uint64_t bits = text.size() * 8;
    text += '\x80';
    text.append((120 - text.size() % 64) % 64, '\0');
    for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>(bits >> shift);
    for (std::size_t at = 0; at < text.size(); at += 64) hash.block(text.data() + at);
    std::string digits;
    for (const std::uint32_t word : hash.state_)
      for (int shift = 28; shift >= 0; shift -= 4) digits += "0123456789abcdef"[word >> shift & 15];
    return digits;
  }

 private:
  using Words = std::array<std::uint32_t, 64>;

  /// The first 32 bits of the fractional parts of the roots of the first primes.
  template <typename Root>
  static Words constants(Root root) {
    Words words{};
    std::size_t found = 0;
    for (unsigned n = 2; found < words.size(); ++n) {
      bool prime = true;
      for (unsigned d = 2; d * d <= n; ++d) prime &= n % d != 0;
      const long double r = root(static_cast<long double>(n));
      if (prime) words[found++] = static_cast<std::uint32_t>((r - std::floor(r)) * 4294967296.0L);
    }
    return words;
  }

  Sha256() : round_(constants([](long double n) { return std::cbrt(n); })) {
    const Words roots = constants([](long double n) { return std::sqrt(n); });
    for (std::size_t i = 0; i < state_.size(); ++i) state_[i] = roots[i];
  }

  void block(const char* text) {
    Words w{};
    for (std::size_t i = 0; i < 64; ++i) w[i / 4] = w[i / 4] << 8 | static_cast<std::uint8_t>(text[i]);
    for (std::size_t i = 16; i < 64; ++i)
      w[i] = w[i - 16] + w[i - 7] + (std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3) +
             (std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10);
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t i = 0; i < 64; ++i) {
      const std::uint32_t t1 =
          h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + round_[i] + w[i];
      const std::uint32_t t2 = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    const std::array<std::uint32_t, 8> added = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) state_[i] += added[i];
  }

  Words round_;
  std::array<std::uint32_t, 8> state_{};
};

}  // namespace gpuhisto::testing
