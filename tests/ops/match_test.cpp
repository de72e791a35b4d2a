// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/match.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "gpuhisto/error.hpp"
#include "oracle.hpp"

namespace gpuhisto {
namespace {

using test::PaddedImage;

Histogram random_histogram(std::mt19937& random, unsigned levels) {
  Histogram histogram{};
  for (unsigned i = 0; i < levels; ++i) histogram[random() % 256] += 1 + random() % 1000;
  return histogram;
}

/// As scikit-image's match_histograms: numpy's interp of the quantiles, in floating point.
double by_interpolation(const Histogram& histogram, const Histogram& reference, std::size_t level) {
  std::vector<double> quantiles, levels;
  double all = 0, theirs = 0, sum = 0, share = 0;
  for (std::size_t v = 0; v < kBins; ++v) {
    all += static_cast<double>(histogram[v]);
    theirs += static_cast<double>(reference[v]);
    if (v <= level) share += static_cast<double>(histogram[v]);
  }
  share /= all;
  for (std::size_t v = 0; v < kBins; ++v) {
    sum += static_cast<double>(reference[v]);
    if (reference[v] == 0) continue;
    quantiles.push_back(sum / theirs);
    levels.push_back(static_cast<double>(v));
  }
  if (share <= quantiles.front()) return levels.front();
  for (std::size_t i = 1; i < quantiles.size(); ++i)
    if (share <= quantiles[i])
      return levels[i - 1] +
             (levels[i] - levels[i - 1]) * (share - quantiles[i - 1]) / (quantiles[i] - quantiles[i - 1]);
  return levels.back();
}

TEST(MatchingLut, IsTheRoundedInterpolation) {
  std::mt19937 random(81);
  for (int round = 0; round < 400; ++round) {
    const Histogram histogram = random_histogram(random, 1 + static_cast<unsigned>(random() % 300));
    const Histogram reference = random_histogram(random, 1 + static_cast<unsigned>(random() % 300));
    const Lut lut = make_matching_lut(histogram, reference);
    for (std::size_t v = 0; v < kBins; ++v) {
      if (histogram[v] == 0) continue;
      const double exact = by_interpolation(histogram, reference, v);
      ASSERT_LE(std::abs(lut[v] - exact), 0.5 + 1e-9) << "level " << v;
    }
  }
}

TEST(MatchingLut, ToItselfIsTheIdentity) {
  std::mt19937 random(82);
  for (int round = 0; round < 100; ++round) {
    const Histogram histogram = random_histogram(random, 1 + static_cast<unsigned>(random() % 300));
    const Lut lut = make_matching_lut(histogram, histogram);
    for (std::size_t v = 0; v < kBins; ++v) EXPECT_TRUE(histogram[v] == 0 || lut[v] == v) << v;
  }
}

TEST(MatchingLut, ATieGoesToTheEvenLevel) {
  Histogram histogram{}, reference{};
  histogram[7] = histogram[9] = 1;
  reference[10] = 1;
  reference[13] = 3;  // one half of the pixels is a third of the way from 10 to 13, exactly 11
  EXPECT_EQ(make_matching_lut(histogram, reference)[7], 11);
  reference[13] = 0;
  reference[11] = 2;  // 1/3 at 10, all at 11: one half lies a quarter of the way
  EXPECT_EQ(make_matching_lut(histogram, reference)[7], 10);
  reference = {};
  reference[20] = 1;
  reference[21] = 2;
  histogram = {};
  histogram[0] = 2;
  histogram[1] = 1;  // 2/3 lies half way from 1/3 to 1
  EXPECT_EQ(make_matching_lut(histogram, reference)[0], 20);
  reference = {};
  reference[21] = 1;
  reference[22] = 2;
  EXPECT_EQ(make_matching_lut(histogram, reference)[0], 22);
}

TEST(MatchingLut, CountsNearTheLargest) {
  Histogram histogram{}, reference{};
  histogram[3] = histogram[200] = ~std::uint64_t{0};
  reference[0] = ~std::uint64_t{0};
  reference[100] = ~std::uint64_t{0} - 1;
  const Lut lut = make_matching_lut(histogram, reference);
  EXPECT_EQ(lut[3], 0);  // hardly below one half
  EXPECT_EQ(lut[200], 100);
}

TEST(Matching, AnEmptyReferenceIsRefusedAndAnEmptyImageLeftAlone) {
  EXPECT_THROW(Matching(ToneMode::kLuma, ImageHistogram{}), Error);
  EXPECT_THROW(make_matching_lut({}, {}), Error);
  PaddedImage reference(4, 4, 1), image(5, 5, 2);
  reference.for_each([](std::uint8_t* p) { *p = 9; });
  image.for_each([](std::uint8_t* p) { p[0] = 77, p[1] = 0; });
  const auto before = image.buffer;
  PixelPredicate opaque;
  opaque.skip_transparent = true;
  apply_operation(image.view, Matching(ToneMode::kEach, count_image(reference.view, Matching::counts_wanted(), 1)),
                  opaque, 1);
  EXPECT_EQ(image.buffer, before);
}

TEST(Matching, AReferenceWithoutAChannelThatIsMatchedIsRefused) {
  ImageHistogram reference;
  for (const Channel channel : {Channel::kLuma, Channel::kRed, Channel::kGreen}) {
    reference.channels.set(channel);
    reference[channel][7] = reference.pixels = 9;
  }
  EXPECT_NO_THROW(Matching(ToneMode::kLuma, reference));
  EXPECT_THROW(Matching(ToneMode::kEach, reference), Error);
  EXPECT_THROW(Matching(ToneMode::kJoint, reference), Error);
}

TEST(Matching, AGrayImageAndAReferenceOfColorsAloneAreAnErrorOfTheImage) {
  ImageHistogram reference, counts;
  for (const Channel channel : {Channel::kRed, Channel::kGreen, Channel::kBlue}) {
    reference.channels.set(channel);
    reference[channel][3] = reference.pixels = 5;
  }
  counts.channels.set(Channel::kLuma);
  counts[Channel::kLuma][8] = counts.pixels = 2;
  for (const ToneMode mode : {ToneMode::kEach, ToneMode::kJoint}) try {
      Matching(mode, reference).map(counts, 1);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
    }
}

TEST(Matching, ColorsBeyond64BitsTogetherAreRefused) {
  ImageHistogram reference, counts;
  for (const Channel channel : {Channel::kRed, Channel::kGreen, Channel::kBlue}) {
    reference.channels.set(channel);
    counts.channels.set(channel);
    reference[channel][3] = reference.pixels = std::uint64_t{1} << 63;
    counts[channel][3] = counts.pixels = 1;
  }
  EXPECT_NO_THROW(Matching(ToneMode::kEach, reference).map(counts, 3));
  EXPECT_THROW(Matching(ToneMode::kJoint, reference).map(counts, 3), Error);
}

/// Each channel of `image` has the shares that the tables give, by the definition above.
TEST(Matching, EveryModeOfEveryKindOfPixelAndReference) {
  std::mt19937 random(83);
  for (int channels = 1; channels <= 4; ++channels)
    for (const int reference_channels : {1, 3})
      for (const ToneMode mode : {ToneMode::kLuma, ToneMode::kEach, ToneMode::kJoint}) {
        PaddedImage image(23, 19, channels, 1, 2), reference(31, 7, reference_channels);
        image.for_each([&](std::uint8_t* p) {
          for (int c = 0; c < channels; ++c) p[c] = static_cast<std::uint8_t>(random() % 120);
        });
        reference.for_each([&](std::uint8_t* p) {
          for (int c = 0; c < reference_channels; ++c)
            p[c] = static_cast<std::uint8_t>(80 + random() % (100 + 30 * static_cast<unsigned>(c)));
        });
        const auto channel = [](PaddedImage& of, int c) {
          Histogram histogram{};
          of.for_each([&](const std::uint8_t* p) {
            ++histogram[c < 0 ? (4899u * p[0] + 9617u * p[1] + 1868u * p[2] + 8192u) >> 14 : p[c]];
          });
          return histogram;
        };
        const auto add = [](Histogram a, const Histogram& b) {
          for (std::size_t v = 0; v < kBins; ++v) a[v] += b[v];
          return a;
        };
        const bool color = has_color(channels), color_reference = reference_channels == 3;
        PaddedImage expected = image;
        if (!color || mode == ToneMode::kLuma) {
          const Lut lut =
              make_matching_lut(channel(image, color ? -1 : 0), channel(reference, color_reference ? -1 : 0));
          expected.for_each([&](std::uint8_t* p) { color ? test::slow_replace_luma(p, lut) : void(p[0] = lut[p[0]]); });
        } else {
          const auto histogram_of = [&](PaddedImage& of, bool has_colors, int c) {
            if (!has_colors) return channel(of, 0);
            return mode == ToneMode::kEach ? channel(of, c) : add(add(channel(of, 0), channel(of, 1)), channel(of, 2));
          };
          std::array<Lut, 3> luts;
          for (int c = 0; c < 3; ++c)
            luts[static_cast<std::size_t>(c)] =
                make_matching_lut(histogram_of(image, true, c), histogram_of(reference, color_reference, c));
          expected.for_each([&](std::uint8_t* p) {
            for (std::size_t c = 0; c < 3; ++c) p[c] = luts[c][p[c]];
          });
        }
        apply_operation(image.view, Matching(mode, count_image(reference.view, Matching::counts_wanted(), 2)), {}, 2);
        EXPECT_EQ(image.buffer, expected.buffer)
            << channels << " channels to " << reference_channels << ", mode " << static_cast<int>(mode);
      }
}

}  // namespace
}  // namespace gpuhisto
