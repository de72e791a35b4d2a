// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// The library's distances are those of OpenCV's compareHist, which computes them from floats.
#include "gpuhisto/compare.hpp"

#include <gtest/gtest.h>

#include <opencv2/imgproc.hpp>
#include <random>

#include "gpuhisto/pipeline.hpp"
#include "pictures.hpp"

namespace gpuhisto::test {
namespace {

cv::Mat scaled(const Histogram& histogram) {
  cv::Mat bins(kBins, 1, CV_64F);
  for (int v = 0; v < static_cast<int>(kBins); ++v)
    bins.at<double>(v) = static_cast<double>(histogram[static_cast<std::size_t>(v)]);
  bins /= cv::sum(bins)[0];
  bins.convertTo(bins, CV_32F);
  return bins;
}

void expect_like_opencv(const Histogram& a, const Histogram& b) {
  const cv::Mat p = scaled(a), q = scaled(b);
  const auto d = compare_histograms(a, b);
  ASSERT_TRUE(d);
  EXPECT_NEAR(d->l1, cv::norm(p, q, cv::NORM_L1), 1e-5);
  EXPECT_NEAR(d->chi_square, cv::compareHist(p, q, cv::HISTCMP_CHISQR), 1e-4 * (1 + d->chi_square));
  EXPECT_NEAR(d->intersection, cv::compareHist(p, q, cv::HISTCMP_INTERSECT), 1e-5);
  // The square root of a difference near zero: a rounding of 1e-7 there is one of 3e-4 here.
  EXPECT_NEAR(d->bhattacharyya, cv::compareHist(p, q, cv::HISTCMP_BHATTACHARYYA), d->bhattacharyya > 0.1 ? 1e-5 : 1e-3);
}

TEST(OracleCompare, OwnPictures) {
  std::vector<Histogram> lumas;
  for (const auto& path : own_pictures())
    lumas.push_back(count_file(input_named(path), {}, 1).histogram[Channel::kLuma]);
  ASSERT_GT(lumas.size(), 2u);
  for (const Histogram& a : lumas)
    for (const Histogram& b : lumas) expect_like_opencv(a, b);
}

TEST(OracleCompare, RandomHistogramsWithEmptyBins) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    Histogram a{}, b{};
    for (std::size_t v = 0; v < kBins; ++v) {
      a[v] = random() % 3 ? random() >> 40 : 0;
      b[v] = random() % 3 ? random() >> 44 : 0;
    }
    expect_like_opencv(a, b);
  }
}

}  // namespace
}  // namespace gpuhisto::test
