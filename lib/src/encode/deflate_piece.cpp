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
constexpr int kRunLevel = 4;  // of zlib
constexpr std::size_t kSampleBytes = 8 * 1024;
// Matches are searched where they make the sample this much smaller. On an equalised colour photo of 12 Mpix (libpng
// through OpenCV: 24.1 MB): 0.95 gives 17.8 MB in 310 ms, 0.85 19.0 in 260, 0.78 22.1 in 150, never 23.7 in 120 (one
// thread).
constexpr double kWorthwhile = 0.78;
constexpr double kTableBytes = 60;  // of a literal block's code, about

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

using Compressor = std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)>;

Compressor make_compressor(int level) {
  Compressor compressor(libdeflate_alloc_compressor(level), libdeflate_free_compressor);
  if (!compressor) throw_no_memory();
  return compressor;
}

// zlib ends its output at a byte boundary by itself. Its memory is kept, but touched only when it is used.
class ZlibStream {
 public:
  explicit ZlibStream(std::size_t most_at_once) : most_at_once_(most_at_once) {
    constexpr int kRaw = -15, kMemory = 8;
    if (deflateInit2(&stream_, kRunLevel, Z_DEFLATED, kRaw, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) throw_no_memory();
  }
  ~ZlibStream() { deflateEnd(&stream_); }
  ZlibStream(const ZlibStream&) = delete;
  ZlibStream& operator=(const ZlibStream&) = delete;

  void append(std::span<const std::uint8_t> bytes, std::vector<std::uint8_t>& out) {
    deflateReset(&stream_);
    // zlib counts bytes in 32 bits; a row may have more.
    for (; bytes.size() > most_at_once_; bytes = bytes.subspan(most_at_once_))
      deflate_all(bytes.first(most_at_once_), Z_NO_FLUSH, out);
    deflate_all(bytes, Z_SYNC_FLUSH, out);
  }

 private:
  void deflate_all(std::span<const std::uint8_t> bytes, int flush, std::vector<std::uint8_t>& out) {
    stream_.next_in = const_cast<Bytef*>(bytes.data());
    stream_.avail_in = static_cast<uInt>(bytes.size());
    std::array<std::uint8_t, 16 * 1024> buffer;
    do {
      stream_.next_out = buffer.data();
      stream_.avail_out = static_cast<uInt>(buffer.size());
      if (deflate(&stream_, flush) == Z_STREAM_ERROR) throw_no_memory();
      out.insert(out.end(), buffer.begin(), buffer.end() - static_cast<std::ptrdiff_t>(stream_.avail_out));
    } while (stream_.avail_out == 0);
  }

  std::size_t most_at_once_;
  z_stream stream_{};
};

// Any code spends a bit on each byte at least: where one value is so frequent, runs are cheaper.
bool is_skewed(const ByteCounts& counts, std::size_t total) {
  return *std::max_element(counts.begin(), counts.end()) > total / 2;
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

struct PieceCompressor::State {
  explicit State(std::size_t most) : most_at_once(most) {}

  std::size_t most_at_once;
  Compressor fast = make_compressor(kFastest);
  std::optional<ZlibStream> zlib;
  std::vector<std::uint8_t> scratch =
      std::vector<std::uint8_t>(libdeflate_deflate_compress_bound(fast.get(), kPieceBytes));

  std::size_t compress_fast(std::span<const std::uint8_t> piece) {
    return libdeflate_deflate_compress(fast.get(), piece.data(), piece.size(), scratch.data(), scratch.size());
  }

  bool matches_pay(std::span<const std::uint8_t> bytes) {
    const std::size_t size = std::min(bytes.size(), kSampleBytes);
    const auto sample = bytes.subspan((bytes.size() - size) / 2, size);
    const double without = entropy_bytes(count_bytes(sample)) + kTableBytes;
    return static_cast<double>(compress_fast(sample)) < kWorthwhile * without;
  }

  void append_matches(std::span<const std::uint8_t> piece, std::vector<std::uint8_t>& out) {
    const std::size_t size = compress_fast(piece);
    const auto end = end_of_single_block(std::span(scratch).first(size));
    if (!end || (*end + 7) / 8 != size) return append_runs(piece, out);
    const bool stored = (scratch[0] & 6) == 0;  // ends at a byte boundary as it is
    scratch[0] &= 0xfe;                         // no longer the final block
    out.insert(out.end(), scratch.begin(), scratch.begin() + static_cast<std::ptrdiff_t>(size));
    if (!stored) append_alignment(static_cast<unsigned>(size * 8 - *end), out);
  }

  void append_runs(std::span<const std::uint8_t> bytes, std::vector<std::uint8_t>& out) {
    if (!zlib) zlib.emplace(most_at_once);
    zlib->append(bytes, out);
  }
};

PieceCompressor::PieceCompressor(std::size_t most_at_once) : state_(std::make_unique<State>(most_at_once)) {}
PieceCompressor::~PieceCompressor() = default;

void PieceCompressor::append(std::span<const std::uint8_t> bytes, std::vector<std::uint8_t>& out) {
  std::optional<bool> search;  // asked once, and only where it matters
  std::size_t begin = 0;       // of the skewed pieces that wait to be compressed together
  const auto flush = [&](std::size_t end) {
    if (end > begin) state_->append_runs(bytes.subspan(begin, end - begin), out);
  };
  for (std::size_t at = 0; at < bytes.size(); at += kPieceBytes) {
    const auto piece = bytes.subspan(at, std::min(bytes.size() - at, kPieceBytes));
    const ByteCounts counts = count_bytes(piece);
    if (is_skewed(counts, piece.size())) continue;
    flush(at);
    begin = at + piece.size();
    if (!search) search = state_->matches_pay(bytes);
    if (*search)
      state_->append_matches(piece, out);
    else
      append_literal_block(piece, counts, out);
  }
  flush(bytes.size());
}

std::vector<std::uint8_t> compress_small(std::span<const std::uint8_t> bytes) {
  const auto compressor = make_compressor(kSmallLevel);
  std::vector<std::uint8_t> out(libdeflate_zlib_compress_bound(compressor.get(), bytes.size()));
  out.resize(libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(), out.data(), out.size()));
  return out;
}

}  // namespace gpuhisto
