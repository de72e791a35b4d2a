// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "encode/deflate_piece.hpp"

#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>

#include "encode/literal_block.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

constexpr int kFastest = 1;
constexpr int kSmallLevel = 6;
constexpr std::size_t kSampleBytes = 8 * 1024;
constexpr double kWorthwhile = 0.95;  // matches are searched where they make the sample this much smaller
constexpr double kTableBytes = 60;    // of a literal block's code, about

[[noreturn]] void throw_no_memory() { throw Error(ErrorKind::kLimit, "not enough memory for the compressor"); }

// Reads bits from the front; zeros behind the end.
class BitReader {
 public:
  explicit BitReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  unsigned peek(unsigned count) const {  // count <= 16
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 3 && position_ / 8 + i < bytes_.size(); ++i)
      word |= std::uint32_t{bytes_[position_ / 8 + i]} << (8 * i);
    return word >> (position_ % 8) & ((1u << count) - 1);
  }
  unsigned take(unsigned count) {
    const unsigned value = peek(count);
    position_ += count;
    return value;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t position_ = 0;
};

// The code of the lengths as a table over the next seven bits; length 0 marks what is no code.
struct LengthCode {
  struct Entry {
    std::uint8_t symbol = 0, length = 0;
  };
  std::array<Entry, 128> entries{};

  explicit LengthCode(std::span<const std::uint8_t> lengths) {
    std::array<std::uint16_t, 19> codes{};
    make_codes(lengths, codes);
    for (std::size_t s = 0; s < lengths.size(); ++s)
      if (lengths[s] > 0)
        for (std::size_t i = codes[s]; i < entries.size(); i += std::size_t{1} << lengths[s])
          entries[i] = {static_cast<std::uint8_t>(s), lengths[s]};
  }
};

// The lengths of the literal and length code in a dynamic block's header, whose first three bits are already taken;
// empty when the header makes no sense.
std::vector<std::uint8_t> read_lengths(BitReader& bits) {
  const std::size_t literals = bits.take(5) + 257;
  bits.take(5);
  const std::size_t sent = bits.take(4) + 4;
  std::array<std::uint8_t, 19> own{};
  for (std::size_t i = 0; i < sent; ++i) own[kCodeLengthOrder[i]] = static_cast<std::uint8_t>(bits.take(3));
  const LengthCode code(own);
  std::vector<std::uint8_t> lengths;
  while (lengths.size() < literals) {
    const auto [symbol, length] = code.entries[bits.peek(7)];
    if (length == 0 || (symbol == 16 && lengths.empty())) return {};
    bits.take(length);
    if (symbol < 16)
      lengths.push_back(symbol);
    else if (symbol == 16)
      lengths.insert(lengths.end(), bits.take(2) + 3, std::uint8_t{lengths.back()});
    else
      lengths.insert(lengths.end(), symbol == 17 ? bits.take(3) + 3 : bits.take(7) + 11, std::uint8_t{0});
  }
  lengths.resize(literals);  // a run may reach into the distance code's lengths
  return lengths;
}

// How many bits at the end of the stream are 0.
std::size_t trailing_zeros(std::span<const std::uint8_t> stream) {
  std::size_t bytes = 0;
  while (bytes < stream.size() && stream[stream.size() - 1 - bytes] == 0) ++bytes;
  if (bytes == stream.size()) return bytes * 8;
  return bytes * 8 + static_cast<std::size_t>(std::countl_zero(stream[stream.size() - 1 - bytes]));
}

// Slow and always right: zlib ends a piece at a byte boundary itself.
void append_with_zlib(std::span<const std::uint8_t> piece, std::vector<std::uint8_t>& out) {
  z_stream stream{};
  constexpr int kRaw = -15, kMemory = 8;
  if (deflateInit2(&stream, kSmallLevel, Z_DEFLATED, kRaw, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) throw_no_memory();
  const std::size_t begin = out.size();
  out.resize(begin + deflateBound(&stream, static_cast<uLong>(piece.size())) + 16);
  stream.next_in = const_cast<Bytef*>(piece.data());
  stream.avail_in = static_cast<uInt>(piece.size());
  stream.next_out = out.data() + begin;
  stream.avail_out = static_cast<uInt>(out.size() - begin);
  const int result = deflate(&stream, Z_SYNC_FLUSH);
  const bool done = result == Z_OK && stream.avail_in == 0 && stream.avail_out > 0;
  out.resize(begin + stream.total_out);
  deflateEnd(&stream);
  if (!done) throw_no_memory();
}

}  // namespace

