// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Mutates PNG files and mostly repairs the checksums of their chunks: else hardly any would get beyond those.
#include <zlib.h>

#include <cstddef>
#include <cstdint>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

constexpr std::size_t kSignature = 8, kExtra = 12;  // of a chunk: length, type, checksum

std::size_t big_endian(const std::uint8_t* p) {
  return std::size_t{p[0]} << 24 | std::size_t{p[1]} << 16 | std::size_t{p[2]} << 8 | p[3];
}

void repair(std::uint8_t* data, std::size_t size) {
  for (std::size_t at = kSignature; at + kExtra <= size;) {
    const std::size_t length = big_endian(data + at);
    if (length > size - at - kExtra) return;
    const auto sum = ::crc32(0, data + at + 4, static_cast<uInt>(length + 4));
    for (std::size_t i = 0; i < 4; ++i) data[at + length + 8 + i] = static_cast<std::uint8_t>(sum >> (24 - 8 * i));
    at += length + kExtra;
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  const std::size_t mutated = LLVMFuzzerMutate(data, size, max_size);
  if (seed % 8 != 0) repair(data, mutated);
  return mutated;
}
