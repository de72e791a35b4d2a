// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/spikes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "plot/samples.hpp"

namespace gpuhisto::plot {
namespace {

Values values_of(const Histogram& histogram) {
  Values values;
  std::copy(histogram.begin(), histogram.end(), values.begin());
  return values;
}

std::optional<double> level_of(const Histogram& histogram) {
  const Values values = values_of(histogram);
  return clipping_level({&values});
}

TEST(PlotSpikes, ASpikeAnywhereIsCutJustAboveTheRest) {
  for (const std::size_t where : {0u, 1u, 100u, 254u, 255u}) {
    const auto level = level_of(samples::flat_with({{where, 990'000}}, 40));
    ASSERT_TRUE(level) << where;
    EXPECT_GT(*level, 40);
    EXPECT_LT(*level, 80);
  }
}

TEST(PlotSpikes, SmearedShadowsAreCutToo) {
  Histogram histogram = samples::hill(140, 50, 500'000);
  const std::uint64_t smear[] = {400'000, 200'000, 80'000, 30'000};
  std::copy(std::begin(smear), std::end(smear), histogram.begin());
  const auto level = level_of(histogram);
  ASSERT_TRUE(level);
  EXPECT_LT(*level, 10'000);
}

TEST(PlotSpikes, SmoothHillsAreShownWhole) {
  for (const double width : {0.5, 1.0, 2.0, 3.0, 10.0, 60.0})
    EXPECT_FALSE(level_of(samples::hill(120, width, 1'000'000))) << width;
}

TEST(PlotSpikes, FewLevelsAreShownWhole) {
  EXPECT_FALSE(level_of(samples::only(3, 1000)));
  EXPECT_FALSE(level_of(samples::flat_with({{0, 1'000'000}, {255, 5}}, 0)));
  EXPECT_FALSE(level_of(Histogram{}));
}

TEST(PlotSpikes, AConstantChannelDoesNotFlattenTheOthers) {
  const Values constant = values_of(samples::only(0, 1'000'000)), hill = values_of(samples::hill(100, 50, 1'000'000));
  const auto level = clipping_level({&constant, &hill});
  ASSERT_TRUE(level);
  EXPECT_GE(*level, hill[100]);
  EXPECT_LT(*level, 2.0 * hill[100]);
}

TEST(PlotSpikes, TheSpikeOfOneImageIsCutAlthoughAnotherHasAHighBin) {
  Histogram clipped = samples::hill(110, 60, 930'000), textured = samples::hill(140, 60, 972'000);
  clipped[255] += 70'000, textured[100] += 28'000;
  EXPECT_FALSE(level_of(textured)) << "a bin of less than four times the rest";
  const Values a = values_of(clipped), b = values_of(textured);
  for (const auto& both : {std::vector{&a, &b}, std::vector{&b, &a}}) {
    const auto level = clipping_level(both);
    ASSERT_TRUE(level);
    EXPECT_GT(*level, 10'000) << "what both have elsewhere";
    EXPECT_LT(*level, 14'000);
  }
}

TEST(PlotSpikes, NarrowHillsBesideEachOtherAreShownWhole) {
  std::vector<Values> hills;
  for (const double middle : {40, 90, 150, 220}) hills.push_back(values_of(samples::hill(middle, 0.5, 1'000'000)));
  EXPECT_FALSE(clipping_level({&hills[0], &hills[1], &hills[2], &hills[3]}));
}

TEST(PlotSpikes, EqualHistogramsAreCutAsOne) {
  for (const auto& sample : samples::all())
    for (const Channel channel : kChannels) {
      const Values values = values_of(sample.histogram[channel]);
      EXPECT_EQ(clipping_level({&values, &values, &values}), clipping_level({&values})) << sample.name;
    }
}

}  // namespace
}  // namespace gpuhisto::plot
