// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/number.hpp"

#include <gtest/gtest.h>

namespace gpuhisto::plot {
namespace {

TEST(PlotNumber, DecimalDropsTrailingZeros) {
  EXPECT_EQ(decimal(1.5, 2), "1.5");
  EXPECT_EQ(decimal(100, 0), "100");
  EXPECT_EQ(decimal(100, 2), "100");
  EXPECT_EQ(decimal(-0.001, 2), "0");
  EXPECT_EQ(decimal(-2.25, 2), "-2.25");
  EXPECT_EQ(tenths(58), "58.0");
}

TEST(PlotNumber, HumanCountHasThreeDigitsAtMost) {
  const std::pair<double, const char*> cases[] = {
      {0, "0"},          {1, "1"},         {999, "999"},      {1000, "1k"},        {1500, "1.5k"},   {2130000, "2.13M"},
      {9994, "9.99k"},   {9996, "10k"},    {99940, "99.9k"},  {99960, "100k"},     {999400, "999k"}, {999600, "1M"},
      {2500000, "2.5M"}, {125000, "125k"}, {12.5e9, "12.5G"}, {1.8446e19, "18.4E"}};
  for (const auto& [count, text] : cases) EXPECT_EQ(human_count(count), text) << count;
}

TEST(PlotNumber, GroupedHasAllDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(12192768), "12,192,768");
  EXPECT_EQ(grouped(18446744073709551615u), "18,446,744,073,709,551,615");
}

TEST(PlotNumber, PercentNeverRoundsToNoneOrAll) {
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(percent(1), "100 %");
  EXPECT_EQ(percent(0.0001), "<0.1 %");
  EXPECT_EQ(percent(0.99999), ">99.9 %");
  EXPECT_EQ(percent(0.042), "4.2 %");
  EXPECT_EQ(percent(0.424), "42 %");
  EXPECT_EQ(percent(0.992), "99.2 %");
}

}  // namespace
}  // namespace gpuhisto::plot
