// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include <clocale>
#include <locale>
#include <sstream>

#include "report/fields.hpp"
#include "report/golden.hpp"

namespace gpuhisto {
namespace {

TEST(StatsCsv, MatchesTheGolden) {
  expect_golden("stats_csv", render(Command::kStats, ReportFormat::kCsv, {}, sample_results()));
}

TEST(StatsCsv, OneInputHasNoTotal) {
  const std::string text = render(Command::kStats, ReportFormat::kCsv, {}, {sample_results()[0]});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_EQ(text.find("\n,"), text.npos);
}

TEST(StatsCsv, OptionsSelect) {
  ReportOptions options;
  options.header = false;
  options.total_only = true;
  options.percentiles = parse_percentiles("2.5,50");
  options.counting.channels = ChannelSet().set(Channel::kRed).set(Channel::kAlpha);
  expect_golden("stats_csv_options", render(Command::kStats, ReportFormat::kCsv, options, sample_results()));
  options.header = true;
  options.total_only = false;
  const std::string header = render(Command::kStats, ReportFormat::kCsv, options, {});
  EXPECT_EQ(header,
            "file,status,flags,width,height,channel,count,min,max,mean,std,variance,mean01,std01,median,mode,entropy,"
            "skewness,kurtosis,at0,at255,p2.5,p50\n");
}

TEST(StatsCsv, AnInputWithoutTheChannelKeepsARow) {
  ReportOptions options;
  options.header = false;
  options.counting.channels = ChannelSet().set(Channel::kAlpha);
  EXPECT_EQ(render(Command::kStats, ReportFormat::kCsv, options, {sample_results()[0]}),
            "gray.png,ok,,15,4,,,,,,,,,,,,,,,,,,,,\n");
}

TEST(HistCsv, MatchesTheGolden) {
  expect_golden("hist_csv", render(Command::kHist, ReportFormat::kCsv, {}, sample_results()));
}

TEST(HistCsv, RunningSums) {
  ReportOptions options;
  options.cumulative = true;
  const std::string text = render(Command::kHist, ReportFormat::kCsv, options, {sample_results()[3]});
  EXPECT_NE(text.find(".tif,255,60,60,60,60,60\n"), text.npos);
  EXPECT_NE(text.find(".tif,7,30,0,0,0,0\n"), text.npos);
}

TEST(Csv, QuotesOnlyWhatNeedsIt) {
  const std::pair<const char*, const char*> cases[] = {{"", ""},           {"a b'\t;", "a b'\t;"}, {"a,b", "\"a,b\""},
                                                       {"\"", "\"\"\"\""}, {"a\nb", "\"a\nb\""},   {"\r", "\"\r\""}};
  for (const auto& [field, expected] : cases) {
    std::string text;
    append_csv_field(text, field);
    EXPECT_EQ(text, expected);
  }
}

TEST(Csv, NumbersAreTheShortestThatReadBack) {
  const std::pair<Value, const char*> cases[] = {{Value(), ""},
                                                 {Value(180.0), "180"},
                                                 {Value(0.1), "0.1"},
                                                 {Value(-3), "-3"},
                                                 {Value(2.0 / 3), "0.6666666666666666"},
                                                 {Value(~std::uint64_t{0}), "18446744073709551615"}};
  for (const auto& [value, expected] : cases) {
    std::string text;
    append_value(text, value);
    EXPECT_EQ(text, expected);
  }
}

struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

/// A locale that writes 1.234,5: everywhere in C++, and in C where the system has one.
class GermanLocale {
 public:
  GermanLocale() : old_(std::locale::global(std::locale(std::locale::classic(), new Comma))) {
    in_c_ = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
  }
  ~GermanLocale() {
    std::locale::global(old_);
    std::setlocale(LC_ALL, "C");
  }
  bool in_c() const { return in_c_; }

 private:
  std::locale old_;
  bool in_c_ = false;
};

TEST(Reports, AreTheSameInEveryLocale) {
  const auto results = sample_results();
  for (const auto command : {Command::kStats, Command::kHist}) {
    for (const auto format : {ReportFormat::kText, ReportFormat::kCsv, ReportFormat::kJson, ReportFormat::kJsonl}) {
      const std::string plain = render(command, format, {}, results);
      const GermanLocale german;
      RecordProperty("c_locale", german.in_c() ? "de_DE.UTF-8" : "not installed");
      EXPECT_EQ(render(command, format, {}, results), plain);
    }
  }
}

}  // namespace
}  // namespace gpuhisto
