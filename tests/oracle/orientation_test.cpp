// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Equalised photos stand as their orientation tag says.
#include <gtest/gtest.h>

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "encode/temporary_folder.hpp"
#include "gpuhisto/equalize.hpp"
#include "gpuhisto/pipeline.hpp"
#include "pictures.hpp"

namespace gpuhisto::test {
namespace {

const std::string kTurned = std::string(GPUHISTO_SOURCE_DIR) + "/data/portrait_turned.jpg";  // orientation 6

class OracleOrientation : public TemporaryFolder {
 protected:
  void equalize_into(const std::string& name) {
    MapFileOptions options;
    options.operation = std::make_shared<Equalization>(ToneMode::kEach);
    const FileResult result = map_file(input_named(kTurned), path(name), options, 2);
    ASSERT_EQ(result.status, Status::kOk) << result.error;
  }
};

/// Channel by channel, pixel by pixel: the stored column x is the upright row x, from the bottom.
cv::Mat turned_clockwise(const cv::Mat& stored) {
  cv::Mat upright(stored.cols, stored.rows, stored.type());
  for (int y = 0; y < stored.rows; ++y)
    for (int x = 0; x < stored.cols; ++x) upright.at<cv::Vec3b>(x, stored.rows - 1 - y) = stored.at<cv::Vec3b>(y, x);
  return upright;
}

TEST_F(OracleOrientation, PngIsUpright) {
  ASSERT_NO_FATAL_FAILURE(equalize_into("out.png"));
  cv::Mat expected = turned_clockwise(read_picture(kTurned, Turned::kAsStored));
  ASSERT_EQ(cv::norm(expected, read_picture(kTurned, Turned::kUpright), cv::NORM_INF), 0) << "OpenCV turns otherwise";
  std::vector<cv::Mat> planes;
  cv::split(expected, planes);
  for (auto& plane : planes) cv::equalizeHist(plane, plane);
  cv::merge(planes, expected);
  const cv::Mat ours = cv::imread(path("out.png"), cv::IMREAD_UNCHANGED);
  ASSERT_EQ(ours.size(), expected.size());
  EXPECT_LE(cv::norm(ours, expected, cv::NORM_INF), 1);  // equalizeHist's near ties
}

TEST_F(OracleOrientation, JpegKeepsItsPixelsPlaceAndTag) {
  ASSERT_NO_FATAL_FAILURE(equalize_into("out.jpg"));
  const auto source = open_file(kTurned), written = open_file(path("out.jpg"));
  const auto before = open_decoder(*source, {}), after = open_decoder(*written, {});
  EXPECT_EQ(before->info().orientation, 6);
  EXPECT_EQ(after->info().orientation, 6);
  EXPECT_EQ(after->info().width, before->info().width);
  EXPECT_EQ(after->info().height, before->info().height);

  // The same picture by OpenCV's own reading of the tag, not merely the same size.
  equalize_into("out.png");
  const cv::Mat lossless = cv::imread(path("out.png"), cv::IMREAD_COLOR);
  const cv::Mat upright = cv::imread(path("out.jpg"), cv::IMREAD_COLOR);
  ASSERT_EQ(upright.size(), lossless.size());
  EXPECT_LT(cv::norm(upright, lossless, cv::NORM_L1) / static_cast<double>(upright.total() * 3), 4);
}

}  // namespace
}  // namespace gpuhisto::test
