// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// opencv_equalize gray|luma|clahe-gray|clahe-luma IN OUT: equalises an image as a C++ user of OpenCV does: in gray, or
// Y of YCrCb; the whole of it, or by its CLAHE with 8x8 tiles and a limit of 2.
#include <cstdio>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <string_view>
#include <vector>

namespace {

void equalize(cv::Mat& plane, bool clahe) {
  if (clahe)
    cv::createCLAHE(2, {8, 8})->apply(plane, plane);
  else
    cv::equalizeHist(plane, plane);
}

cv::Mat equalize_gray(const cv::Mat& image, bool clahe) {
  cv::Mat gray;
  cv::cvtColor(image, gray, cv::COLOR_BGR2GRAY);
  equalize(gray, clahe);
  return gray;
}

cv::Mat equalize_luma(const cv::Mat& image, bool clahe) {
  cv::Mat ycrcb, result;
  cv::cvtColor(image, ycrcb, cv::COLOR_BGR2YCrCb);
  std::vector<cv::Mat> planes;
  cv::split(ycrcb, planes);
  equalize(planes[0], clahe);
  cv::merge(planes, ycrcb);
  cv::cvtColor(ycrcb, result, cv::COLOR_YCrCb2BGR);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc == 4 ? argv[1] : "";
  const bool clahe = mode.substr(0, 6) == "clahe-";
  const std::string_view channel = mode.substr(clahe ? 6 : 0);
  if (channel != "gray" && channel != "luma") {
    std::fputs("usage: opencv_equalize gray|luma|clahe-gray|clahe-luma IN OUT\n", stderr);
    return 2;
  }
  const cv::Mat image = cv::imread(argv[2], cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION);
  if (image.empty()) {
    std::fprintf(stderr, "opencv_equalize: cannot read %s\n", argv[2]);
    return 1;
  }
  const cv::Mat result = channel == "gray" ? equalize_gray(image, clahe) : equalize_luma(image, clahe);
  if (!cv::imwrite(argv[3], result)) return 1;
  return 0;
}
