// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Whole files through CLAHE into PNG are what OpenCV's CLAHE makes of the stored pixels, then put upright.
#include "gpuhisto/clahe.hpp"

#include <gtest/gtest.h>

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "encode/temporary_folder.hpp"
#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/convert.hpp"
#include "gpuhisto/pipeline.hpp"
#include "pictures.hpp"

namespace gpuhisto::test {
namespace {

constexpr ClaheOptions kOptions = {3.5, 6, 9, 1};

void clahe_by_opencv(cv::Mat& plane) {
  cv::createCLAHE(kOptions.clip_limit, {static_cast<int>(kOptions.tiles_across), static_cast<int>(kOptions.tiles_down)})
      ->apply(plane, plane);
}

cv::Mat clahe_of_color(const cv::Mat& bgr) {
  cv::Mat ycrcb, y, result;
  cv::cvtColor(bgr, ycrcb, cv::COLOR_BGR2YCrCb);
  cv::extractChannel(ycrcb, y, 0);
  clahe_by_opencv(y);
  cv::insertChannel(y, ycrcb, 0);
  cv::cvtColor(ycrcb, result, cv::COLOR_YCrCb2BGR);
  return result;
}

/// Alpha is passed on; gray with alpha is read by OpenCV as BGRA.
cv::Mat mapped(const cv::Mat& stored, bool gray) {
  cv::Mat result, luma = luma_of_picture(stored), color = stored;
  std::vector<cv::Mat> planes;
  cv::split(stored, planes);
  const bool alpha = stored.channels() == 4;
  if (alpha) cv::cvtColor(stored, color, cv::COLOR_BGRA2BGR);
  if (gray || stored.channels() == 1) {
    clahe_by_opencv(luma);
    result = luma;
    if (alpha) cv::cvtColor(luma, result, cv::COLOR_GRAY2BGR);
  } else {
    result = clahe_of_color(color);
  }
  if (!alpha) return result;
  std::vector<cv::Mat> with_alpha;
  cv::split(result, with_alpha);
  with_alpha.push_back(planes[3]);
  cv::merge(with_alpha, result);
  return result;
}

cv::Mat upright(const cv::Mat& stored, int orientation) {
  const std::size_t row = static_cast<std::size_t>(stored.cols * stored.channels());
  Image image(static_cast<std::size_t>(stored.cols), static_cast<std::size_t>(stored.rows), stored.channels());
  for (int y = 0; y < stored.rows; ++y) std::copy_n(stored.ptr(y), row, image.view().row(static_cast<std::size_t>(y)));
  image = orient(std::move(image), orientation);
  return cv::Mat(static_cast<int>(image.height()), static_cast<int>(image.width()), stored.type(), image.view().data)
      .clone();
}

int orientation_of(const std::string& path) {
  const auto source = open_file(path);
  return open_decoder(*source, {})->info().orientation;
}

class OracleClahe : public TemporaryFolder {
 protected:
  void expect_same(const std::vector<std::string>& pictures) {
    for (const auto& picture : pictures)
      for (const bool gray : {false, true}) {
        SCOPED_TRACE(picture + (gray ? " gray" : ""));
        MapFileOptions options;
        options.gray = gray;
        options.clahe = kOptions;
        const FileResult result = map_file(input_named(picture), path("out.png"), options, 2);
        ASSERT_EQ(result.status, Status::kOk) << result.error;
        const cv::Mat ours = cv::imread(path("out.png"), cv::IMREAD_UNCHANGED);
        const cv::Mat stored = read_picture(picture, Turned::kAsStored);
        const cv::Mat expected = upright(mapped(stored, gray), orientation_of(picture));
        ASSERT_EQ(ours.size(), expected.size());
        ASSERT_EQ(ours.type(), expected.type());
        EXPECT_EQ(cv::norm(ours, expected, cv::NORM_INF), 0);
      }
  }
};

TEST_F(OracleClahe, OwnPictures) { expect_same(own_pictures()); }

TEST_F(OracleClahe, Photos) {
  const auto list = photos();
  if (list.empty()) GTEST_SKIP() << "../shared/photos is not here";
  expect_same(list);
}

}  // namespace
}  // namespace gpuhisto::test
