// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Counting on one thread beside OpenCV's: gray with calcHist, RGB and luma with cvtColor and four calcHist. Each result
// is compared before it is timed. Every pair is measured alternately, ours and theirs, in the thread's own time, and
// the medians' ratio printed first; then Google Benchmark's own table. GPUHISTO_BENCH_PHOTO names a JPEG to tile as
// "photo" (default: the synthetic pattern). For the table:
//   count_bench --benchmark_enable_random_interleaving=true --benchmark_repetitions=9
//               --benchmark_report_aggregates_only=true
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <opencv2/core/utility.hpp>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "gpuhisto/histogram.hpp"
#include "gpuhisto/pattern.hpp"
#include "photo.hpp"

namespace gpuhisto {
namespace {

struct Size {
  std::size_t width, height;
  int rounds;  ///< of the alternating measurement
};
constexpr Size kLarge = {4096, 4096, 15}, kSmall = {128, 128, 2001};

struct Input {
  std::string name;
  Size size;
  int channels;
  std::vector<std::uint8_t> pixels;

  ImageView view() const {
    const auto step = static_cast<std::size_t>(channels);
    return {pixels.data(), size.width, size.height, channels, size.width * step};
  }
  cv::Mat mat() const {
    return {static_cast<int>(size.height), static_cast<int>(size.width), channels == 1 ? CV_8UC1 : CV_8UC3,
            const_cast<std::uint8_t*>(pixels.data())};
  }
};

using Peer = std::vector<cv::Mat>;  // luma, red, green, blue

cv::Mat calc_hist(const cv::Mat& image, int channel) {
  const int bins = 256;
  const float range[] = {0, 256};
  const float* ranges[] = {range};
  cv::Mat histogram;
  cv::calcHist(&image, 1, &channel, cv::Mat(), histogram, 1, &bins, ranges);
  return histogram;
}

Peer count_opencv(const Input& input) {
  const cv::Mat image = input.mat();
  if (input.channels == 1) return {calc_hist(image, 0)};
  cv::Mat luma;
  cv::cvtColor(image, luma, cv::COLOR_RGB2GRAY);
  return {calc_hist(luma, 0), calc_hist(image, 0), calc_hist(image, 1), calc_hist(image, 2)};
}

void verify(const Input& input) {
  const auto ours = count_image(input.view(), {}, 1);
  const Peer theirs = count_opencv(input);
  for (std::size_t c = 0; c < theirs.size(); ++c)
    for (std::size_t v = 0; v < kBins; ++v)
      if (static_cast<double>(ours.counts[c][v]) != static_cast<double>(theirs[c].at<float>(static_cast<int>(v)))) {
        std::fprintf(stderr, "%s: channel %zu, bin %zu differs from OpenCV\n", input.name.c_str(), c, v);
        std::exit(5);
      }
}

double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

void compare(const Input& input) {
  std::vector<double> ours, theirs;
  for (int round = 0; round < input.size.rounds; ++round) {
    const double start = thread_seconds();
    benchmark::DoNotOptimize(count_opencv(input));
    const double middle = thread_seconds();
    benchmark::DoNotOptimize(count_image(input.view(), {}, 1));
    ours.push_back(thread_seconds() - middle);
    theirs.push_back(middle - start);
  }
  const double pixels = static_cast<double>(input.size.width * input.size.height);
  std::printf("%-26s ours %8.1f Mpix/s   OpenCV %8.1f Mpix/s   ratio %.2f\n", input.name.c_str(),
              pixels / median(ours) / 1e6, pixels / median(theirs) / 1e6, median(theirs) / median(ours));
}

void add_benchmarks(const Input& input) {
  const auto pixels = static_cast<std::int64_t>(input.size.width * input.size.height);
  benchmark::RegisterBenchmark((input.name + "/gpuhisto").c_str(), [&input, pixels](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(count_image(input.view(), {}, 1));
    state.SetItemsProcessed(state.iterations() * pixels);
  });
  benchmark::RegisterBenchmark((input.name + "/opencv").c_str(), [&input, pixels](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(count_opencv(input));
    state.SetItemsProcessed(state.iterations() * pixels);
  });
}

std::vector<Input> make_inputs() {
  std::vector<Input> inputs;
  for (const Size& size : {kLarge, kSmall})
    for (const int channels : {1, 3})
      for (const auto& [name, spec] : kPatterns) {
        const std::size_t n = size.width * size.height * static_cast<std::size_t>(channels);
        Input input{(channels == 1 ? "gray/" : "rgb/") + std::to_string(size.width) + "/" + name, size, channels, {}};
        if (spec.pattern == Pattern::kPhoto) {
          input.pixels = photo(n, channels);
        } else {
          input.pixels.resize(n);
          fill_pattern(input.pixels.data(), n, spec, 7);
        }
        inputs.push_back(std::move(input));
      }
  return inputs;
}

}  // namespace
}  // namespace gpuhisto

int main(int argc, char** argv) {
  cv::setNumThreads(1);
  benchmark::Initialize(&argc, argv);
  const auto inputs = gpuhisto::make_inputs();
  for (const auto& input : inputs) {
    gpuhisto::verify(input);
    gpuhisto::compare(input);
    gpuhisto::add_benchmarks(input);
  }
  benchmark::RunSpecifiedBenchmarks();
}