std::optional<std::size_t> end_of_single_block(std::span<const std::uint8_t> stream) {
  if (stream.empty()) return std::nullopt;
  BitReader bits(stream);
  if (bits.take(1) == 0) return std::nullopt;
  const unsigned type = bits.take(2);
  if (type == 0) return stream.size() * 8;
  if (type != 2) return std::nullopt;  // fixed codes end with zeros that nothing tells from the padding
  const auto lengths = read_lengths(bits);
  if (lengths.empty() || lengths[256] == 0) return std::nullopt;
  std::vector<std::uint16_t> codes(lengths.size());
  make_codes(lengths, codes);
  const unsigned code = codes[256];
  if (code == 0) return std::nullopt;
  // The code's first bit is its lowest, so the zeros above its highest 1 are its last bits.
  const auto own_zeros = static_cast<std::size_t>(lengths[256] - std::bit_width(code));
  return stream.size() * 8 - trailing_zeros(stream) + own_zeros;
}

void PieceCompressor::Free::operator()(libdeflate_compressor* compressor) const {
  libdeflate_free_compressor(compressor);
}

PieceCompressor::PieceCompressor() : compressor_(libdeflate_alloc_compressor(kFastest)) {
  if (!compressor_) throw_no_memory();
  scratch_.resize(libdeflate_deflate_compress_bound(compressor_.get(), kPieceBytes));
}

void PieceCompressor::append(std::span<const std::uint8_t> bytes, std::vector<std::uint8_t>& out) {
  const bool search = matches_pay(bytes);
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), kPieceBytes));
    bytes = bytes.subspan(piece.size());
    const ByteCounts counts = count_bytes(piece);
    // A code spends a bit on each byte at least: where one value is that frequent, runs are cheaper whatever the sample
    // says.
    const bool skewed = *std::max_element(counts.begin(), counts.end()) > piece.size() / 2;
    if (search || skewed)
      append_matches(piece, out);
    else
      append_literal_block(piece, counts, out);
  }
}

bool PieceCompressor::matches_pay(std::span<const std::uint8_t> bytes) {
  const std::size_t size = std::min(bytes.size(), kSampleBytes);
  const auto sample = bytes.subspan((bytes.size() - size) / 2, size);
  const std::size_t with =
      libdeflate_deflate_compress(compressor_.get(), sample.data(), sample.size(), scratch_.data(), scratch_.size());
  const double without = entropy_bytes(count_bytes(sample)) + kTableBytes;
  return with > 0 && static_cast<double>(with) < kWorthwhile * without;
}

void PieceCompressor::append_matches(std::span<const std::uint8_t> piece, std::vector<std::uint8_t>& out) {
  const std::size_t size =
      libdeflate_deflate_compress(compressor_.get(), piece.data(), piece.size(), scratch_.data(), scratch_.size());
  const auto end = end_of_single_block(std::span(scratch_).first(size));
  if (!end || (*end + 7) / 8 != size) return append_with_zlib(piece, out);
  scratch_[0] &= 0xfe;  // no longer the final block
  out.insert(out.end(), scratch_.begin(), scratch_.begin() + static_cast<std::ptrdiff_t>(size));
  if ((scratch_[0] & 6) != 0) append_alignment(static_cast<unsigned>(size * 8 - *end), out);
}

std::vector<std::uint8_t> compress_small(std::span<const std::uint8_t> bytes) {
  const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor(
      libdeflate_alloc_compressor(kSmallLevel), libdeflate_free_compressor);
  if (!compressor) throw_no_memory();
  std::vector<std::uint8_t> out(libdeflate_zlib_compress_bound(compressor.get(), bytes.size()));
  out.resize(libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(), out.data(), out.size()));
  return out;
}

}  // namespace gpuhisto
