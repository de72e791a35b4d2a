// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>
#include <libdeflate.h>
#include <zlib.h>

#include <set>

#include "encode/deflate_piece.hpp"
#include "encode/literal_block.hpp"
#include "pictures.hpp"

namespace gpuhisto::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Both inflaters: zlib is the stricter one about codes.
void expect_inflates_to(Bytes stream, const Bytes& expected) {
  stream.insert(stream.end(), {3, 0});  // an empty final block
  Bytes out(expected.size() + 1);
  z_stream z{};
  ASSERT_EQ(inflateInit2(&z, -15), Z_OK);
  z.next_in = stream.data();
  z.avail_in = static_cast<uInt>(stream.size());
  z.next_out = out.data();
  z.avail_out = static_cast<uInt>(out.size());
  const int result = inflate(&z, Z_FINISH);
  const auto total = z.total_out;
  const auto left = z.avail_in;
  inflateEnd(&z);
  ASSERT_EQ(result, Z_STREAM_END);
  ASSERT_EQ(left, 0u);
  ASSERT_EQ(total, expected.size());
  out.pop_back();
  ASSERT_TRUE(out == expected);

  Bytes again(expected.size());
  libdeflate_decompressor* inflater = libdeflate_alloc_decompressor();
  const auto verdict =
      libdeflate_deflate_decompress(inflater, stream.data(), stream.size(), again.data(), again.size(), nullptr);
  libdeflate_free_decompressor(inflater);
  ASSERT_EQ(verdict, LIBDEFLATE_SUCCESS);
  ASSERT_TRUE(again == expected);
}

// Byte streams from one symbol to noise, runs and skew included.
Bytes make_bytes(int kind, std::size_t size, Random& random) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) {
    const auto r = random();
    switch (kind) {
      case 0:
        bytes[i] = 0;
        break;
      case 1:
        bytes[i] = static_cast<std::uint8_t>(r);
        break;
      case 2:
        bytes[i] = static_cast<std::uint8_t>(__builtin_ctz(r | 0x10000));
        break;  // geometric: long codes
      case 3:
        bytes[i] = static_cast<std::uint8_t>((r & 7) + (r >> 8 & 7));
        break;
      case 4:
        bytes[i] = static_cast<std::uint8_t>(i % 7 == 0 ? r : i);
        break;
      case 5:
        bytes[i] = r % 50 == 0 ? static_cast<std::uint8_t>(r >> 8) : std::uint8_t{1};
        break;
      case 6:
        bytes[i] = static_cast<std::uint8_t>(i >> 3 & 255);
        break;
      default:
        bytes[i] = i % 2 ? 255 : 254;
        break;
    }
  }
  return bytes;
}
constexpr int kKinds = 8;
constexpr std::size_t kSizes[] = {1, 2, 3, 4, 5, 7, 50, 257, 1000, 4095, 32767, 32768, 32769, 100001};

TEST(LiteralBlock, Inflates) {
  Random random(1);
  for (int kind = 0; kind < kKinds; ++kind)
    for (const std::size_t size : kSizes) {
      if (size > 65535) continue;
      SCOPED_TRACE(testing::Message() << kind << " " << size);
      const Bytes bytes = make_bytes(kind, size, random);
      Bytes out;
      append_literal_block(bytes, count_bytes(bytes), out);
      append_literal_block(bytes, count_bytes(bytes), out);
      Bytes twice = bytes;
      twice.insert(twice.end(), bytes.begin(), bytes.end());
      expect_inflates_to(out, twice);
      EXPECT_LE(out.size(), 2 * (bytes.size() + 5)) << "never larger than stored";
    }
}

TEST(LiteralBlock, CountsBytes) {
  Random random(2);
  for (std::size_t size = 0; size < 100; ++size) {
    const Bytes bytes = make_bytes(3, size, random);
    ByteCounts expected{};
    for (const auto b : bytes) ++expected[b];
    EXPECT_EQ(count_bytes(bytes), expected);
  }
}

// Kraft's sum is exactly 1 and no length passes the limit, however skewed the counts; without a limit in the way the
// cost is that of Huffman's own algorithm.
TEST(CodeLengths, CompleteLimitedAndOptimal) {
  Random random(3);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t n = 2 + random() % 300;
    const int limit = n > 128 ? 14 : 7 + static_cast<int>(random() % 8);
    std::vector<std::uint32_t> counts(n);
    for (auto& c : counts) c = round % 3 == 0 ? 1 + random() % 9 : 1u << (random() % 24);
    if (round % 5 == 0) counts = {1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584, 4181};
    std::vector<std::uint8_t> lengths(counts.size());
    make_code_lengths(counts, limit, lengths);
    std::uint64_t kraft = 0, cost = 0, longest = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      ASSERT_GE(lengths[i], 1);
      ASSERT_LE(lengths[i], limit);
      kraft += std::uint64_t{1} << (limit - lengths[i]);
      cost += std::uint64_t{counts[i]} * lengths[i];
      longest = std::max<std::uint64_t>(longest, lengths[i]);
    }
    ASSERT_EQ(kraft, std::uint64_t{1} << limit);
    std::multiset<std::uint64_t> heap(counts.begin(), counts.end());
    std::uint64_t optimal = 0;
    while (heap.size() > 1) {
      const std::uint64_t pair = *heap.begin() + *std::next(heap.begin());
      heap.erase(heap.begin());
      heap.erase(heap.begin());
      heap.insert(pair);
      optimal += pair;
    }
    ASSERT_GE(cost, optimal);
    if (longest < static_cast<std::uint64_t>(limit)) {
      ASSERT_EQ(cost, optimal);
    }
  }
}

