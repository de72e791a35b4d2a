// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "gpuhisto/pipeline.hpp"

namespace gpuhisto {
namespace {

namespace fs = std::filesystem;

class CountFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "gpuhisto-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& bytes) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  /// A PPM of random pixels, and its luma counts by a plain loop.
  std::string random_ppm(std::size_t width, std::size_t height, Histogram& luma) {
    std::mt19937 random(7);
    std::string bytes = "P6 " + std::to_string(width) + " " + std::to_string(height) + " 255\n";
    luma.fill(0);
    for (std::size_t i = 0; i < width * height; ++i) {
      const auto r = static_cast<std::uint8_t>(random()), g = static_cast<std::uint8_t>(random()),
                 b = static_cast<std::uint8_t>(random());
      bytes += {static_cast<char>(r), static_cast<char>(g), static_cast<char>(b)};
      ++luma[static_cast<std::size_t>((9798 * r + 19235 * g + 3735 * b + 16384) >> 15)];
    }
    return write("random.ppm", bytes);
  }

  static Input input(const std::string& name) {
    Input result;
    result.name = name;
    return result;
  }

  CountOptions options_;
  fs::path folder_;
};

TEST_F(CountFile, any_number_of_threads_counts_the_same) {
  Histogram luma;
  const std::string path = random_ppm(1237, 771, luma);  // several strips
  for (const int threads : {1, 2, 3, 8}) {
    const FileResult result = count_file(input(path), options_, threads);
    ASSERT_EQ(result.status, Status::kOk) << result.error;
    EXPECT_EQ(result.histogram.pixels, 1237u * 771u);
    EXPECT_EQ(result.histogram[Channel::kLuma], luma);
  }
}

TEST_F(CountFile, errors_are_results) {
  EXPECT_EQ(count_file(input((folder_ / "missing").string()), options_, 1).error_kind, ErrorKind::kIo);
  const FileResult text = count_file(input(write("a.txt", "hello, this is no image")), options_, 1);
  EXPECT_EQ(text.status, Status::kError);
  EXPECT_EQ(text.error_kind, ErrorKind::kInput);
  const FileResult cut = count_file(input(write("cut.ppm", "P6 100 100 255\nabc")), options_, 2);
  EXPECT_EQ(cut.status, Status::kError);
  EXPECT_EQ(cut.histogram.pixels, 0u);
}

TEST_F(CountFile, what_is_no_image_in_a_folder_is_skipped) {
  Input from_folder = input(write("a.txt", "hello, this is no image"));
  from_folder.from_folder = true;
  EXPECT_EQ(count_file(from_folder, options_, 1).status, Status::kSkipped);
}

TEST_F(CountFile, strict_makes_flags_errors) {
  const std::string path = write("sixteen.pgm", std::string("P5 1 1 65535\n") + std::string(2, '\x40'));
  EXPECT_TRUE(count_file(input(path), options_, 1).flags.has(Flag::kReduced16));
  options_.strict = true;
  const FileResult result = count_file(input(path), options_, 1);
  EXPECT_EQ(result.status, Status::kError);
  EXPECT_NE(result.error.find("--strict"), std::string::npos);
}

TEST_F(CountFile, a_file_beyond_its_share_of_memory_runs_alone) {
  // A TGA is held whole: 400 x 400 RGB need 480 kB, more than an eighth of a megabyte.
  std::string bytes(18, '\0');
  bytes[2] = 2;
  bytes[12] = bytes[14] = static_cast<char>(400 & 255);
  bytes[13] = bytes[15] = static_cast<char>(400 >> 8);
  bytes[16] = 24;
  const std::string path = write("big.tga", bytes + std::string(400 * 400 * 3, 'x'));
  options_.decode.max_memory = std::uint64_t{8} << 20;
  options_.workers = 64;
  const FileResult alone = count_file(input(path), options_, 1);
  EXPECT_EQ(alone.status, Status::kOk) << alone.error;
  options_.decode.max_memory = 100'000;
  const FileResult refused = count_file(input(path), options_, 1);
  EXPECT_EQ(refused.error_kind, ErrorKind::kLimit);
  EXPECT_NE(refused.error.find("--max-memory"), std::string::npos) << refused.error;
}

TEST_F(CountFile, pixel_limit_is_named) {
  Histogram luma;
  const std::string path = random_ppm(10, 10, luma);
  options_.decode.max_pixels = 99;
  const FileResult result = count_file(input(path), options_, 1);
  EXPECT_EQ(result.error_kind, ErrorKind::kTooLarge);
  EXPECT_NE(result.error.find("--max-pixels"), std::string::npos) << result.error;
}

}  // namespace
}  // namespace gpuhisto
