// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "pictures.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <stdexcept>

namespace gpuhisto::test {
namespace {

namespace fs = std::filesystem;

void add_pictures(const fs::path& folder, std::vector<std::string>& list) {
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(folder, absent)) {
    const auto ending = entry.path().extension();
    if (ending == ".jpg" || ending == ".png" || ending == ".ppm") list.push_back(entry.path().string());
  }
  std::sort(list.begin(), list.end());
}

}  // namespace

std::vector<std::string> own_pictures() {
  std::vector<std::string> list;
  add_pictures(fs::path(GPUHISTO_SOURCE_DIR) / "data", list);
  if (list.size() < 5) throw std::runtime_error("the pictures in data/ are missing");
  return list;
}

std::vector<std::string> photos() {
  const char* named = std::getenv("GPUHISTO_TEST_PHOTOS");
  const fs::path folder = named ? fs::path(named) : fs::path(GPUHISTO_SOURCE_DIR) / ".." / "shared" / "photos";
  std::vector<std::string> list;
  add_pictures(folder / "camera", list);
  add_pictures(folder / "large", list);
  return list;
}

cv::Mat read_picture(const std::string& path, Turned turned) {
  // OpenCV drops alpha unless told to change nothing, and then turns nothing; only PNG here has alpha.
  cv::Mat image = cv::imread(path, cv::IMREAD_UNCHANGED);
  if (image.channels() == 3)
    image = cv::imread(path, cv::IMREAD_COLOR | (turned == Turned::kAsStored ? cv::IMREAD_IGNORE_ORIENTATION : 0));
  if (image.empty() || image.depth() != CV_8U) throw std::runtime_error("OpenCV does not read " + path);
  return image;
}

Histogram histogram_of(const cv::Mat& image, int channel) {
  constexpr int kSize = 256;
  const float range[] = {0, 256};
  const float* ranges[] = {range};
  cv::Mat counts;
  cv::calcHist(&image, 1, &channel, cv::Mat(), counts, 1, &kSize, ranges);
  Histogram histogram{};
  // Floats, exact below 2^24: larger bins are not to be trusted.
  for (int v = 0; v < kSize; ++v) {
    if (counts.at<float>(v) >= 16777216.f) throw std::runtime_error("more pixels in a bin than calcHist can count");
    histogram[static_cast<std::size_t>(v)] = static_cast<std::uint64_t>(counts.at<float>(v));
  }
  return histogram;
}

cv::Mat luma_of_picture(const cv::Mat& image) {
  if (image.channels() == 1) return image;
  cv::Mat luma;
  cv::cvtColor(image, luma, image.channels() == 4 ? cv::COLOR_BGRA2GRAY : cv::COLOR_BGR2GRAY);
  return luma;
}

}  // namespace gpuhisto::test
