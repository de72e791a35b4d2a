// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// opencv_hist FILES...: the histograms of blue, green, red and gray of each file, as a C++ user of OpenCV computes
// them, on one thread; prints their sums over all files, by value.
#include <array>
#include <cstdio>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

namespace {

using Sums = std::array<std::array<double, 256>, 4>;

void add_histogram(const cv::Mat& image, int channel, std::array<double, 256>& sums) {
  const int bins = 256;
  const float range[] = {0, 256};
  const float* ranges[] = {range};
  cv::Mat histogram;
  cv::calcHist(&image, 1, &channel, cv::Mat(), histogram, 1, &bins, ranges);
  for (int v = 0; v < bins; ++v) sums[static_cast<std::size_t>(v)] += static_cast<double>(histogram.at<float>(v));
}

bool add_file(const char* name, Sums& sums) {
  const cv::Mat image = cv::imread(name, cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION);
  if (image.empty()) return false;
  cv::Mat gray;
  cv::cvtColor(image, gray, cv::COLOR_BGR2GRAY);
  for (int channel = 0; channel < 3; ++channel) add_histogram(image, channel, sums[static_cast<std::size_t>(channel)]);
  add_histogram(gray, 0, sums[3]);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  cv::setNumThreads(1);
  Sums sums{};
  for (int i = 1; i < argc; ++i) {
    if (add_file(argv[i], sums)) continue;
    std::fprintf(stderr, "opencv_hist: cannot read %s\n", argv[i]);
    return 1;
  }
  std::puts("value,luma,red,green,blue");
  for (std::size_t v = 0; v < 256; ++v)
    std::printf("%zu,%.0f,%.0f,%.0f,%.0f\n", v, sums[3][v], sums[2][v], sums[1][v], sums[0][v]);
  return 0;
}
