// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// opencv_equalize gray|luma IN OUT: equalises an image as a C++ user of OpenCV does: in gray, or Y of YCrCb.
#include <cstdio>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <string_view>
#include <vector>

namespace {

cv::Mat equalize_gray(const cv::Mat& image) {
  cv::Mat gray;
  cv::cvtColor(image, gray, cv::COLOR_BGR2GRAY);
  cv::equalizeHist(gray, gray);
  return gray;
}

cv::Mat equalize_luma(const cv::Mat& image) {
  cv::Mat ycrcb, result;
  cv::cvtColor(image, ycrcb, cv::COLOR_BGR2YCrCb);
  std::vector<cv::Mat> planes;
  cv::split(ycrcb, planes);
  cv::equalizeHist(planes[0], planes[0]);
  cv::merge(planes, ycrcb);
  cv::cvtColor(ycrcb, result, cv::COLOR_YCrCb2BGR);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc == 4 ? argv[1] : "";
  if (mode != "gray" && mode != "luma") {
    std::fputs("usage: opencv_equalize gray|luma IN OUT\n", stderr);
    return 2;
  }
  const cv::Mat image = cv::imread(argv[2], cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION);
  if (image.empty()) {
    std::fprintf(stderr, "opencv_equalize: cannot read %s\n", argv[2]);
    return 1;
  }
  if (!cv::imwrite(argv[3], mode == "gray" ? equalize_gray(image) : equalize_luma(image))) return 1;
  return 0;
}
