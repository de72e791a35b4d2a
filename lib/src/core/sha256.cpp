// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "core/sha256.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace gpuhisto {
namespace {

using Words = std::array<std::uint32_t, 64>;

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
Words round_constants() {
  Words words{};
  std::size_t found = 0;
  for (unsigned n = 2; found < words.size(); ++n) {
    bool prime = true;
    for (unsigned d = 2; d * d <= n; ++d) prime &= n % d != 0;
    const long double root = std::cbrt(static_cast<long double>(n));
    if (prime) words[found++] = static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0L);
  }
  return words;
}

}  // namespace

void Sha256::add(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t at = bytes_ % pending_.size();
    const std::size_t count = std::min(bytes.size(), pending_.size() - at);
    std::memcpy(pending_.data() + at, bytes.data(), count);
    bytes_ += count;
    bytes.remove_prefix(count);
    if (at + count == pending_.size()) block();
  }
}

std::string Sha256::digits() {
  const std::uint64_t bits = bytes_ * 8;
  std::string tail = "\x80";
  tail.append((119 - bytes_ % 64) % 64, '\0');
  for (int shift = 56; shift >= 0; shift -= 8) tail += static_cast<char>(bits >> shift);
  add(tail);
  std::string text;
  for (const std::uint32_t word : state_)
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 15];
  return text;
}

std::string Sha256::of(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.digits();
}

void Sha256::block() {
  static const Words kRound = round_constants();
  Words w{};
  for (std::size_t i = 0; i < 64; ++i) w[i / 4] = w[i / 4] << 8 | pending_[i];
  for (std::size_t i = 16; i < 64; ++i)
    w[i] = w[i - 16] + w[i - 7] + (std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3) +
           (std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10);
  auto [a, b, c, d, e, f, g, h] = state_;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t t1 =
        h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
    const std::uint32_t t2 = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const std::array<std::uint32_t, 8> added = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state_[i] += added[i];
}

}  // namespace gpuhisto
