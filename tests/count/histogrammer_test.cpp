// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <sstream>

#include "count/oracle.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/histogram.hpp"

namespace gpuhisto {
namespace {

using test::expect_same;
using test::naive_count;
using test::TestImage;

TEST(CountImage, EveryLengthAndMisalignment) {
  const std::size_t lengths[] = {0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 255, 256, 257, 4095, 4096, 4097};
  for (int channels = 1; channels <= 4; ++channels)
    for (const std::size_t n : lengths)
      for (std::size_t offset = 0; offset < 16; ++offset) {
        const TestImage image({n, 1, channels, 0, offset}, {}, n * 16 + offset);
        expect_same(count_image(image.view(), {}, 1), naive_count(image.view(), {}), std::to_string(n));
      }
}

TEST(CountImage, EveryNarrowWidthWithPoisonedPadding) {
  for (int channels = 1; channels <= 4; ++channels)
    for (std::size_t width = 1; width <= 70; ++width)
      for (const std::size_t padding : {0u, 1u, 13u}) {
        const TestImage image({width, 5, channels, padding, width % 16}, {}, width);
        expect_same(count_image(image.view(), {}, 1), naive_count(image.view(), {}), std::to_string(width));
      }
}

TEST(CountImage, EveryPatternAroundOneMebipixel) {
  constexpr std::size_t kMebi = std::size_t{1} << 20;
  for (const auto& [name, spec] : kPatterns)
    for (const std::size_t n : {kMebi - 1, kMebi + 1})
      for (const int channels : {1, 3}) {
        const TestImage image({n / static_cast<std::size_t>(channels), 1, channels, 0, 1}, spec, n);
        expect_same(count_image(image.view(), {}, 1), naive_count(image.view(), {}), name);
      }
}

/// One drawn case: shape, pattern, channels, luma, predicate, threads and a cutting into strips.
class DrawnCase {
 public:
  explicit DrawnCase(std::uint64_t seed) : random_(seed), seed_(seed) {}

  void run() {
    TestImage::Shape shape{below(300), below(40), 1 + static_cast<int>(below(4)), below(3) * below(20), below(16)};
    if (below(8) == 0) shape.width += 4000 + below(3000);
    if (below(16) == 0) shape.height += 500;
    const TestImage image(shape, kPatterns[below(std::size(kPatterns))].spec, random_());
    const TestImage mask({shape.width, shape.height, 1, below(9), below(16)}, {Pattern::kEntropy, 3}, random_());
    CountSpec spec;
    spec.channels = ChannelSet();
    for (const Channel c : kChannels)
      if (below(3) != 0) spec.channels.set(c);
    spec.luma = test::kLumaRules[below(5)];
    spec.predicate.skip_transparent = below(2) == 0;
    if (below(3) == 0) spec.predicate.mask = mask.view();
    if (below(3) == 0) spec.predicate.rectangle = Rectangle{below(320), below(50), below(320), below(50)};
    expect_same(count_in_strips(image.view(), spec), naive_count(image.view(), spec), describe(shape));
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  ImageHistogram count_in_strips(const ImageView& image, const CountSpec& spec) {
    const auto histogrammer = make_cpu_histogrammer(image.channels, spec, 1 + static_cast<int>(below(8)));
    for (std::size_t y = 0; y < image.height;) {
      const std::size_t rows = std::min(image.height - y, below(2) == 0 ? image.height : below(7));
      histogrammer->count(image.rows(y, rows), y);
      y += rows;
    }
    return histogrammer->finish();
  }

  std::string describe(const TestImage::Shape& shape) const {
    std::ostringstream text;
    text << "case seed " << seed_ << ": " << shape.width << 'x' << shape.height << 'x' << shape.channels << " padding "
         << shape.padding << " misalignment " << shape.misalignment;
    return text.str();
  }

  std::mt19937_64 random_;
  std::uint64_t seed_;
};

TEST(CountImage, DrawnCasesOfEveryDimension) {
  const std::uint64_t seed = std::random_device{}();
  std::cout << "cases from seed " << seed << '\n';
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  std::uint64_t n = 0;
  for (; n < 20 || (n < 2000 && std::chrono::steady_clock::now() < end); ++n) {
    DrawnCase(seed + n).run();
    if (HasFatalFailure()) return;
  }
  std::cout << n << " cases\n";
}

TEST(CountImage, EveryNumberOfThreadsGivesTheSame) {
  for (const int channels : {1, 3, 4}) {
    const TestImage image({1021, 700, channels, 3, 1}, {Pattern::kGauss, 1}, 9);
    const auto want = naive_count(image.view(), {});
    for (int threads = 1; threads <= 8; ++threads)
      expect_same(count_image(image.view(), {}, threads), want, std::to_string(threads) + " threads");
  }
}

TEST(Histogrammer, IsEmptyAfterFinish) {
  const TestImage image({100, 10, 3, 0, 0}, {}, 1);
  const auto want = naive_count(image.view(), {});
  const auto histogrammer = make_cpu_histogrammer(3, {}, 2);
  for (int use = 0; use < 2; ++use) {
    histogrammer->count(image.view(), 0);
    expect_same(histogrammer->finish(), want, "use " + std::to_string(use));
  }
  EXPECT_EQ(histogrammer->finish().pixels, 0u);
}

TEST(Histogrammer, RefusesWhatDoesNotFit) {
  EXPECT_THROW(make_cpu_histogrammer(0, {}, 1), Error);
  EXPECT_THROW(make_cpu_histogrammer(5, {}, 1), Error);
  const TestImage image({4, 4, 3, 0, 0}, {}, 1);
  EXPECT_THROW(make_cpu_histogrammer(1, {}, 1)->count(image.view(), 0), Error);
  CountSpec spec;
  for (const auto& shape : {TestImage::Shape{5, 4, 1, 0, 0}, {4, 3, 1, 0, 0}, {4, 4, 3, 0, 0}}) {
    const TestImage mask(shape, {}, 2);
    spec.predicate.mask = mask.view();
    EXPECT_THROW(count_image(image.view(), spec, 1), Error);
  }
}

TEST(ImageHistogram, AddIsTheUnion) {
  const TestImage gray({30, 3, 1, 0, 0}, {}, 1), color({7, 9, 4, 0, 0}, {}, 2);
  auto sum = count_image(gray.view(), {}, 1);
  const auto other = count_image(color.view(), {}, 1);
  const auto before = sum;
  sum.add(other);
  EXPECT_EQ(sum.pixels, 30u * 3 + 7 * 9);
  EXPECT_TRUE(sum.channels == ChannelSet::all());
  for (const Channel c : kChannels)
    for (std::size_t v = 0; v < kBins; ++v) EXPECT_EQ(sum[c][v], before[c][v] + other[c][v]);
}

}  // namespace
}  // namespace gpuhisto
