// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "gpuhisto/encoder.hpp"
#include "gpuhisto/image.hpp"

namespace gpuhisto::test {

struct MemorySink : ByteSink {
  std::vector<std::uint8_t> bytes;
  void write(const void* from, std::size_t count) override {
    const auto* p = static_cast<const std::uint8_t*>(from);
    bytes.insert(bytes.end(), p, p + count);
  }
};

/// Fails after `left` bytes.
struct FullSink : ByteSink {
  explicit FullSink(std::size_t room) : left(room) {}
  std::size_t left;
  void write(const void*, std::size_t count) override {
    if (count > left) throw Error(ErrorKind::kIo, "no space left on device");
    left -= count;
  }
};

/// Seeded, 32 bits a call, the same everywhere.
class Random {
 public:
  explicit Random(std::size_t seed) : engine_(static_cast<unsigned>(seed)) {}
  std::uint32_t operator()() { return static_cast<std::uint32_t>(engine_()); }

 private:
  std::mt19937 engine_;
};

enum class Pattern { kNoise, kPhoto, kConstant, kSparse, kTiles, kRamp };
inline constexpr Pattern kPatterns[] = {Pattern::kNoise,  Pattern::kPhoto, Pattern::kConstant,
                                        Pattern::kSparse, Pattern::kTiles, Pattern::kRamp};

/// Pixels with rows `padding` bytes apart from each other; the padding is poison that must not reach a file.
struct Picture {
  std::vector<std::uint8_t> bytes;
  std::size_t width, height;
  int channels;
  std::size_t row_bytes;
  ImageView view() const { return {bytes.data(), width, height, channels, row_bytes}; }
  std::vector<std::uint8_t> packed() const {
    std::vector<std::uint8_t> out;
    for (std::size_t y = 0; y < height; ++y) {
      const std::uint8_t* row = view().row(y);
      out.insert(out.end(), row, row + width * static_cast<std::size_t>(channels));
    }
    return out;
  }
};

inline std::uint8_t sample(Pattern pattern, std::size_t x, std::size_t y, int c, Random& random) {
  const auto noise = random();
  switch (pattern) {
    case Pattern::kNoise:
      return static_cast<std::uint8_t>(noise);
    case Pattern::kPhoto: {
      const double wave = 60 * std::sin(static_cast<double>(x) / 31) + 50 * std::cos(static_cast<double>(y) / 17);
      return static_cast<std::uint8_t>(128 + wave + (noise % 8) + 3 * c);
    }
    case Pattern::kConstant:
      return static_cast<std::uint8_t>(77 + 40 * c);
    case Pattern::kSparse:
      return noise % 1000 == 0 ? static_cast<std::uint8_t>(noise >> 16) : std::uint8_t{255};
    case Pattern::kTiles:
      return static_cast<std::uint8_t>((x / 8 * 37 + y / 8 * 91) * (static_cast<unsigned>(c) + 1));
    case Pattern::kRamp:
      return static_cast<std::uint8_t>(x + y * 3 + static_cast<unsigned>(c));
  }
  return 0;
}

inline Picture make_picture(Pattern pattern, std::size_t width, std::size_t height, int channels,
                            std::size_t padding = 0) {
  const std::size_t packed = width * static_cast<std::size_t>(channels);
  Picture picture{{}, width, height, channels, packed + padding};
  picture.bytes.assign(height * picture.row_bytes, 0xA5);
  Random random(width * 7919 + height * 31 + static_cast<std::size_t>(channels));
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t i = 0; i < packed; ++i)
      picture.bytes[y * picture.row_bytes + i] =
          sample(pattern, i / static_cast<std::size_t>(channels), y,
                 static_cast<int>(i % static_cast<std::size_t>(channels)), random);
  return picture;
}

inline std::vector<std::uint8_t> encode_to_memory(const Picture& picture, Format format, EncodeOptions options = {}) {
  MemorySink sink;
  encode(picture.view(), format, options, sink);
  return sink.bytes;
}

template <typename Work>
Error catch_error(Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorKind::kVerification, "nothing was thrown");
}

}  // namespace gpuhisto::test
