// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "report/fields.hpp"
#include "report/golden.hpp"
#include "report/names.hpp"

namespace gpuhisto {
namespace {

using nlohmann::json;

TEST(Json, MatchesTheGoldens) {
  expect_golden("stats_json", render(Command::kStats, ReportFormat::kJson, {}, sample_results()));
  expect_golden("stats_jsonl", render(Command::kStats, ReportFormat::kJsonl, {}, sample_results()));
  expect_golden("hist_json", render(Command::kHist, ReportFormat::kJson, {}, {sample_results()[0]}));
  expect_golden("hist_jsonl", render(Command::kHist, ReportFormat::kJsonl, {}, {sample_results()[1]}));
}

TEST(Json, HoldsWhatTheResultsHold) {
  const auto results = sample_results();
  ReportOptions options;
  options.counting = {LumaRule::kValue, true};
  options.histograms = true;
  const json document = json::parse(render(Command::kStats, ReportFormat::kJson, options, results));
  EXPECT_EQ(document["schema"], 1);
  EXPECT_EQ(document["counting"], json::parse(R"({"luma":"value","alpha":"skip","bins":256})"));
  ASSERT_EQ(document["results"].size(), results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const json& entry = document["results"][i];
    EXPECT_EQ(entry["status"], status_name(results[i].status));
    EXPECT_EQ(entry.contains("error"), results[i].status != Status::kOk);
    EXPECT_EQ(entry.contains("frames"), results[i].frames > 1);
    EXPECT_EQ(entry.contains("input_base64"), !is_utf8(results[i].input));
    const std::string name = entry.contains("input_base64")
                                 ? from_base64(entry["input_base64"].get<std::string>()).value()
                                 : entry["input"].get<std::string>();
    EXPECT_EQ(name, results[i].input);
    if (results[i].status != Status::kOk) continue;
    EXPECT_EQ(entry["channels"].size(), shown_channels(results[i].histogram, ChannelSet::all()).size());
    for (const auto& [channel, values] : entry["channels"].items()) {
      EXPECT_EQ(values["histogram"].size(), kBins);
      EXPECT_EQ(values["count"], results[i].histogram.pixels);
    }
  }
  EXPECT_EQ(document["total"]["files"], json::parse(R"({"ok":6,"failed":1,"flagged":1,"skipped":1})"));
  EXPECT_EQ(document["total"]["pixels"], 300);
  EXPECT_EQ(document["total"]["channels"]["red"]["count"], 120);
  EXPECT_EQ(document["total"]["channels"]["luma"]["histogram"].size(), kBins);
}

// Each number of the JSON is the CSV's, key by key.
TEST(Json, AgreesWithCsv) {
  ReportOptions options;
  options.percentiles = parse_percentiles("99,2.5");
  const auto image = sample_results()[3];
  const json channels =
      json::parse(render(Command::kStats, ReportFormat::kJson, options, {image}))["results"][0]["channels"];
  std::istringstream csv(render(Command::kStats, ReportFormat::kCsv, options, {image}));
  const auto cells = [&] {
    std::string line, cell;
    std::getline(csv, line);
    std::istringstream stream(line);
    std::vector<std::string> list;
    while (std::getline(stream, cell, ',')) list.push_back(cell);
    return list;
  };
  const auto names = cells();
  ASSERT_EQ(names.back(), "p2.5");
  for (std::size_t row = 0; row < 5; ++row) {
    const auto values = cells();
    ASSERT_EQ(values.size(), names.size());
    for (std::size_t i = 6; i < names.size(); ++i)
      EXPECT_EQ(channels[values[5]][names[i]].get<double>(), std::strtod(values[i].c_str(), nullptr)) << names[i];
    EXPECT_EQ(channels[values[5]].size(), names.size() - 6);
  }
}

TEST(Json, AbsentIsNull) {
  const auto results = sample_results();
  const auto channels = [&](std::size_t i) {
    return json::parse(
        render(Command::kStats, ReportFormat::kJson, {}, {results[i]}))["results"][0]["channels"]["luma"];
  };
  const json nothing = channels(6), constant = channels(7);
  EXPECT_EQ(nothing["count"], 0);
  for (const char* key : {"min", "max", "mean", "std", "median", "mode", "entropy", "skewness", "at0", "p1"})
    EXPECT_TRUE(nothing.at(key).is_null()) << key;
  EXPECT_TRUE(constant.at("skewness").is_null());
  EXPECT_TRUE(constant.at("kurtosis").is_null());
  EXPECT_EQ(constant["std"], 0.0);
}

TEST(Json, CountsOf64BitsAreExact) {
  FileResult result = sample_results()[7];
  result.histogram[Channel::kLuma][77] = result.histogram.pixels = ~std::uint64_t{0};
  const json entry = json::parse(render(Command::kHist, ReportFormat::kJson, {}, {result}))["results"][0];
  EXPECT_EQ(entry["pixels"].get<std::uint64_t>(), ~std::uint64_t{0});
  EXPECT_EQ(entry["channels"]["luma"]["histogram"][77].get<std::uint64_t>(), ~std::uint64_t{0});
}

TEST(Json, RunningSumsComeBesideTheHistogram) {
  ReportOptions options;
  options.cumulative = true;
  const json document = json::parse(render(Command::kHist, ReportFormat::kJson, options, {sample_results()[0]}));
  for (const json& luma : {document["results"][0]["channels"]["luma"], document["total"]["channels"]["luma"]}) {
    std::uint64_t sum = 0;
    for (std::size_t v = 0; v < kBins; ++v)
      EXPECT_EQ(luma["cumulative"][v].get<std::uint64_t>(), sum += luma["histogram"][v].get<std::uint64_t>());
  }
}

TEST(Json, TotalOnly) {
  ReportOptions options;
  options.total_only = true;
  const json document = json::parse(render(Command::kStats, ReportFormat::kJson, options, sample_results()));
  EXPECT_TRUE(document["results"].empty());
  const std::string lines = render(Command::kStats, ReportFormat::kJsonl, options, sample_results());
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 1);
  EXPECT_EQ(json::parse(lines)["total"], document["total"]);
}

TEST(JsonLines, AreTheDocumentInPieces) {
  const auto results = sample_results();
  const json document = json::parse(render(Command::kHist, ReportFormat::kJson, {}, results));
  std::istringstream lines(render(Command::kHist, ReportFormat::kJsonl, {}, results));
  std::string line;
  for (const json& expected : document["results"]) {
    ASSERT_TRUE(std::getline(lines, line));
    const json entry = json::parse(line);
    EXPECT_EQ(entry["result"], expected);
    EXPECT_EQ(entry["counting"], document["counting"]);
    EXPECT_EQ(entry["schema"], 1);
  }
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(json::parse(line)["total"], document["total"]);
  EXPECT_FALSE(std::getline(lines, line));
}

}  // namespace
}  // namespace gpuhisto
