// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/scale.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace gpuhisto::plot {
namespace {

int labelled(const std::vector<Tick>& ticks) {
  int count = 0;
  for (const auto& tick : ticks) count += !tick.label.empty();
  return count;
}

void expect_sound(const std::vector<Tick>& ticks, const CountScale& scale) {
  std::set<std::string> labels;
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    EXPECT_TRUE(std::isfinite(ticks[i].value));
    EXPECT_GE(ticks[i].value, 0);
    EXPECT_LE(ticks[i].value, scale.top() * (1 + 1e-9));
    if (i > 0) {
      EXPECT_GT(ticks[i].value, ticks[i - 1].value);
    }
    if (!ticks[i].label.empty()) {
      EXPECT_TRUE(labels.insert(ticks[i].label).second) << ticks[i].label;
    }
  }
}

TEST(PlotScale, HeightsAreMonotoneFiniteAndWithinTheAxis) {
  for (const double top : {1.0, 2.0, 10.0, 1e6, 1.8e19}) {
    for (const auto& scale : {CountScale::linear(top), CountScale::logarithmic(top, 0.02)}) {
      EXPECT_EQ(scale.height(0), 0);
      double last = 0;
      for (double count = 1; count <= top * 4; count *= 1.7) {
        const double height = scale.height(count);
        EXPECT_GE(height, last);
        EXPECT_GT(height, 0);
        EXPECT_LE(height, 1);
        last = height;
      }
      EXPECT_DOUBLE_EQ(scale.height(scale.top()), 1);
    }
  }
}

TEST(PlotScale, OneIsAtTheFloorOfALogScaleAndDecadesAreEvenlySpaced) {
  const auto scale = CountScale::logarithmic(1e6, 0.04);
  EXPECT_DOUBLE_EQ(scale.height(1), 0.04);
  for (double count = 1; count < 1e6; count *= 10)
    EXPECT_NEAR(scale.height(count * 10) - scale.height(count), 0.96 / 6, 1e-12);
}

TEST(PlotScale, TicksAreMonotoneAndFewEnough) {
  for (double top = 1; top < 2e19; top *= 1.37) {
    for (const int most : {2, 3, 5, 8}) {
      const auto linear = CountScale::linear(top), log = CountScale::logarithmic(top, 0.02);
      for (const auto& [ticks, scale] : {std::pair{count_ticks(linear, most), linear},
                                         {count_ticks(log, most), log},
                                         {share_ticks(linear, top, most), linear},
                                         {share_ticks(log, top, most), log}}) {
        expect_sound(ticks, scale);
        EXPECT_GE(labelled(ticks), 1) << top;
        EXPECT_LE(labelled(ticks), std::max(most, 3) + 1) << top << " " << most;
      }
    }
  }
}

TEST(PlotScale, LinearTicksAreWholeNumbers) {
  for (double top = 1; top < 1e6; top *= 1.1)
    for (const auto& tick : count_ticks(CountScale::linear(top), 6))
      EXPECT_EQ(tick.value, std::floor(tick.value)) << top;
}

TEST(PlotScale, LevelTicksIncludeBothEnds) {
  EXPECT_EQ(level_ticks(2), (std::vector<int>{0, 255}));
  EXPECT_EQ(level_ticks(3), (std::vector<int>{0, 128, 255}));
  EXPECT_EQ(level_ticks(9), (std::vector<int>{0, 32, 64, 96, 128, 160, 192, 224, 255}));
  EXPECT_EQ(level_ticks(100).size(), 17u);
}

}  // namespace
}  // namespace gpuhisto::plot
