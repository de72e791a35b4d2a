// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/stretch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "gpuhisto/error.hpp"
#include "oracle.hpp"

namespace gpuhisto {
namespace {

using test::PaddedImage;

Percentile percent(const std::string& text) { return parse_percentiles(text).front(); }

StretchOptions options_of(const std::string& low, const std::string& high, ToneMode mode = ToneMode::kLuma) {
  StretchOptions options;
  options.mode = mode;
  options.low = percent(low);
  options.high = percent(high);
  return options;
}

Histogram random_histogram(std::mt19937& random) {
  Histogram histogram{};
  const auto levels = 1 + random() % 40;
  for (unsigned long i = 0; i < levels; ++i) histogram[random() % 256] += 1 + random() % 1000;
  return histogram;
}

std::uint64_t sum_of(const Histogram& histogram) {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : histogram) sum += count;
  return sum;
}

/// The ends as Pillow's autocontrast finds them: whole pixels are taken away from both sides.
std::pair<int, int> ends_by_removal(Histogram rest, const std::string& low, const std::string& high) {
  const std::uint64_t pixels = sum_of(rest);
  const auto remove = [&](const std::string& share, int first, int step) {
    auto cut =
        static_cast<std::uint64_t>(std::floor(std::stold(share) * static_cast<long double>(pixels) / 100 + 1e-9L));
    for (int v = first; cut > 0; v += step) {
      const std::uint64_t now = std::min(cut, rest[static_cast<std::size_t>(v)]);
      rest[static_cast<std::size_t>(v)] -= now;
      cut -= now;
    }
  };
  remove(low, 0, 1);
  remove(high, 255, -1);
  int first = 0, last = 255;
  while (rest[static_cast<std::size_t>(first)] == 0) ++first;
  while (rest[static_cast<std::size_t>(last)] == 0) --last;
  return {first, last};
}

TEST(StretchLut, EndsAreThoseOfPixelsTakenAwayOneByOne) {
  std::mt19937 random(71);
  for (int round = 0; round < 500; ++round) {
    const Histogram histogram = random_histogram(random);
    for (const auto& [low, high] :
         {std::pair<std::string, std::string>{"0", "0"}, {"0.5", "0.5"}, {"2.25", "10"}, {"49", "50"}}) {
      const Lut lut = make_stretch_lut(histogram, options_of(low, high));
      const auto [first, last] = ends_by_removal(histogram, low, high);
      for (int v = 0; v < 256; ++v) {
        const int inside = std::min(std::max(v, first), last) - first;
        int expected = 0;
        while (first < last && (expected + 1) * (last - first) <= 255 * inside) ++expected;
        if (first == last) expected = v;
        ASSERT_EQ(lut[static_cast<std::size_t>(v)], expected) << low << " " << high << " level " << v;
      }
    }
  }
}

TEST(StretchLut, CountsBeyond32BitsAndNone) {
  Histogram histogram{};
  EXPECT_EQ(make_stretch_lut(histogram, options_of("1", "1")), identity_lut());
  histogram[10] = std::uint64_t{1} << 62;
  histogram[20] = std::uint64_t{3} << 61;
  histogram[30] = 1;
  const Lut lut = make_stretch_lut(histogram, options_of("0", "0.000000001"));  // 1e-11 of them: more than one pixel
  EXPECT_EQ(lut[10], 0);
  EXPECT_EQ(lut[15], 127);  // 127.5
  EXPECT_EQ(lut[20], 255);
}

TEST(StretchLut, AutoGammaMovesTheMedianToTheMiddle) {
  std::mt19937 random(72);
  for (int round = 0; round < 300; ++round) {
    Histogram histogram{};
    for (int i = 0; i < 1001; ++i) ++histogram[random() % (2 + random() % 254)];
    StretchOptions options = options_of("0", "0");
    options.auto_gamma = true;
    const Lut lut = make_stretch_lut(histogram, options);
    const auto statistics = compute_statistics(histogram, {});
    const double median = *statistics.median;
    const bool inside = median > *statistics.min && median < *statistics.max;
    EXPECT_TRUE(!inside || lut[static_cast<std::size_t>(median)] == 128) << median;
    for (std::size_t v = 1; v < 256; ++v) ASSERT_GE(lut[v], lut[v - 1]);
    EXPECT_EQ(lut[static_cast<std::size_t>(*statistics.min)], 0);
    EXPECT_EQ(lut[static_cast<std::size_t>(*statistics.max)], 255);
  }
}

TEST(StretchLut, AutoGammaLeavesAMedianAtAnEndAlone) {
  Histogram histogram{};
  histogram[0] = 3;
  histogram[100] = 1;
  histogram[200] = 1;
  StretchOptions options = options_of("0", "0");
  options.auto_gamma = true;
  EXPECT_EQ(make_stretch_lut(histogram, options)[100], 128);  // linear: 127.5, to nearest
}

TEST(Stretch, CutOffsThatCrossAreRefused) {
  EXPECT_NO_THROW(Stretch(options_of("50", "49.999999999")));
  for (const auto& [low, high] :
       {std::pair<std::string, std::string>{"50", "50"}, {"100", "0"}, {"0", "100"}, {"99", "2"}})
    EXPECT_THROW(Stretch(options_of(low, high)), Error);
}

/// Slow: the three ways on whole images.
void slow_stretch(PaddedImage& image, const StretchOptions& options) {
  const int colors = has_color(image.view.channels) ? 3 : 1;
  std::array<Histogram, 3> channels{};
  Histogram luma{}, y{};
  image.for_each([&](std::uint8_t* p) {
    for (int c = 0; c < colors; ++c) ++channels[static_cast<std::size_t>(c)][p[c]];
    if (colors == 3) ++luma[(9798u * p[0] + 19235u * p[1] + 3735u * p[2] + 16384u) >> 15];
    if (colors == 3) ++y[(4899u * p[0] + 9617u * p[1] + 1868u * p[2] + 8192u) >> 14];
  });
  image.for_each([&](std::uint8_t* p) {
    if (colors == 3 && options.mode == ToneMode::kLuma) return test::slow_replace_luma(p, make_stretch_lut(y, options));
    for (int c = 0; c < colors; ++c) {
      const bool own = colors == 1 || options.mode == ToneMode::kEach;
      p[c] = make_stretch_lut(own ? channels[static_cast<std::size_t>(c)] : luma, options)[p[c]];
    }
  });
}

TEST(Stretch, EveryModeOfEveryKindOfPixel) {
  std::mt19937 random(73);
  for (int channels = 1; channels <= 4; ++channels)
    for (const ToneMode mode : {ToneMode::kLuma, ToneMode::kEach, ToneMode::kJoint})
      for (const int threads : {1, 3}) {
        PaddedImage image(37, 11, channels, 3, 5);
        image.for_each([&](std::uint8_t* p) {
          for (int c = 0; c < channels; ++c) p[c] = static_cast<std::uint8_t>(60 + random() % 90);
        });
        PaddedImage expected = image;
        const StretchOptions options = options_of("3", "5", mode);
        slow_stretch(expected, options);
        apply_operation(image.view, Stretch(options), {}, threads);
        EXPECT_EQ(image.buffer, expected.buffer) << channels << " channels, mode " << static_cast<int>(mode);
      }
}

TEST(Stretch, AnImageThatIsStretchedAlreadyStaysAsItIs) {
  PaddedImage image(16, 16, 3);
  unsigned i = 0;
  image.for_each([&](std::uint8_t* p) {
    p[0] = p[1] = p[2] = static_cast<std::uint8_t>(i++);
    if (i > 1 && i < 256) p[2] = static_cast<std::uint8_t>(p[2] ^ 1);  // colours that YCrCb does not keep
  });
  const auto before = image.buffer;
  apply_operation(image.view, Stretch(options_of("0", "0")), {}, 1);
  EXPECT_EQ(image.buffer, before);
}

}  // namespace
}  // namespace gpuhisto
