// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gpuhisto {

/// Occurrences of each byte. At most 2^32 - 1 bytes.
using ByteCounts = std::array<std::uint32_t, 256>;
ByteCounts count_bytes(std::span<const std::uint8_t> bytes);

/// Shannon's bound in bytes: what an ideal code for single bytes would need, without its table.
double entropy_bytes(const ByteCounts& counts);

/// The order in which a dynamic block's header sends the code of its lengths (RFC 1951, 3.2.7).
inline constexpr std::array<std::uint8_t, 19> kCodeLengthOrder = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                                  11, 4,  12, 3, 13, 2, 14, 1, 15};

/// Lengths of an optimal prefix code (Moffat and Katajainen, "In-place calculation of minimum-redundancy codes", 1995),
/// cut to `limit` bits by moving leaves until Kraft's sum is 1. Counts of 0 get length 0; at least two counts must be >
/// 0.
void make_code_lengths(std::span<const std::uint32_t> counts, int limit, std::span<std::uint8_t> lengths);
/// Deflate's canonical codes (RFC 1951, 3.2.2), bits reversed so that the first one is sent first.
void make_codes(std::span<const std::uint8_t> lengths, std::span<std::uint16_t> codes);

/// Appends one deflate block that is not final and has no matches, only Huffman-coded bytes (stored ones where no code
/// helps), and ends at a byte boundary. It must begin at one. `bytes` are counted in `counts`; 1 to 65535 of them.
void append_literal_block(std::span<const std::uint8_t> bytes, const ByteCounts& counts,
                          std::vector<std::uint8_t>& out);

/// Appends the end of a block whose last byte has `free_bits` bits left, all 0: an empty stored block up to a byte
/// boundary.
void append_alignment(unsigned free_bits, std::vector<std::uint8_t>& out);

}  // namespace gpuhisto
