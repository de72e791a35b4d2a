// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <random>

#include "codecs/decode_helpers.hpp"

namespace gpuhisto::testing {
namespace {

// The rule of the contract, in a type of its own so that no overflow can hide.
std::uint8_t scaled(std::uint64_t v, std::uint64_t maxval) {
  return static_cast<std::uint8_t>((v * 255 + maxval / 2) / maxval);
}

Bytes raw_samples(const std::vector<std::uint32_t>& samples, std::uint32_t maxval) {
  Bytes bytes;
  for (const std::uint32_t v : samples) {
    if (maxval > 255) bytes.push_back(static_cast<std::uint8_t>(v >> 8));
    bytes.push_back(static_cast<std::uint8_t>(v));
  }
  return bytes;
}

std::vector<std::uint32_t> random_samples(std::size_t count, std::uint32_t maxval) {
  std::mt19937 random(static_cast<std::uint32_t>(count) * 7919 + maxval);
  std::vector<std::uint32_t> samples(count);
  for (auto& v : samples) v = static_cast<std::uint32_t>(random() % (maxval + 1));
  return samples;
}

std::string header(const std::string& kind, std::size_t width, std::size_t height, std::uint32_t maxval) {
  return kind + " " + std::to_string(width) + " " + std::to_string(height) + "\n" + std::to_string(maxval) + "\n";
}

TEST(Pnm, EveryMaxvalOfOneByteScalesEverySample) {
  for (std::uint32_t maxval = 1; maxval <= 255; ++maxval) {
    std::vector<std::uint32_t> samples(maxval + 1);
    for (std::uint32_t v = 0; v <= maxval; ++v) samples[v] = v;
    const auto image = decode(bytes_of(header("P5", maxval + 1, 1, maxval)) + raw_samples(samples, maxval));
    ASSERT_EQ(image.pixels.size(), maxval + 1);
    for (std::uint32_t v = 0; v <= maxval; ++v) ASSERT_EQ(image.pixels[v], scaled(v, maxval)) << v << " of " << maxval;
    EXPECT_FALSE(image.flags.any());
  }
}

TEST(Pnm, TwoByteSamplesAreScaledAndFlagged) {
  for (const std::uint32_t maxval : {256u, 257u, 511u, 1000u, 1023u, 4095u, 32768u, 65534u, 65535u}) {
    std::vector<std::uint32_t> samples(maxval + 1);
    for (std::uint32_t v = 0; v <= maxval; ++v) samples[v] = v;
    const auto image = decode(bytes_of(header("P5", maxval + 1, 1, maxval)) + raw_samples(samples, maxval));
    ASSERT_EQ(image.pixels.size(), maxval + 1);
    for (std::uint32_t v = 0; v <= maxval; ++v) ASSERT_EQ(image.pixels[v], scaled(v, maxval)) << v << " of " << maxval;
    EXPECT_TRUE(image.flags.has(Flag::kReduced16));
  }
}

TEST(Pnm, PlainAndRawAgreeInEverySize) {
  for (const std::uint32_t maxval : {1u, 100u, 255u, 256u, 65535u}) {
    for (const std::size_t width : {1u, 2u, 3u, 17u, 255u, 257u}) {
      for (const int channels : {1, 3}) {
        const std::size_t height = 5;
        const auto samples = random_samples(width * height * static_cast<std::size_t>(channels), maxval);
        std::string plain = header(channels == 1 ? "P2" : "P3", width, height, maxval);
        for (const auto v : samples) plain += std::to_string(v) + (v % 3 == 0 ? "\n" : " ");
        const Bytes raw =
            bytes_of(header(channels == 1 ? "P5" : "P6", width, height, maxval)) + raw_samples(samples, maxval);
        const auto a = decode(bytes_of(plain));
        const auto b = decode(raw);
        EXPECT_EQ(a.pixels, b.pixels);
        EXPECT_EQ(b.info.channels, channels);
        ASSERT_EQ(a.pixels.size(), samples.size());
        for (std::size_t i = 0; i < samples.size(); ++i) ASSERT_EQ(a.pixels[i], scaled(samples[i], maxval));
      }
    }
  }
}

TEST(Pnm, BitmapsPlainAndRaw) {
  for (const std::size_t width : {1u, 7u, 8u, 9u, 31u, 64u, 65u}) {
    const std::size_t height = 3;
    const auto samples = random_samples(width * height, 1);
    std::string plain = "P1\n" + std::to_string(width) + " " + std::to_string(height) + "\n";
    Bytes raw = bytes_of("P4\n" + std::to_string(width) + " " + std::to_string(height) + "\n");
    for (std::size_t y = 0; y < height; ++y) {
      Bytes row((width + 7) / 8, 0);
      for (std::size_t x = 0; x < width; ++x) {
        const auto v = samples[y * width + x];
        plain += v != 0 ? "1" : "0";
        if (x % 5 == 4) plain += x % 2 != 0 ? " " : "\n";
        row[x / 8] = static_cast<std::uint8_t>(row[x / 8] | v << (7 - x % 8));
      }
      if (width % 8 != 0) row.back() |= 1;  // the padding says nothing
      raw = raw + row;
    }
    const auto a = decode(bytes_of(plain));
    EXPECT_EQ(a.pixels, decode(raw).pixels);
    for (std::size_t i = 0; i < samples.size(); ++i) ASSERT_EQ(a.pixels[i], samples[i] != 0 ? 0 : 255);
    EXPECT_EQ(a.info.source_bits, 1);
  }
}

TEST(Pnm, PamTupleTypes) {
  struct Case {
    const char* type;
    int depth;
    std::uint32_t maxval;
  };
  for (const Case& c :
       {Case{"BLACKANDWHITE", 1, 1}, Case{"GRAYSCALE", 1, 255}, Case{"RGB", 3, 255}, Case{"RGB", 3, 65535},
        Case{"BLACKANDWHITE_ALPHA", 2, 1}, Case{"GRAYSCALE_ALPHA", 2, 200}, Case{"RGB_ALPHA", 4, 255}, Case{"", 1, 255},
        Case{"", 2, 255}, Case{"", 3, 255}, Case{"", 4, 999}}) {
    const auto samples = random_samples(static_cast<std::size_t>(6 * 4 * c.depth), c.maxval);
    const std::string text = "P7\n# a comment\nHEIGHT 4\n\nWIDTH 6\nDEPTH " + std::to_string(c.depth) + "\nMAXVAL " +
                             std::to_string(c.maxval) + "\nTUPLTYPE " + c.type + "\nENDHDR\n";
    const Bytes file = bytes_of(text) + raw_samples(samples, c.maxval);
    const auto image = decode(file);
    EXPECT_EQ(image.info.format, Format::kPam);
    EXPECT_EQ(image.info.channels, c.depth);
    ASSERT_EQ(image.pixels.size(), samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) ASSERT_EQ(image.pixels[i], scaled(samples[i], c.maxval));
    expect_same_in_every_way(file);
    for (std::size_t size = 0; size < file.size(); ++size) ASSERT_TRUE(failure_of(cut(file, size)).failed) << size;
  }
}

TEST(Pnm, RefusesBadHeaders) {
  for (const char* text :
       {"P5 0 4 255\n", "P5 -4 4 255\n", "P5 1 1 0\n\x01", "P5 1 1 65536\n\x01\x01", "P5 1", "P5 1 1",
        "P5 1 x 255\n\x01", "P5 1 1 255x", "P5 99999999999999999999999 1 255\n",
        "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 0\nMAXVAL 255\nENDHDR\nx", "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nENDHDR\nx",
        "P7\nWIDTH 1\nDEPTH 1\nMAXVAL 255\nENDHDR\nx",
        "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE RGB\nENDHDR\nxxx", "P7\nWIDTH -1\nENDHDR\n",
        "P7\nCOLOUR 1\nENDHDR\n", "P7\nWIDTH\nENDHDR\n", "P3 1 1 255 1 2", "P1 2 1 12", "P2 1 1 100 101"}) {
    const auto failure = failure_of(bytes_of(text));
    EXPECT_TRUE(failure.failed) << text;
    EXPECT_EQ(failure.kind, ErrorKind::kInput) << text << ": " << failure.text;
  }
  EXPECT_EQ(failure_of(bytes_of("P7 332\n#x\n1 1 255\nx")).kind, ErrorKind::kUnsupported);
  EXPECT_EQ(failure_of(bytes_of("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE CMYK\nENDHDR\nxxxx")).kind,
            ErrorKind::kUnsupported);
}

TEST(Pnm, AnEndlessTupleTypeIsRefused) {
  std::string header = "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\n";
  for (int i = 0; i < 10000; ++i) header += "TUPLTYPE x\n";
  EXPECT_EQ(failure_of(bytes_of(header + "ENDHDR\nx")).text, "bad PNM header: TUPLTYPE is too long");
}

TEST(Pnm, SizeLimitIsNamed) {
  DecodeOptions options;
  options.max_pixels = 99;
  const auto failure = failure_of(bytes_of("P5 10 10 255\n"), options);
  EXPECT_EQ(failure.kind, ErrorKind::kTooLarge);
  EXPECT_NE(failure.text.find("--max-pixels"), std::string::npos);
  EXPECT_EQ(failure_of(bytes_of("P5 1000000000000 1000000000000 255\n")).kind, ErrorKind::kTooLarge);
}

TEST(Pnm, SizesWhoseBytesWrapAreRefusedWithoutALimitToo) {
  DecodeOptions options;
  options.max_pixels = options.max_memory = UINT64_MAX;
  for (const char* const size :
       {"6700417 2753074036095", "4294967295 4294967297", "281474976710657 1", "1 281474976710657"}) {
    const auto failure = failure_of(bytes_of("P5 " + std::string(size) + " 255\n"), options);
    EXPECT_EQ(failure.kind, ErrorKind::kUnsupported) << size;
    EXPECT_NE(failure.text.find("281474976710656"), std::string::npos) << failure.text;
  }
}

TEST(Pnm, CommentsAndWhiteSpace) {
  EXPECT_EQ(decode(bytes_of("P2#a\n 3 #b\r\n2\n#y\n255#z\n0 1 2\n#w\n253 254 255")).pixels,
            (Bytes{0, 1, 2, 253, 254, 255}));
  EXPECT_EQ(decode(bytes_of("P5\n#1\n#2\n2\t1\r255\nAB")).pixels, bytes_of("AB"));
  EXPECT_EQ(decode(bytes_of("P5 2 1 255#comment\nAB")).pixels, bytes_of("AB"));
  EXPECT_EQ(decode(bytes_of("P5 2 1 255\n#B")).pixels, bytes_of("#B"));  // behind the header, # is a sample
}

TEST(Pnm, DataBehindTheImage) {
  EXPECT_TRUE(decode(bytes_of("P5 2 1 255\nABP5 1 1 255\nA")).flags.has(Flag::kFirstFrame));
  EXPECT_TRUE(decode(bytes_of("P5 2 1 255\nABC")).flags.has(Flag::kWarning));
  EXPECT_TRUE(decode(bytes_of("P2 2 1 255\n1 2 3")).flags.has(Flag::kWarning));
  EXPECT_FALSE(decode(bytes_of("P2 2 1 255\n1 2 \n\n")).flags.any());
  EXPECT_TRUE(decode(bytes_of("P1 2 1\n10\nP1 1 1\n1")).flags.has(Flag::kFirstFrame));
}

TEST(Pnm, EveryTruncationFails) {
  for (const char* kind : {"P5", "P6"}) {
    for (const std::uint32_t maxval : {200u, 255u, 65535u}) {
      const std::size_t channels = kind[1] == '6' ? 3 : 1;
      const Bytes file =
          bytes_of(header(kind, 7, 5, maxval)) + raw_samples(random_samples(35 * channels, maxval), maxval);
      EXPECT_FALSE(failure_of(file).failed);
      for (std::size_t size = 0; size < file.size(); ++size)
        ASSERT_EQ(failure_of(cut(file, size)).failed, true) << kind << " " << size;
      expect_same_in_every_way(file);
    }
  }
  const Bytes bits = bytes_of("P4 9 3\n") + Bytes{1, 128, 2, 0, 3, 128};
  for (std::size_t size = 0; size < bits.size(); ++size) ASSERT_TRUE(failure_of(cut(bits, size)).failed) << size;
  expect_same_in_every_way(bits);
  expect_same_in_every_way(bytes_of("P3 2 2 255 1 2 3 4 5 6 7 8 9 10 11 12 "));
}

TEST(Pnm, ToleratedDamageGivesTheWholeRows) {
  DecodeOptions options;
  options.tolerate_damage = true;
  const auto cut_short = decode(bytes_of("P5 4 3 255\nabcdefghij"), options);
  EXPECT_EQ(cut_short.pixels, bytes_of("abcdefgh"));
  EXPECT_TRUE(cut_short.flags.has(Flag::kDamaged));
  ASSERT_EQ(cut_short.notes.size(), 1u);
  EXPECT_EQ(cut_short.notes[0], "2 of 3 rows decoded: the image is truncated");
  // 'z' is 122 and exceeds the maxval in the second row.
  const auto over = decode(bytes_of("P5 2 3 100\naAazAa"), options);
  EXPECT_EQ(over.rows, 1u);
  EXPECT_EQ(over.notes.at(0), "1 of 3 rows decoded: a sample exceeds maxval 100");
}

TEST(Pnm, FlippedBitsNeverCrash) {
  flip_every_bit(bytes_of("P5 4 3 200\nabcdefghijkl"));
  flip_every_bit(bytes_of("P2 3 2 255 0 1 2 253 254 255\n"));
  flip_every_bit(bytes_of("P7\nWIDTH 2\nHEIGHT 1\nDEPTH 2\nMAXVAL 300\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\nabababab"));
}

}  // namespace
}  // namespace gpuhisto::testing
