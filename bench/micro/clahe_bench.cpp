// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// CLAHE in memory beside OpenCV's, both on THREADS threads (default 2): clahe_bench [THREADS]. Gray, and the Y of
// colours with the way to YCrCb and back. Each result is compared before it is timed; rounds alternate, ours and
// theirs, and medians are printed. GPUHISTO_BENCH_PHOTO names a JPEG to tile (default: the synthetic pattern).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "gpuhisto/clahe.hpp"
#include "ops/clahe_map.hpp"
#include "photo.hpp"

namespace gpuhisto {
namespace {

constexpr int kRounds = 31;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

void clahe_by_opencv(cv::Mat& image, cv::CLAHE& clahe) {
  if (image.channels() == 1) return clahe.apply(image, image);
  cv::Mat ycrcb, y;
  cv::cvtColor(image, ycrcb, cv::COLOR_RGB2YCrCb);
  cv::extractChannel(ycrcb, y, 0);
  clahe.apply(y, y);
  cv::insertChannel(y, ycrcb, 0);
  cv::cvtColor(ycrcb, image, cv::COLOR_YCrCb2RGB);
}

struct Case {
  std::size_t width, height;
  int channels;
  std::size_t tiles;
};

/// Calls work(image) on fresh copies and returns the time of the calls.
template <class Work>
double timed(const cv::Mat& source, cv::Mat& image, const Work& work) {
  source.copyTo(image);
  const double start = seconds();
  work();
  return seconds() - start;
}

int compare(const Case& one, int threads) {
  const std::size_t pixels = one.width * one.height;
  auto bytes = photo(pixels * static_cast<std::size_t>(one.channels), one.channels);
  const cv::Mat source(static_cast<int>(one.height), static_cast<int>(one.width), CV_8UC(one.channels), bytes.data());
  cv::Mat ours, theirs;
  const auto peer = cv::createCLAHE(2, {static_cast<int>(one.tiles), static_cast<int>(one.tiles)});
  const ClaheOptions options = {2, one.tiles, one.tiles, threads};
  const auto run_theirs = [&] { clahe_by_opencv(theirs, *peer); };
  for (const ops::Kernels& kernels : ops::kernels()) {
    const auto run_ours = [&] {
      ops::clahe({ours.data, one.width, one.height, one.channels, ours.step}, options, kernels);
    };
    timed(source, ours, run_ours);
    timed(source, theirs, run_theirs);
    if (cv::norm(ours, theirs, cv::NORM_INF) != 0) {
      std::fprintf(stderr, "clahe_bench: the results differ\n");
      return 5;
    }
    std::vector<double> our_times, their_times;
    for (int round = 0; round < kRounds; ++round) {
      our_times.push_back(timed(source, ours, run_ours));
      their_times.push_back(timed(source, theirs, run_theirs));
    }
    const double mine = median(our_times), other = median(their_times);
    std::printf("| %s, %.1f Mpix, %zux%zu tiles | %s | %.2f | %.2f | %.2f |\n", one.channels == 1 ? "gray" : "RGB",
                static_cast<double>(pixels) / 1e6, one.tiles, one.tiles, std::string(kernels.name).c_str(), 1e3 * mine,
                1e3 * other, other / mine);
  }
  return 0;
}

}  // namespace
}  // namespace gpuhisto

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 2;
  cv::setNumThreads(threads);
  std::printf("%d threads\n\n| image | our kernels | ours, ms | OpenCV, ms | ratio |\n|---|---|---|---|---|\n",
              threads);
  for (const gpuhisto::Case& one : {gpuhisto::Case{4000, 3000, 1, 8},
                                    {4032, 3024, 1, 8},
                                    {4000, 3000, 1, 64},
                                    {4000, 3000, 3, 8},
                                    {512, 512, 1, 8}})
    if (const int exit = gpuhisto::compare(one, threads)) return exit;
}
