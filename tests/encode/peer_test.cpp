// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// OpenCV reads what we write, and what it writes itself is no smaller (by more than 5 %).
#include <gtest/gtest.h>

#include <chrono>
#include <iostream>
#include <opencv2/imgcodecs.hpp>

#include "pictures.hpp"

namespace gpuhisto::test {
namespace {

// OpenCV's channel order is BGR(A).
cv::Mat to_opencv(const Picture& picture) {
  const int channels = picture.channels;
  cv::Mat mat(static_cast<int>(picture.height), static_cast<int>(picture.width), CV_MAKETYPE(CV_8U, channels));
  const auto packed = picture.packed();
  for (std::size_t i = 0; i < packed.size(); ++i) {
    const std::size_t c = i % static_cast<std::size_t>(channels);
    mat.data[channels >= 3 && c < 3 ? i - c + 2 - c : i] = packed[i];
  }
  return mat;
}

TEST(Peer, OpencvReadsTheSamePixels) {
  for (const Format format : {Format::kPng, Format::kPnm, Format::kPam, Format::kBmp})
    for (const int channels : {1, 3, 4})
      for (const auto& [width, height] : {std::pair{1u, 1u}, {1u, 9u}, {9u, 1u}, {33u, 17u}, {500u, 700u}}) {
        // OpenCV takes a color PAM's channels in its own order, and no alpha from one.
        if (channels == 4 ? format != Format::kPng : channels == 3 && format == Format::kPam) continue;
        const Picture picture = make_picture(Pattern::kPhoto, width, height, channels, 1);
        const cv::Mat expected = to_opencv(picture);
        const cv::Mat got = cv::imdecode(encode_to_memory(picture, format), channels == 4   ? cv::IMREAD_UNCHANGED
                                                                            : channels == 3 ? cv::IMREAD_COLOR
                                                                                            : cv::IMREAD_GRAYSCALE);
        ASSERT_EQ(got.size(), expected.size()) << static_cast<int>(format);
        ASSERT_EQ(got.type(), expected.type());
        ASSERT_EQ(cv::norm(got, expected, cv::NORM_INF), 0)
            << static_cast<int>(format) << " " << width << "x" << height;
      }
}

double milliseconds(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since).count();
}

TEST(Peer, FilesAreNotLargerThanOpencvs) {
  constexpr const char* kNames[] = {"noise", "photo", "constant", "sparse", "tiles", "ramp"};
  for (const Pattern pattern : kPatterns)
    for (const int channels : {1, 3, 4})
      for (const std::size_t side : {16u, 100u, 1000u}) {
        const Picture picture = make_picture(pattern, side, side, channels);
        const cv::Mat mat = to_opencv(picture);
        std::vector<uchar> theirs;
        auto since = std::chrono::steady_clock::now();
        cv::imencode(".png", mat, theirs);
        const double their_time = milliseconds(since);
        since = std::chrono::steady_clock::now();
        const auto ours = encode_to_memory(picture, Format::kPng);
        const double our_time = milliseconds(since);
        EXPECT_LE(static_cast<double>(ours.size()), 1.05 * static_cast<double>(theirs.size()))
            << kNames[static_cast<int>(pattern)] << " " << side << "x" << channels;
        if (side == 1000)
          std::cout << kNames[static_cast<int>(pattern)] << " 1000x1000x" << channels << ": " << ours.size()
                    << " bytes in " << our_time << " ms, OpenCV " << theirs.size() << " in " << their_time << " ms\n";
      }
}

}  // namespace
}  // namespace gpuhisto::test