TEST(Pieces, Inflate) {
  Random random(4);
  PieceCompressor compressor;
  Bytes all, joined;
  for (int kind = 0; kind < kKinds; ++kind)
    for (const std::size_t size : kSizes) {
      SCOPED_TRACE(testing::Message() << kind << " " << size);
      const Bytes bytes = make_bytes(kind, size, random);
      Bytes out;
      compressor.append(bytes, out);
      expect_inflates_to(out, bytes);
      all.insert(all.end(), bytes.begin(), bytes.end());
      joined.insert(joined.end(), out.begin(), out.end());
    }
  expect_inflates_to(joined, all);
}

// A row of more than 4 GiB is compressed in several calls, to the same bytes.
TEST(Pieces, WhatZlibIsGivenAtOnceDoesNotMatter) {
  Random random(8);
  for (int kind = 0; kind < kKinds; ++kind) {
    const Bytes bytes = make_bytes(kind, 200001, random);
    Bytes whole;
    PieceCompressor().append(bytes, whole);
    for (const std::size_t most : {999u, 32768u, 200000u, 200001u}) {
      Bytes in_parts;
      PieceCompressor(most).append(bytes, in_parts);
      EXPECT_TRUE(in_parts == whole) << kind << " " << most;
    }
  }
}

// The end that is told from the code of the end-of-block symbol is the true one: behind it, other blocks are
// understood.
TEST(SingleBlock, EndIsExact) {
  Random random(5);
  int found = 0, refused = 0;
  for (const int level : {1, 3, 6, 12}) {
    libdeflate_compressor* compressor = libdeflate_alloc_compressor(level);
    for (int round = 0; round < 80; ++round) {
      const Bytes bytes = make_bytes(round % kKinds, 1 + random() % 20000, random);
      Bytes stream(libdeflate_deflate_compress_bound(compressor, bytes.size()));
      stream.resize(libdeflate_deflate_compress(compressor, bytes.data(), bytes.size(), stream.data(), stream.size()));
      const auto end = end_of_single_block(stream);
      if (!end) {
        ++refused;
        continue;
      }
      ++found;
      ASSERT_EQ((*end + 7) / 8, stream.size());
      const bool stored = (stream[0] & 6) == 0;
      stream[0] &= 0xfe;
      if (!stored) append_alignment(static_cast<unsigned>(stream.size() * 8 - *end), stream);
      expect_inflates_to(stream, bytes);
    }
    libdeflate_free_compressor(compressor);
  }
  EXPECT_GT(found, 100);
  EXPECT_GT(refused, 10);  // several blocks, or fixed codes
}

TEST(SingleBlock, RefusesNonsense) {
  Random random(6);
  EXPECT_FALSE(end_of_single_block({}));
  for (int round = 0; round < 100000; ++round) {
    Bytes bytes(1 + random() % 60);
    for (auto& b : bytes) b = static_cast<std::uint8_t>(random());
    const auto end =
        end_of_single_block(bytes);  // sanitizers watch; an answer lies within the stream or is rejected by it
    if (end) {
      EXPECT_EQ(bytes[0] & 1, 1);
    }
  }
}

// libdeflate's level 1 makes one block of a piece, so that the slow way stays rare.
TEST(SingleBlock, LevelOneMakesOneBlockOfAPiece) {
  Random random(7);
  libdeflate_compressor* compressor = libdeflate_alloc_compressor(1);
  for (int round = 0; round < 5 * kKinds; ++round) {
    const Bytes bytes = make_bytes(round % kKinds, PieceCompressor::kPieceBytes, random);
    Bytes stream(libdeflate_deflate_compress_bound(compressor, bytes.size()));
    stream.resize(libdeflate_deflate_compress(compressor, bytes.data(), bytes.size(), stream.data(), stream.size()));
    EXPECT_EQ(stream[0] & 1, 1) << round % kKinds;
  }
  libdeflate_free_compressor(compressor);
}

}  // namespace
}  // namespace gpuhisto::test
