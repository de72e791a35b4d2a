// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include "gpuhisto/error.hpp"
#include "oracle.hpp"

namespace gpuhisto {
namespace {

using test::equalize;
using test::EqualizeOptions;

using test::PaddedImage;
using test::Sizes;

constexpr ToneMode kModes[] = {ToneMode::kLuma, ToneMode::kEach, ToneMode::kJoint};

/// The definition, pixel by pixel.
void slow_equalize(PaddedImage& image, const EqualizeOptions& options) {
  const int colors = has_color(image.view.channels) ? 3 : 1;
  const bool luma = colors == 3 && options.mode == ToneMode::kLuma;
  std::array<Histogram, 3> histograms{};
  Histogram joint{};
  const auto each_counted = [&](const auto& visit) {
    for (std::size_t y = 0; y < image.view.height; ++y)
      for (std::size_t x = 0; x < image.view.width; ++x)
        if (test::counts(options.predicate, image.view, x, y)) visit(image.pixel(x, y));
  };
  each_counted([&](const std::uint8_t* p) {
    if (luma) ++joint[static_cast<std::size_t>(test::slow_y(p))];
    for (int c = 0; !luma && c < colors; ++c) ++histograms[static_cast<std::size_t>(c)][p[c]], ++joint[p[c]];
  });
  const Lut joint_lut = test::slow_lut(joint);
  if (luma && std::count_if(joint.begin(), joint.end(), [](auto n) { return n > 0; }) <= 1) return;
  std::array<Lut, 3> luts;
  for (std::size_t c = 0; c < 3; ++c)
    luts[c] = options.mode == ToneMode::kJoint ? joint_lut : test::slow_lut(histograms[c]);
  each_counted([&](std::uint8_t* p) {
    if (luma) return test::slow_replace_luma(p, joint_lut);
    for (int c = 0; c < colors; ++c) p[c] = luts[static_cast<std::size_t>(c)][p[c]];
  });
}

void expect_equalizes(const PaddedImage& image, const EqualizeOptions& options, const std::string& what) {
  PaddedImage expected = image, actual = image;
  slow_equalize(expected, options);
  equalize(actual.view, options);
  ASSERT_EQ(actual.buffer, expected.buffer) << what;  // the padding too
}

std::string describe(const PaddedImage& image, ToneMode mode) {
  return std::to_string(image.view.width) + "x" + std::to_string(image.view.height) + ", channels " +
         std::to_string(image.view.channels) + ", mode " + std::to_string(static_cast<int>(mode));
}

TEST(Equalize, FollowsTheDefinitionAtAnySizeAndPitch) {
  std::mt19937 random(5);
  for (const std::size_t width : Sizes{0, 1, 2, 3, 15, 16, 17, 63, 64, 65, 255, 1025, 2100})
    for (const std::size_t height : Sizes{0, 1, 2, 7})
      for (int channels = 1; channels <= 4; ++channels)
        for (const ToneMode mode : kModes) {
          PaddedImage image(width, height, channels, random() % 16, random() % 3 == 0 ? 0 : random() % 40);
          image.fill(random, 40, 60 + static_cast<int>(random() % 150));
          expect_equalizes(image, {mode, {}, 1}, describe(image, mode));
        }
}

TEST(Equalize, FollowsTheDefinitionUnderEveryPredicate) {
  std::mt19937 random(6);
  for (int round = 0; round < 300; ++round) {
    const std::size_t width = 1 + random() % 1300, height = 1 + random() % 9;
    PaddedImage image(width, height, 1 + static_cast<int>(random() % 4), random() % 16, random() % 2 * (random() % 30));
    image.fill(random, 0, 20 + static_cast<int>(random() % 235));
    PaddedImage mask(width, height, 1, 0, random() % 20);
    for (std::size_t y = 0; y < height; ++y)
      for (std::size_t x = 0; x < width; ++x) *mask.pixel(x, y) = random() % 3 == 0 ? 0 : 200;
    EqualizeOptions options;
    options.mode = kModes[random() % 3];
    options.predicate.skip_transparent = random() % 2 == 0;
    if (random() % 2 == 0)
      options.predicate.rectangle = Rectangle{random() % (width + 2), random() % (height + 2), random() % (width + 9),
                                              random() % 4 == 0 ? UINT64_MAX : random() % (height + 2)};
    if (random() % 2 == 0) options.predicate.mask = mask.view;
    expect_equalizes(image, options, describe(image, options.mode) + ", round " + std::to_string(round));
  }
}

TEST(Equalize, AnyNumberOfThreadsGivesTheSameBytes) {
  std::mt19937 random(7);
  for (int channels = 1; channels <= 4; ++channels)
    for (const ToneMode mode : kModes) {
      PaddedImage image(701, 397, channels, 3, 5);
      image.fill(random, 30, 220);
      EqualizeOptions options{mode, {}, 1};
      options.predicate.skip_transparent = channels == 4;
      PaddedImage expected = image;
      equalize(expected.view, options);
      for (const int threads : {2, 3, 8}) {
        PaddedImage actual = image;
        options.threads = threads;
        equalize(actual.view, options);
        ASSERT_EQ(actual.buffer, expected.buffer) << describe(image, mode) << ", threads " << threads;
      }
    }
}

TEST(Equalize, ReturnsTheCountsThatDroveIt) {
  std::mt19937 random(8);
  PaddedImage image(123, 45, 4);
  image.fill(random, 10, 90);
  Histogram expected_y{}, expected_red{};
  for (std::size_t y = 0; y < 45; ++y)
    for (std::size_t x = 0; x < 123; ++x) {
      ++expected_y[static_cast<std::size_t>(test::slow_y(image.pixel(x, y)))];
      ++expected_red[image.pixel(x, y)[0]];
    }
  PaddedImage other = image;
  const ImageHistogram luma = equalize(image.view, {});
  EXPECT_EQ(luma.channels, ChannelSet().set(Channel::kLuma));
  EXPECT_EQ(luma[Channel::kLuma], expected_y);
  EXPECT_EQ(luma.pixels, 123u * 45u);
  const ImageHistogram each = equalize(other.view, {ToneMode::kEach, {}, 1});
  EXPECT_EQ(each.channels, ChannelSet().set(Channel::kRed).set(Channel::kGreen).set(Channel::kBlue));
  EXPECT_EQ(each[Channel::kRed], expected_red);
}

TEST(Equalize, ConstantImagesStay) {
  for (const int value : {0, 1, 127, 128, 255})
    for (int channels = 1; channels <= 4; ++channels)
      for (const ToneMode mode : kModes)
        for (const std::size_t side : Sizes{1, 40}) {
          PaddedImage image(side, side, channels, 0, 3);
          std::mt19937 random(9);
          image.fill(random, value, value);
          PaddedImage before = image;
          equalize(image.view, {mode, {}, 1});
          EXPECT_EQ(image.buffer, before.buffer) << value << ' ' << describe(image, mode);
        }
}

TEST(Equalize, ColoursOfOneLumaStay) {
  // The three have Y = 76 and would change on the way to YCrCb and back.
  constexpr std::uint8_t kPixels[] = {254, 0, 0, 0, 130, 0, 76, 76, 76};
  PaddedImage image(3, 1, 3);
  std::copy(std::begin(kPixels), std::end(kPixels), image.pixel(0, 0));
  for (std::size_t x = 0; x < 3; ++x) ASSERT_EQ(test::slow_y(image.pixel(x, 0)), 76);
  equalize(image.view, {});
  EXPECT_TRUE(std::equal(std::begin(kPixels), std::end(kPixels), image.pixel(0, 0)));
}

TEST(Equalize, NothingCountedChangesNothing) {
  std::mt19937 random(10);
  for (int channels = 1; channels <= 4; ++channels)
    for (const ToneMode mode : kModes) {
      PaddedImage image(50, 20, channels);
      image.fill(random);
      PaddedImage before = image;
      PixelPredicate nothing;
      nothing.rectangle = Rectangle{50, 0, 10, 10};
      equalize(image.view, {mode, nothing, 1});
      EXPECT_EQ(image.buffer, before.buffer);
    }
}

TEST(Equalize, TheBrightestBecomesWhite) {
  std::mt19937 random(11);
  for (int channels = 1; channels <= 4; ++channels)
    for (const ToneMode mode : {ToneMode::kEach, ToneMode::kJoint}) {
      PaddedImage image(90, 33, channels);
      image.fill(random, 100, 150);
      equalize(image.view, {mode, {}, 1});
      const ImageHistogram after = count_image(image.view, {}, 1);
      EXPECT_GT(after[has_color(channels) ? Channel::kRed : Channel::kLuma][255], 0u);
      EXPECT_EQ(after.pixels, 90u * 33u);
    }
}

TEST(Equalize, AGrayImageMayBeItsOwnMask) {
  std::mt19937 random(6);
  PaddedImage image(1500, 9, 1, 3, 7);
  image.for_each(
      [&](std::uint8_t* pixel) { *pixel = random() % 3 == 0 ? 0 : static_cast<std::uint8_t>(50 + random() % 99); });
  PaddedImage expected = image;
  const PaddedImage mask = image;
  EqualizeOptions options;
  options.predicate.mask = mask.view;
  equalize(expected.view, options);
  options.predicate.mask = image.view;
  equalize(image.view, options);
  EXPECT_EQ(image.buffer, expected.buffer);
}

TEST(Equalize, RefusesAMaskOfAnotherSize) {
  PaddedImage image(8, 8, 3), mask(8, 7, 1), deep(8, 8, 3);
  EqualizeOptions options;
  for (const ImageView& wrong : {ImageView(mask.view), ImageView(deep.view)}) {
    options.predicate.mask = wrong;
    EXPECT_THROW(equalize(image.view, options), Error);
    EXPECT_THROW(apply_tone_map(image.view, {}, options.predicate, 1), Error);
  }
}

}  // namespace
}  // namespace gpuhisto
