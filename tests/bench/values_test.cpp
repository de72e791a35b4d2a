// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "values.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "bench_input.hpp"
#include "bench_values.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto::app {
namespace {

/// What the error says; "" when there is none.
template <typename Work>
std::string usage(Work work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "";
}

TEST(BenchValues, Numbers) {
  EXPECT_EQ(parse_number("0", "a size"), 0u);
  EXPECT_EQ(parse_number("1000000", "a size"), 1000000u);
  EXPECT_EQ(parse_number("1M", "a size"), 1000000u);
  EXPECT_EQ(parse_number("3k", "a size"), 3000u);
  EXPECT_EQ(parse_number("16Mi", "a size"), 16777216u);
  EXPECT_EQ(parse_number("2^20", "a size"), 1048576u);
  EXPECT_EQ(parse_number("3^0", "a size"), 1u);
  EXPECT_EQ(parse_number("2^63", "a size"), std::uint64_t{1} << 63);
  EXPECT_EQ(parse_numbers("1,2K,2^3", "sizes"), (std::vector<std::uint64_t>{1, 2000, 8}));
  for (const char* bad : {"", "M", "1MM", "1X", "1Mib", "-1", "2^", "^2", "2^64", "2^2^2", "1.5M", "99999999999T", " 1",
                          "0x10", "1Mj", "1i"})
    EXPECT_NE(usage([&] { (void)parse_number(bad, "a size"); }), "") << bad;
  for (const char* bad : {"", "1,", ",1", "1,,2"})
    EXPECT_NE(usage([&] { (void)parse_numbers(bad, "sizes"); }), "") << bad;
}

TEST(BenchValues, Seconds) {
  EXPECT_DOUBLE_EQ(parse_seconds("0.5"), 0.5);
  EXPECT_DOUBLE_EQ(parse_seconds("2"), 2);
  for (const char* bad : {"", "-1", "nan", "inf", "1s", "1,5"})
    EXPECT_NE(usage([&] { (void)parse_seconds(bad); }), "") << bad;
}

TEST(BenchValues, Patterns) {
  EXPECT_EQ(parse_patterns("all", bench::Keys::kPixels).size(), std::size(kPatterns));
  const auto list = parse_patterns("zipf,entropy-3", bench::Keys::kPixels);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].pattern.pattern, Pattern::kZipf);
  EXPECT_EQ(list[1].pattern.entropy_k, 3u);
  EXPECT_EQ(usage([] { (void)parse_patterns("unifrom", bench::Keys::kPixels); }),
            "unknown pattern 'unifrom'; did you mean 'uniform'?");
  for (const auto& input : parse_patterns("all", bench::Keys::kU32)) EXPECT_NE(input.name, "photo");
  EXPECT_NE(usage([] { (void)parse_patterns("photo", bench::Keys::kU32); }), "");
}

TEST(BenchValues, Batches) {
  bench::Shape shape;
  parse_batch("256x128x4096", shape);
  EXPECT_EQ(shape.width, 256u);
  EXPECT_EQ(shape.height, 128u);
  EXPECT_EQ(shape.images, 4096u);
  for (const char* bad : {"", "1x2", "1x2x0", "1x2x3x4", "axbxc", "1x2x", "1x99999999x1"})
    EXPECT_NE(usage([&] { parse_batch(bad, shape); }), "") << bad;
}

TEST(BenchValues, Rounds) {
  EXPECT_EQ(parse_rounds("1"), 1u);
  EXPECT_EQ(parse_rounds("2^20"), 1u << 20);
  for (const char* bad : {"0", "2M", "2^32", "x"}) EXPECT_NE(usage([&] { (void)parse_rounds(bad); }), "") << bad;
}

TEST(BenchValues, SizesWhoseProductsWouldWrapAreLimits) {
  const auto fits = [](const bench::Shape& shape) {
    try {
      bench::check_size(shape);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kLimit);
      return false;
    }
    return true;
  };
  constexpr std::uint64_t kMost = std::uint64_t{1} << 48, kAll = ~std::uint64_t{0};
  bench::Shape shape;
  shape.width = kMost;
  EXPECT_TRUE(fits(shape));
  for (const std::uint64_t width : {kMost + 1, kAll}) {
    shape.width = width;
    EXPECT_FALSE(fits(shape));
  }
  shape.width = kAll / 3 + 1;  // three bytes of it are 3
  shape.channels = 3;
  EXPECT_FALSE(fits(shape));
  shape.width = std::uint64_t{1} << 62;  // four bytes of it are 0
  shape.keys = bench::Keys::kU32;
  EXPECT_FALSE(fits(shape));
  shape = {};
  shape.width = shape.height = shape.images = std::uint64_t{1} << 32;
  EXPECT_FALSE(fits(shape));
  shape.width = 0;
  shape.images = kAll;  // the counts of images without pixels are as many
  EXPECT_FALSE(fits(shape));
}

/// What keeps bench from loading an image where so much memory is available, which is a limit; "" when nothing does.
std::string load_with(std::uint64_t available, const std::string& header) {
  const std::string name = ::testing::TempDir() + "bench_values_test.pgm";
  std::ofstream(name) << header << std::string(1 << 20, 'a');
  Console console({});
  try {
    (void)load_image(name, limits_of_input(available), console);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kLimit);
    return error.what();
  }
  return "";
}

TEST(BenchValues, InputMayTakeHalfOfTheMemoryHoweverLarge) {
  EXPECT_EQ(limits_of_input(std::uint64_t{1} << 40).max_memory, std::uint64_t{1} << 39);
  EXPECT_EQ(limits_of_input({}).max_memory, DecodeOptions().max_memory);
  EXPECT_EQ(load_with(std::uint64_t{1} << 30, "P5 1024 1024 255\n"), "");
}

TEST(BenchValues, InputBeyondTheMemoryNamesNoOptionThatBenchHasNot) {
  const std::string small = "P5 1024 1024 255\n", huge = "P5 200000 200000 255\n";  // more than 2^33 pixels
  for (const std::string& text : {load_with(2, small), load_with(1 << 20, small), load_with(1 << 30, huge)}) {
    EXPECT_NE(text.find("that bench takes for one image"), std::string::npos) << text;
    EXPECT_EQ(text.find("--"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace gpuhisto::app
