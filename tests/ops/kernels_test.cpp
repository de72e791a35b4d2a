// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "ops/kernels.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "oracle.hpp"

namespace gpuhisto {
namespace {

using ops::ChannelLuts;
using ops::Kernels;
using test::kPoison;
using test::Sizes;

ChannelLuts random_luts(int channels, std::mt19937& random) {
  ChannelLuts luts;
  luts.channels = channels;
  for (int c = 0; c < 4; ++c)
    for (std::size_t v = 0; v < kBins; ++v) {
      const bool alpha = has_alpha(channels) && c == channels - 1;
      luts.luts[static_cast<std::size_t>(c)][v] = static_cast<std::uint8_t>(alpha ? v : random());
    }
  return luts;
}

std::vector<std::uint8_t> random_bytes(std::size_t size, std::mt19937& random) {
  std::vector<std::uint8_t> bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

/// Runs `work` on `input` placed at `offset` in a buffer of poison; the poison must survive.
template <class Work>
std::vector<std::uint8_t> run_in_poison(const std::vector<std::uint8_t>& input, std::size_t offset, const Work& work) {
  std::vector<std::uint8_t> buffer(offset + input.size() + 256, kPoison);
  std::copy(input.begin(), input.end(), buffer.begin() + static_cast<std::ptrdiff_t>(offset));
  work(buffer.data() + offset);
  for (std::size_t i = 0; i < buffer.size(); ++i) {
    const bool outside = i < offset || i >= offset + input.size();
    EXPECT_TRUE(!outside || buffer[i] == kPoison) << "byte " << i << " was written";
  }
  return {buffer.begin() + static_cast<std::ptrdiff_t>(offset),
          buffer.begin() + static_cast<std::ptrdiff_t>(offset + input.size())};
}

void expect_maps(const Kernels& kernels, int channels, std::size_t count, std::size_t offset, std::mt19937& random) {
  const ChannelLuts luts = random_luts(channels, random);
  const auto input = random_bytes(count * static_cast<std::size_t>(channels), random);
  auto expected = input;
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = luts.luts[i % static_cast<std::size_t>(channels)][expected[i]];
  const auto mapped = run_in_poison(input, offset, [&](std::uint8_t* p) { kernels.map(p, count, luts); });
  ASSERT_EQ(mapped, expected) << kernels.name << ", " << channels << " channels, " << count << " pixels, +" << offset;
}

void expect_replaces(const Kernels& kernels, int channels, std::size_t count, std::size_t offset,
                     std::mt19937& random) {
  const auto step = static_cast<std::size_t>(channels);
  const Lut lut = random_luts(1, random).luts[0];
  const auto input = random_bytes(count * step, random);
  auto expected = input;
  std::vector<std::uint8_t> y(count + offset, kPoison), new_y(count + offset, kPoison);
  for (std::size_t i = 0; i < count; ++i) {
    y[offset + i] = static_cast<std::uint8_t>(test::slow_y(&input[i * step]));
    new_y[offset + i] = lut[y[offset + i]];
    test::slow_replace_luma(&expected[i * step], lut);
  }
  const auto replaced = run_in_poison(input, offset, [&](std::uint8_t* p) {
    kernels.replace_luma(p, count, channels, y.data() + offset, new_y.data() + offset);
  });
  ASSERT_EQ(replaced, expected) << kernels.name << ", " << channels << " channels, " << count << " pixels, +" << offset;
}

TEST(OpsKernels, MapFollowsTheTablesAtAnySizeAndAlignment) {
  std::mt19937 random(1);
  for (const Kernels& kernels : ops::kernels())
    for (int channels = 1; channels <= 4; ++channels)
      for (std::size_t count = 0; count <= 200; ++count)
        for (const std::size_t offset : Sizes{0, count % 64, 63}) expect_maps(kernels, channels, count, offset, random);
}

TEST(OpsKernels, ReplaceLumaFollowsTheFormulasAtAnySizeAndAlignment) {
  std::mt19937 random(2);
  for (const Kernels& kernels : ops::kernels())
    for (int channels = 3; channels <= 4; ++channels)
      for (std::size_t count = 0; count <= 200; ++count)
        for (const std::size_t offset : Sizes{0, count % 64, 63})
          expect_replaces(kernels, channels, count, offset, random);
}

TEST(OpsKernels, EveryAlignmentOfALongRun) {
  std::mt19937 random(3);
  for (const Kernels& kernels : ops::kernels())
    for (std::size_t offset = 0; offset < 64; ++offset)
      for (int channels = 1; channels <= 4; ++channels) {
        expect_maps(kernels, channels, 1003, offset, random);
        if (channels >= 3) expect_replaces(kernels, channels, 1003, offset, random);
      }
}

/// Readable memory between two pages whose touch ends the program.
class GuardedPages {
 public:
  GuardedPages() {
    memory_ = static_cast<std::uint8_t*>(
        mmap(nullptr, 4 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    mprotect(memory_, page_, PROT_NONE);
    mprotect(memory_ + 3 * page_, page_, PROT_NONE);
    std::memset(begin(), 7, 2 * page_);
  }
  ~GuardedPages() { munmap(memory_, 4 * page_); }
  GuardedPages(const GuardedPages&) = delete;
  GuardedPages& operator=(const GuardedPages&) = delete;
  std::uint8_t* begin() const { return memory_ + page_; }
  std::uint8_t* end() const { return memory_ + 3 * page_; }

 private:
  std::size_t page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::uint8_t* memory_;
};

TEST(OpsKernels, TouchNothingOutsideTheirPixels) {
  std::mt19937 random(4);
  GuardedPages pixels, y, new_y;
  for (const Kernels& kernels : ops::kernels())
    for (int channels = 1; channels <= 4; ++channels) {
      const ChannelLuts luts = random_luts(channels, random);
      for (std::size_t count = 0; count <= 300; ++count) {
        kernels.map(pixels.begin(), count, luts);
        kernels.map(pixels.end() - count * static_cast<std::size_t>(channels), count, luts);
        if (channels < 3) continue;
        kernels.replace_luma(pixels.begin(), count, channels, y.begin(), new_y.begin());
        kernels.replace_luma(pixels.end() - count * static_cast<std::size_t>(channels), count, channels,
                             y.end() - count, new_y.end() - count);
      }
    }
}

TEST(OpsKernels, ReplaceLumaIsExactForEveryColour) {
  // Green enters only by way of Y: red, blue and Y are all there is; the new Y goes along in steps.
  for (const Kernels& kernels : ops::kernels()) {
    std::vector<std::uint8_t> row(256 * 3), expected, y(256), new_y(256);
    for (unsigned red = 0; red < 256; ++red) {
      for (unsigned green = 0; green < 256; green += kernels.name == "portable" ? 5u : 1u) {
        for (unsigned blue = 0; blue < 256; ++blue) {
          row[3 * blue] = static_cast<std::uint8_t>(red);
          row[3 * blue + 1] = static_cast<std::uint8_t>(green);
          row[3 * blue + 2] = static_cast<std::uint8_t>(blue);
          y[blue] = static_cast<std::uint8_t>(test::slow_y(&row[3 * blue]));
          new_y[blue] = static_cast<std::uint8_t>(y[blue] * 37 + 11);
        }
        expected = row;
        for (std::size_t i = 0; i < 256; ++i) {
          Lut lut;
          lut[y[i]] = new_y[i];
          test::slow_replace_luma(&expected[3 * i], lut);
        }
        kernels.replace_luma(row.data(), 256, 3, y.data(), new_y.data());
        ASSERT_EQ(row, expected) << kernels.name << ' ' << red << ' ' << green;
      }
    }
  }
}

}  // namespace
}  // namespace gpuhisto
