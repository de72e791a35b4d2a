// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Whole files equalised into PNG are what a pipeline of OpenCV's own steps makes of them.
#include "gpuhisto/equalize.hpp"

#include <gtest/gtest.h>

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "encode/temporary_folder.hpp"
#include "gpuhisto/pipeline.hpp"
#include "near_ties.hpp"
#include "pictures.hpp"

namespace gpuhisto::test {
namespace {

enum class How { kGray, kLuma, kEach };

/// equalizeHist, but where its floats missed a near tie: there the exact value.
cv::Mat equalized(const cv::Mat& plane) {
  cv::Mat result;
  cv::equalizeHist(plane, result);
  const Histogram histogram = histogram_of(plane);
  const Lut exact = slow_lut(histogram);
  Lut theirs = exact;  // values that do not occur cannot be seen
  for (int y = 0; y < plane.rows; ++y)
    for (int x = 0; x < plane.cols; ++x) theirs[plane.ptr(y)[x]] = result.ptr(y)[x];
  if (expect_equal_but_for_near_ties(histogram, exact, theirs) == 0) return result;
  cv::LUT(plane, cv::Mat(1, 256, CV_8UC1, const_cast<std::uint8_t*>(exact.data())), result);
  return result;
}

cv::Mat equalized_luma(const cv::Mat& bgr) {
  cv::Mat ycrcb, result;
  std::vector<cv::Mat> planes;
  cv::cvtColor(bgr, ycrcb, cv::COLOR_BGR2YCrCb);
  cv::split(ycrcb, planes);
  planes[0] = equalized(planes[0]);
  cv::merge(planes, ycrcb);
  cv::cvtColor(ycrcb, result, cv::COLOR_YCrCb2BGR);
  return result;
}

/// What gpuhisto is to make of `image`; alpha is passed on.
cv::Mat expected_from(const cv::Mat& image, How how) {
  if (image.channels() == 1) return equalized(image);
  std::vector<cv::Mat> planes;
  cv::split(image, planes);
  cv::Mat color, result, alpha = image.channels() == 4 ? planes[3] : cv::Mat();
  planes.resize(3);
  cv::merge(planes, color);
  if (how == How::kGray) {
    result = equalized(luma_of_picture(image));
    planes.assign(3, result);  // OpenCV reads gray with alpha as BGRA
    if (!alpha.empty()) cv::merge(planes, result);
  } else if (how == How::kLuma) {
    result = equalized_luma(color);
  } else {
    for (auto& plane : planes) plane = equalized(plane);
    cv::merge(planes, result);
  }
  if (alpha.empty()) return result;
  cv::split(result, planes);
  planes.push_back(alpha);
  cv::merge(planes, result);
  return result;
}

class OracleEqualize : public TemporaryFolder {
 protected:
  void expect_same(const std::string& path, How how, int threads) {
    SCOPED_TRACE(path + (how == How::kGray ? " gray" : how == How::kLuma ? " luma" : " each"));
    MapFileOptions options;
    options.gray = how == How::kGray;
    options.operation = std::make_shared<Equalization>(how == How::kEach ? ToneMode::kEach : ToneMode::kLuma);
    const std::string output = this->path("out.png");
    const FileResult result = map_file(input_named(path), output, options, threads);
    ASSERT_EQ(result.status, Status::kOk) << result.error;
    const cv::Mat ours = cv::imread(output, cv::IMREAD_UNCHANGED);
    const cv::Mat expected = expected_from(read_picture(path, Turned::kUpright), how);
    ASSERT_EQ(ours.size(), expected.size());
    ASSERT_EQ(ours.type(), expected.type());
    EXPECT_EQ(cv::norm(ours, expected, cv::NORM_INF), 0);
  }

  void expect_same(const std::vector<std::string>& pictures) {
    for (const auto& picture : pictures)
      for (const How how : {How::kGray, How::kLuma, How::kEach}) expect_same(picture, how, how == How::kEach ? 1 : 2);
  }
};

TEST_F(OracleEqualize, OwnPictures) { expect_same(own_pictures()); }

TEST_F(OracleEqualize, Photos) {
  const auto list = photos();
  if (list.empty()) GTEST_SKIP() << "../shared/photos is not here";
  expect_same(list);
}

}  // namespace
}  // namespace gpuhisto::test
