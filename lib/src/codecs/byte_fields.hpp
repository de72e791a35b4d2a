// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gpuhisto {

// Whole numbers in a file. A field that the file is too short for reads as if 0 bytes followed.

inline std::uint32_t byte_at(std::span<const std::uint8_t> bytes, std::uint64_t at) {
  return at < bytes.size() ? bytes[static_cast<std::size_t>(at)] : 0u;
}
inline std::uint32_t u16le(std::span<const std::uint8_t> bytes, std::uint64_t at) {
  return byte_at(bytes, at) | byte_at(bytes, at + 1) << 8;
}
inline std::uint32_t u32le(std::span<const std::uint8_t> bytes, std::uint64_t at) {
  return u16le(bytes, at) | u16le(bytes, at + 2) << 16;
}
inline std::uint32_t u16be(std::span<const std::uint8_t> bytes, std::uint64_t at) {
  return byte_at(bytes, at) << 8 | byte_at(bytes, at + 1);
}
inline std::uint32_t u32be(std::span<const std::uint8_t> bytes, std::uint64_t at) {
  return u16be(bytes, at) << 16 | u16be(bytes, at + 2);
}

inline void put16le(std::vector<std::uint8_t>& to, std::uint32_t value) {
  to.push_back(static_cast<std::uint8_t>(value));
  to.push_back(static_cast<std::uint8_t>(value >> 8));
}
inline void put32le(std::vector<std::uint8_t>& to, std::uint32_t value) {
  put16le(to, value);
  put16le(to, value >> 16);
}
inline void put16be(std::vector<std::uint8_t>& to, std::uint32_t value) {
  to.push_back(static_cast<std::uint8_t>(value >> 8));
  to.push_back(static_cast<std::uint8_t>(value));
}
inline void put32be(std::vector<std::uint8_t>& to, std::uint32_t value) {
  put16be(to, value >> 16);
  put16be(to, value);
}

}  // namespace gpuhisto
