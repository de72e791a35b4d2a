// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Real photos, as OpenCV sees them.
#pragma once

#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "gpuhisto/histogram.hpp"
#include "gpuhisto/pipeline.hpp"

namespace gpuhisto::test {

enum class Turned { kAsStored, kUpright };

/// The pictures in data/; at least five, or the test program is broken.
std::vector<std::string> own_pictures();
/// Camera photos of GPUHISTO_TEST_PHOTOS, or of shared/photos beside the project; none where there is no such folder.
std::vector<std::string> photos();

inline Input input_named(const std::string& path) {
  Input input;
  input.name = path;
  return input;
}

/// Gray, BGR or, with alpha, BGRA, by OpenCV's own decoders and its own reading of the orientation tag.
cv::Mat read_picture(const std::string& path, Turned turned);
/// calcHist of one channel of `image`.
Histogram histogram_of(const cv::Mat& image, int channel = 0);
/// cvtColor's gray, of gray itself.
cv::Mat luma_of_picture(const cv::Mat& image);

}  // namespace gpuhisto::test
