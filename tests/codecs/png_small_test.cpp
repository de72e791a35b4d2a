// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors

// Small PNGs have a decoder of their own, which must say what libpng says. Streams without a size go to libpng.
#include "codecs/png_small.hpp"

#include <zlib.h>

#include "codecs/decode_helpers.hpp"
#include "codecs/png_maker.hpp"

namespace gpuhisto::testing {
namespace {

constexpr std::size_t kSignatureBytes = 8;
constexpr std::size_t kWholeStream = 1'000'000;  // of PngWish::idat_bytes

/// All that a decoder says of a file.
struct Verdict {
  std::string failure;
  Bytes pixels;
  std::vector<std::string> notes, lost;
  std::size_t metadata = 0;  // bytes
  bool operator==(const Verdict&) const = default;
};

Verdict verdict_of(ByteSource& source) {
  try {
    DecodeOptions options;
    options.max_pixels = 1 << 16;
    options.keep_metadata = true;
    const Decoded decoded = decode(source, options);
    return {"", decoded.pixels, decoded.notes, decoded.metadata.lost, decoded.metadata.bytes()};
  } catch (const Error& error) {
    return {error.what(), {}, {}, {}, 0};
  }
}

void expect_libpngs_verdict(const Bytes& bytes, const std::string& about) {
  const auto known = open_memory(bytes);
  TrickleSource unknown(bytes, bytes.size());
  const Verdict small = verdict_of(*known), libpng = verdict_of(unknown);
  EXPECT_EQ(small.failure, libpng.failure) << about;
  EXPECT_TRUE(small == libpng) << about;
}

bool is_small(const Bytes& bytes, const DecodeOptions& options = {}) {
  const auto source = open_memory(bytes);
  return open_small_png(*source, options) != nullptr;
}

std::uint32_t number_at(const Bytes& bytes, std::size_t at) {
  return std::uint32_t{bytes[at]} << 24 | std::uint32_t{bytes[at + 1]} << 16 | std::uint32_t{bytes[at + 2]} << 8 |
         bytes[at + 3];
}

/// The file with the checksum of the chunk that holds byte `at` made right, as far as its length allows.
Bytes with_right_checksum(Bytes bytes, std::size_t at) {
  for (std::size_t chunk = kSignatureBytes; chunk + 12 <= bytes.size();) {
    const std::size_t length = number_at(bytes, chunk);
    if (length > bytes.size() - chunk - 12) return bytes;
    const std::size_t end = chunk + 8 + length;
    if (at >= chunk && at < end) {
      const uLong sum = crc32(0, bytes.data() + chunk + 4, static_cast<uInt>(length + 4));
      for (std::size_t i = 0; i < 4; ++i) bytes[end + i] = static_cast<std::uint8_t>(sum >> (24 - 8 * i));
      return bytes;
    }
    chunk = end + 4;
  }
  return bytes;
}

TEST(SmallPng, TakesTheOrdinaryKinds) {
  for (const auto& kind : kPngKinds) {
    PngWish wish;
    wish.type = kind[0], wish.depth = kind[1];
    EXPECT_EQ(is_small(make_png(wish).bytes), wish.depth == 8 && wish.type != 3) << wish.type << " " << wish.depth;
    wish.interlaced = true;
    EXPECT_FALSE(is_small(make_png(wish).bytes));
  }
}

TEST(SmallPng, GivesLibpngsRowsOfEveryWidth) {
  for (const int type : {0, 2, 4, 6})
    for (int width = 1; width <= 40; ++width) {
      PngWish wish;
      wish.type = type, wish.width = width;
      wish.before = {{"tEXt", bytes_of("a text")}, {"pHYs", {0, 0, 11, 19, 0, 0, 11, 19, 1}}};
      for (const std::size_t idat_bytes : {std::size_t{7}, kWholeStream}) {
        wish.idat_bytes = idat_bytes;
        const PngFile file = make_png(wish);
        ASSERT_TRUE(is_small(file.bytes));
        EXPECT_EQ(decode(file.bytes).pixels, file.pixels) << type << " " << width;
        expect_libpngs_verdict(file.bytes, "width " + std::to_string(width));
      }
    }
}

TEST(SmallPng, UndoesEveryFilterInAllRows) {
  for (const int type : {0, 2, 4, 6})
    for (int filter = 0; filter < 5; ++filter)
      for (const int side : {1, 2, 3, 4, 7, 32}) {
        PngWish wish;
        wish.type = type, wish.filter = filter;
        wish.width = side, wish.height = side + 1;
        const PngFile file = make_png(wish);
        ASSERT_TRUE(is_small(file.bytes));
        for (const std::size_t rows_a_call : {1u, 2u, 3u}) {
          const auto source = open_memory(file.bytes);
          EXPECT_EQ(decode(*source, {}, rows_a_call).pixels, file.pixels) << type << " " << filter << " " << side;
        }
      }
}

TEST(SmallPng, JudgesEveryFlippedBitAsLibpngDoes) {
  for (const int type : {0, 2}) {
    PngWish wish;
    wish.type = type;
    wish.before = {{"gAMA", {0, 0, 177, 143}}};
    const Bytes whole = make_png(wish).bytes;
    for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
      Bytes bytes = whole;
      bytes[bit / 8] ^= static_cast<std::uint8_t>(1u << bit % 8);
      expect_libpngs_verdict(with_right_checksum(bytes, bit / 8), "bit " + std::to_string(bit));
      if (HasFailure()) return;
    }
  }
}

/// A gray image of `side` x `side`, all of whose rows are the same random bytes: each repeats what is `side` + 1 back.
/// The stream says that its window has 2^`window_bits` bytes.
Bytes repeated_rows(int side, unsigned window_bits) {
  PngWish wish;
  wish.type = 0;
  wish.width = wish.height = side;
  wish.idat_bytes = kWholeStream;
  const PngFile file = make_png(wish);
  Bytes raw;
  for (int y = 0; y < side; ++y) {
    raw.push_back(0);
    raw.insert(raw.end(), file.pixels.begin(), file.pixels.begin() + side);
  }
  uLongf size = compressBound(raw.size());
  Bytes stream(size);
  compress2(stream.data(), &size, raw.data(), raw.size(), 9);
  stream.resize(size);
  const unsigned head = (window_bits - 8) << 12 | 8 << 8 | 0xC0;
  stream[0] = static_cast<std::uint8_t>(head >> 8);
  stream[1] = static_cast<std::uint8_t>(0xC0 | (31 - head % 31) % 31);
  constexpr std::size_t kHeader = 25;
  return cut(file.bytes, kSignatureBytes + kHeader) + png_chunk({"IDAT", stream}) + png_chunk({"IEND", {}});
}

TEST(SmallPng, HoldsAStreamToItsWindow) {
  EXPECT_TRUE(is_small(repeated_rows(600, 15)));
  EXPECT_TRUE(is_small(repeated_rows(15, 8)));
  for (unsigned bits = 8; bits <= 15; ++bits)
    for (const int side : {15, 200, 600})
      expect_libpngs_verdict(repeated_rows(side, bits), std::to_string(side) + ", window " + std::to_string(bits));
}

TEST(SmallPng, LeavesWhatIsOddToLibpng) {
  const PngWish plain;
  const Bytes file = make_png(plain).bytes;
  ASSERT_TRUE(is_small(file));
  constexpr std::size_t kBeforePixels = 8 + 25, kEndChunkBytes = 12;
  const auto insert = [&](std::size_t at, const Bytes& chunk) {
    return cut(file, at) + chunk + Bytes(file.begin() + static_cast<std::ptrdiff_t>(at), file.end());
  };
  const std::size_t end = file.size() - kEndChunkBytes;
  for (const std::string type : {"acTL", "fcTL", "tRNS", "PLTE", "aBCd", "ABCD", "IHDR", "IEND"}) {
    const Bytes odd = insert(kBeforePixels, png_chunk({type, Bytes(6, 1)}));
    EXPECT_FALSE(is_small(odd)) << type;
    expect_libpngs_verdict(odd, type);
  }
  for (const Bytes& odd : {file + Bytes{0}, insert(end, png_chunk({"IDAT", {}})), cut(file, end),
                           insert(kBeforePixels, png_chunk({"IDAT", {}})),
                           insert(end, png_chunk({"tEXt", {}}) + png_chunk({"IDAT", {1}}))}) {
    EXPECT_FALSE(is_small(odd));
    expect_libpngs_verdict(odd, "of " + std::to_string(odd.size()) + " bytes");
  }
}

TEST(SmallPng, KeepsToTheLimits) {
  PngWish wish;
  wish.width = wish.height = 500;
  const Bytes file = make_png(wish).bytes;
  ASSERT_TRUE(is_small(file));
  DecodeOptions options;
  options.max_memory = 500'000;
  EXPECT_FALSE(is_small(file, options));
  options = {};
  options.max_pixels = 500 * 500 - 1;
  EXPECT_FALSE(is_small(file, options));
}

}  // namespace
}  // namespace gpuhisto::testing
