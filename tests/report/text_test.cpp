// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include <sstream>

#include "report/golden.hpp"
#include "report/text_style.hpp"

namespace gpuhisto {
namespace {

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::size_t widest = 0;
  while (std::getline(lines, line)) widest = std::max(widest, line.size());
  return widest;
}

TEST(StatsText, MatchesTheGoldens) {
  expect_golden("stats_text", render(Command::kStats, ReportFormat::kText, {}, sample_results()));
  ReportOptions options;
  options.color = true;
  options.percentiles = parse_percentiles("99.9,0.1,50,1,5,10,25,75,90,95,99,99.99");
  expect_golden("stats_text_options", render(Command::kStats, ReportFormat::kText, options, sample_results()));
}

TEST(StatsText, FitsInAHundredColumns) {
  ReportOptions options;
  EXPECT_LE(widest_line(render(Command::kStats, ReportFormat::kText, options, sample_results())), 100u);
  options.percentiles = parse_percentiles("0.000000001,1,2,3,4,5,6,7,8,9,10,20,30,40,50,60,70,80,90,99.999999999");
  EXPECT_LE(widest_line(render(Command::kStats, ReportFormat::kText, options, sample_results())), 100u);
  FileResult result = sample_results()[7];  // a kurtosis of 10^17, counts of 20 digits
  result.histogram[Channel::kLuma][77] = ~std::uint64_t{0} - 100;
  result.histogram[Channel::kLuma][255] = 100;
  result.histogram.pixels = ~std::uint64_t{0};
  EXPECT_LE(widest_line(render(Command::kStats, ReportFormat::kText, {}, {result})), 100u);
}

TEST(StatsText, ASmallShareIsNotNone) {
  FileResult result = sample_results()[7];
  result.histogram[Channel::kLuma] = {};
  result.histogram[Channel::kLuma][0] = 1'000'000;
  result.histogram[Channel::kLuma][255] = 1;
  const std::string text = render(Command::kStats, ReportFormat::kText, {}, {result});
  EXPECT_NE(text.find(">99.9%  <0.1%"), text.npos) << text;
}

TEST(StatsText, ZeroHasNoSign) {
  EXPECT_EQ(fixed(-0.004, 2), "0.00");
  EXPECT_EQ(fixed(-0.006, 2), "-0.01");
  EXPECT_EQ(fixed(-0.0, 0), "0");
  EXPECT_EQ(fixed(-10, 0), "-10");
}

TEST(HistText, MatchesTheGolden) {
  expect_golden("hist_text",
                render(Command::kHist, ReportFormat::kText, {}, {sample_results()[3], sample_results()[4]}));
}

TEST(HistText, FitsInAHundredColumnsAndShowsEveryPixel) {
  FileResult result = sample_results()[3];
  for (const Channel channel : kChannels) result.histogram[channel][40] = 1'000'000'000'000;
  const std::string text = render(Command::kHist, ReportFormat::kText, {}, {result});
  EXPECT_LE(widest_line(text), 100u);
  EXPECT_NE(text.find("\n      0             10              0              0              0              0  .\n"),
            text.npos);
}

TEST(Text, NamesCannotReachTheTerminal) {
  FileResult result = sample_results()[4];
  result.input = "evil\x1b[2J\n.png";
  result.error = "cause\x07";
  for (const auto command : {Command::kStats, Command::kHist})
    EXPECT_EQ(render(command, ReportFormat::kText, {}, {result}), "evil\\x1b[2J\\x0a.png\n  error: cause\\x07\n");
}

TEST(Text, NoColourUnlessAsked) {
  for (const auto command : {Command::kStats, Command::kHist})
    EXPECT_EQ(render(command, ReportFormat::kText, {}, sample_results()).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace gpuhisto
