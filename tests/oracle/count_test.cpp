// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// The library's counts of whole files are those of OpenCV's imread, cvtColor and calcHist.
#include <gtest/gtest.h>

#include "gpuhisto/pipeline.hpp"
#include "pictures.hpp"

namespace gpuhisto::test {
namespace {

void expect_same_counts(const ImageHistogram& ours, const cv::Mat& image) {
  EXPECT_EQ(ours.channels, ChannelSet::of_image(image.channels()));
  EXPECT_EQ(ours.pixels, image.total());
  EXPECT_EQ(ours[Channel::kLuma], histogram_of(luma_of_picture(image)));
  if (image.channels() < 3) return;
  EXPECT_EQ(ours[Channel::kBlue], histogram_of(image, 0));
  EXPECT_EQ(ours[Channel::kGreen], histogram_of(image, 1));
  EXPECT_EQ(ours[Channel::kRed], histogram_of(image, 2));
  if (image.channels() < 4) return;
  EXPECT_EQ(ours[Channel::kAlpha], histogram_of(image, 3));
}

void expect_same_counts(const std::string& path) {
  SCOPED_TRACE(path);
  const cv::Mat image = read_picture(path, Turned::kAsStored);
  for (const int threads : {1, 2}) {
    SCOPED_TRACE(threads);
    const FileResult result = count_file(input_named(path), {}, threads);
    ASSERT_EQ(result.status, Status::kOk) << result.error;
    EXPECT_EQ(result.width, static_cast<std::uint64_t>(image.cols));
    EXPECT_EQ(result.height, static_cast<std::uint64_t>(image.rows));
    expect_same_counts(result.histogram, image);

    const auto source = open_file(path);
    const auto decoder = open_decoder(*source, {});
    expect_same_counts(count_rows(*decoder, {}, threads), image);
  }
}

TEST(OracleCounts, OwnPictures) {
  for (const auto& path : own_pictures()) expect_same_counts(path);
}

TEST(OracleCounts, Photos) {
  const auto list = photos();
  if (list.empty()) GTEST_SKIP() << "../shared/photos is not here";
  for (const auto& path : list) expect_same_counts(path);
}

}  // namespace
}  // namespace gpuhisto::test
