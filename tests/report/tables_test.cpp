// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "gpuhisto/bins.hpp"
#include "report/fields.hpp"
#include "report/golden.hpp"
#include "report/reading.hpp"

namespace gpuhisto {
namespace {

void expect_equal(const ImageHistogram& a, const ImageHistogram& b) {
  EXPECT_EQ(a.channels, b.channels);
  EXPECT_EQ(a.pixels, b.pixels);
  EXPECT_EQ(a.counts, b.counts);
}

/// Reading must fail, with all of `parts` in the message.
void expect_refused(const std::string& text, const std::vector<std::string>& parts) {
  try {
    read(text);
    ADD_FAILURE() << "accepted: " << text.substr(0, 300);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput) << error.what();
    for (const auto& part : parts) EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

std::string replaced_all(const std::string& text, const std::string& from, const std::string& to) {
  std::string result;
  std::size_t at = 0;
  for (std::size_t hit; (hit = text.find(from, at)) != text.npos; at = hit + from.size()) {
    result.append(text, at, hit - at);
    result.append(to);
  }
  return result.append(text, at);
}

/// With the first `from`, which must be there, replaced.
std::string replaced(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  if (at == text.npos) return text;
  const std::size_t end = at + from.size();
  return replaced_all(text.substr(0, end), from, to).append(text, end);
}

TEST(Tables, ReadBackWhatHistWrote) {
  const auto results = sample_results();
  ReportOptions options;
  options.counting = {LumaRule::kAverage, true};
  for (const auto format : {ReportFormat::kCsv, ReportFormat::kJson, ReportFormat::kJsonl}) {
    const std::string text = render(Command::kHist, format, options, results);
    EXPECT_TRUE(is_table(*source_of(text)));
    const TableFile file = read(text);
    std::size_t next = 0;
    ImageHistogram sum;
    for (const FileResult& result : results) {
      if (result.status != Status::kOk) continue;
      ASSERT_LT(next, file.tables.size());
      EXPECT_EQ(file.tables[next].input, result.input);
      expect_equal(file.tables[next++].histogram, result.histogram);
      sum.add(result.histogram);
    }
    EXPECT_EQ(next, file.tables.size());
    ASSERT_TRUE(file.total);
    expect_equal(file.total->histogram, sum);
    const bool csv = format == ReportFormat::kCsv;
    EXPECT_EQ(file.counting, csv ? Counting() : options.counting);
    EXPECT_EQ(file.total->ok, csv ? 0u : 6u);
    EXPECT_EQ(file.total->failed, csv ? 0u : 1u);
    EXPECT_EQ(file.total->skipped, csv ? 0u : 1u);
  }
}

TEST(Tables, OfFewerBinsAreReadAtTheFirstLevels) {
  const auto results = sample_results();
  for (const std::size_t bins : {2u, 3u, 16u, 100u, 129u, 254u, 255u}) {
    ReportOptions options;
    options.counting.bins = bins;
    for (const auto format : {ReportFormat::kCsv, ReportFormat::kJson, ReportFormat::kJsonl}) {
      const TableFile file = read(render(Command::kHist, format, options, results));
      EXPECT_EQ(file.counting.bins, bins);
      EXPECT_EQ(file.counting_told, format != ReportFormat::kCsv);
      expect_equal(file.tables[0].histogram, at_first_levels(results[0].histogram, bins));
      expect_equal(file.tables[2].histogram, at_first_levels(results[2].histogram, bins));
    }
  }
}

TEST(Tables, TheSelectionIsReadBack) {
  ReportOptions options;
  options.counting.roi = Rectangle{1, 2, 3, UINT64_MAX};
  options.counting.mask = MaskName{"m,1.png", std::string(64, 'a')};
  const TableFile file = read(render(Command::kHist, ReportFormat::kJson, options, sample_results()));
  EXPECT_EQ(file.counting, options.counting);
  EXPECT_EQ(file.counting.mask->name, "m,1.png");
}

TEST(Tables, WithoutHistogramsOfInputsTheTotalServes) {
  ReportOptions options;
  options.total_only = true;
  for (const auto format : {ReportFormat::kCsv, ReportFormat::kJson, ReportFormat::kJsonl}) {
    const TableFile file = read(render(Command::kHist, format, options, sample_results()));
    ASSERT_EQ(file.tables.size(), 1u);
    EXPECT_EQ(file.tables[0].input, "");
    EXPECT_EQ(file.tables[0].histogram.pixels, 300u);
  }
  const TableFile file = read(render(Command::kStats, ReportFormat::kJson, {}, sample_results()));
  ASSERT_EQ(file.tables.size(), 1u);
  EXPECT_EQ(file.tables[0].histogram.pixels, 300u);
}

TEST(Tables, AnImageWithoutTheChannelsCountedGoesWithEither) {
  ReportOptions options;
  options.counting.channels = ChannelSet().set(Channel::kRed);
  std::vector<FileResult> results = sample_results();
  for (int turn = 0; turn < 2; ++turn, std::reverse(results.begin(), results.end()))
    for (const auto format : {ReportFormat::kJson, ReportFormat::kJsonl}) {
      const TableFile whole = read(render(Command::kHist, format, options, results));
      const TableFile total = read(render(Command::kStats, format, options, results));
      EXPECT_EQ(whole.tables.size(), 6u);
      ASSERT_EQ(total.tables.size(), 1u);
      EXPECT_EQ(sum_of(whole)[Channel::kRed], total.tables[0].histogram[Channel::kRed]);
    }
}

TEST(Tables, SeveralAfterAnotherAreOne) {
  const std::string json = render(Command::kHist, ReportFormat::kJson, {}, sample_results());
  const std::string lines = render(Command::kHist, ReportFormat::kJsonl, {}, sample_results());
  const TableFile file = read(json + lines);
  EXPECT_EQ(file.tables.size(), 12u);
  EXPECT_EQ(file.total->ok, 12u);
  EXPECT_EQ(file.total->histogram.pixels, 600u);
}

TEST(Tables, AreToldFromImagesAndOtherText) {
  for (const std::string text : {"{", "  \n{\"schema\":1", "file,value,luma,red,green,blue,alpha\n"})
    EXPECT_TRUE(is_table(*source_of(text))) << text;
  for (const std::string text :
       {"", "\x89PNG\r\n\x1a\n", "P5 2 2 255\n", "[1]", "file,value", "file,status,flags", "GIF89a"})
    EXPECT_FALSE(is_table(*source_of(text))) << text;
}

std::string csv_table() { return render(Command::kHist, ReportFormat::kCsv, {}, {sample_results()[2]}); }

TEST(CsvTables, CrLfAndAMissingLastNewlineAreFine) {
  std::string crlf = replaced_all(replaced_all(csv_table(), "\"two\nlines.jpg\"", "a.jpg"), "\n", "\r\n");
  crlf.resize(crlf.size() - 2);
  const TableFile file = read(crlf);
  ASSERT_EQ(file.tables.size(), 1u);
  EXPECT_EQ(file.tables[0].input, "a.jpg");
  expect_equal(file.tables[0].histogram, sample_results()[2].histogram);
}

TEST(CsvTables, MalformedOnesAreRefusedWithTheLine) {
  const std::string good = replaced_all(csv_table(), "\"two\nlines.jpg\"", "a");
  read(good);
  const std::string header = std::string(kHistHeader) + "\n";
  expect_refused("", {"line 1"});
  expect_refused("file,value\n", {"line 1"});
  expect_refused(good.substr(header.size()), {"line 1", "header"});
  expect_refused(header, {"holds no histogram"});
  expect_refused(good.substr(0, good.size() / 2 - good.size() / 2 % 10), {"line "});
  expect_refused(replaced(good, "a,7,20,", "a,7,-20,"), {"line 9", "-20"});
  expect_refused(replaced(good, "a,7,20,", "a,7,20.5,"), {"line 9"});
  expect_refused(replaced(good, "a,7,20,", "a,7, 20,"), {"line 9"});
  expect_refused(replaced(good, "a,7,20,", "a,7,18446744073709551616,"), {"line 9", "18446744073709551616"});
  expect_refused(replaced(good, "a,7,20,", "a,7,21,"), {"line 257", "different sums"});
  expect_refused(replaced(good, "a,7,20,", "a,7,18446744073709551615,"), {"line 257", "2^64"});
  expect_refused(replaced(good, "a,7,20,", "a,7,,"), {"line 9", "channels"});
  expect_refused(replaced(good, "a,7,20,", "a,8,20,"), {"line 9", "row 7"});
  expect_refused(replaced(good, "a,7,20,", "b,7,20,"), {"line 9", "row 7 of \"a\""});
  expect_refused(replaced(good, "a,7,20,0,0,0,\n", ""), {"line 9", "row 7"});
  expect_refused(replaced(good, "a,7,20,0,0,0,\n", "a,7,20,0,0,0,\na,7,20,0,0,0,\n"), {"line 10", "row 8"});
  expect_refused(replaced(good, "a,7,20,0,0,0,\n", "a,7,20,0,0,0\n"), {"line 9", "comma"});
  expect_refused(replaced(good, "a,7,20,0,0,0,\n", "a,7,20,0,0,0,,\n"), {"line 9", "more than 7"});
  expect_refused(replaced(good, "a,7,20,0,0,0,\n", "\n"), {"line 9", "comma"});
  expect_refused(replaced(good, "a,7,20,", "a\"b,7,20,"), {"line 9", "quote"});
  expect_refused(replaced(good, "a,7,20,", "\"a,7,20,"), {"line 9", "never closed"});
  expect_refused(replaced(good, "a,7,20,", "\"a\"x,7,20,"), {"line 9", "comma"});
  expect_refused(good.substr(0, good.find("a,255,")), {"line 256", "255 of 256"});
  expect_refused(good.substr(0, good.find("a,1,")), {"line 2", "1 of 256"});
}

TEST(CsvTables, ThoseOfFewerBinsAreAsStrict) {
  ReportOptions options;
  options.counting.bins = 16;
  const auto result = sample_results()[2];
  const std::string good =
      replaced_all(render(Command::kHist, ReportFormat::kCsv, options, {result, result}), "\"two\nlines.jpg\"", "a");
  EXPECT_EQ(read(good).tables.size(), 2u);
  const std::size_t second = good.find("a,0,", good.find("a,0,") + 1);
  for (std::size_t cut = good.find("a,16,"); cut < second; cut = good.find("a,", cut + 1))
    expect_refused(good.substr(0, cut), {"the table of \"a\" ends after"});
  expect_refused(good.substr(0, good.rfind("a,240,")), {"15 of 16"});
  expect_refused(replaced(good, "a,16,", "a,17,"), {"line 3", "row 1"});
  expect_refused(replaced(good, "a,240,", "a,241,"), {"line 17", "row 15"});
  expect_refused(replaced(good, "a,240,", "a,256,"), {"line 17", "row 15"});
  expect_refused(good + csv_table().substr(std::string(kHistHeader).size() + 1), {"row 1 "});
}

std::string json_table() { return render(Command::kHist, ReportFormat::kJson, {}, {sample_results()[0]}); }

TEST(JsonTables, MalformedOnesAreRefusedWithLineAndPointer) {
  const std::string good = json_table();
  read(good);
  const std::string luma = "line 2: /results/0/channels/luma";
  expect_refused(replaced(good, "\"schema\":1", "\"schema\":2"), {"line 1: /schema"});
  expect_refused(replaced(good, "\"schema\":1,", ""), {"schema"});
  expect_refused(replaced(good, "\"bins\":256", "\"bins\":64"), {luma + "/histogram/64 is one count more than 64"});
  for (const char* bins : {"0", "257", "-1"})
    expect_refused(replaced(good, "\"bins\":256", std::string("\"bins\":") + bins), {"line 1: /counting/bins"});
  expect_refused(replaced(good, "\"bins\"", "\"roi\":\"1,2,3\",\"bins\""), {"/counting/roi"});
  expect_refused(replaced(good, "\"bins\"", "\"mask\":\"m.png\",\"bins\""), {"/counting needs"});
  expect_refused(replaced(good, "\"bins\"", "\"mask_digest\":\"0\",\"bins\""), {"/counting/mask_digest"});
  expect_refused(replaced(good, "\"luma\":\"bt601\"", "\"luma\":\"ycrcb14\""), {"/counting/luma"});
  expect_refused(replaced(good, "\"alpha\":\"count\"", "\"alpha\":1"), {"/counting/alpha is not a string"});
  expect_refused(replaced(good, "\"alpha\":\"count\",", ""), {"/counting has no \"alpha\""});
  expect_refused(replaced(good, "[10,0", "[10"), {luma + "/histogram has 255"});
  expect_refused(replaced(good, "[10,0", "[10,0,0"), {luma + "/histogram/256"});
  expect_refused(replaced(good, "[10,0", "[-10,0"), {luma + "/histogram/0", "whole number"});
  expect_refused(replaced(good, "[10,0", "[10.0,0"), {luma + "/histogram/0"});
  expect_refused(replaced(good, "[10,0", "[18446744073709551616,0"), {luma + "/histogram/0"});
  expect_refused(replaced(good, "[10,0", "[18446744073709551615,0"), {"2^64"});
  expect_refused(replaced(good, "[10,0", "[\"10\",0"), {luma + "/histogram/0"});
  expect_refused(replaced(good, "[10,0", "[[10],0"), {luma + "/histogram/0"});
  expect_refused(replaced(good, "[10,0", "[11,0"), {"/results/0", "does not add up to its count"});
  expect_refused(replaced(good, "\"pixels\":60", "\"pixels\":61"), {"/results/0", "pixels"});
  expect_refused(replaced(good, "\"pixels\":60,", ""), {"/results/0 has no \"pixels\""});
  expect_refused(replaced(good, "\"count\":60", "\"count\":61"), {"/results/0", "count"});
  expect_refused(replaced(good, "\"count\":60", "\"count\":60,\"count\":60"), {luma + "/count is given twice"});
  expect_refused(replaced(good, "{\"luma\":{", "{\"luma\":{},\"luma\":{"), {luma + " is given twice"});
  expect_refused(replaced(good, "{\"luma\":{", "{\"cyan\":{"), {"/channels/cyan is no channel"});
  expect_refused(replaced(good, "\"status\":\"ok\"", "\"status\":\"fine\""), {"/results/0/status"});
  expect_refused(replaced(good, "\"status\":\"ok\",", ""), {"/results/0 has no \"status\""});
  expect_refused(replaced(good, "\"input\":\"gray.png\"", "\"input\":null"), {"/results/0/input is not a string"});
  expect_refused(replaced(good, "\"status\"", "\"input_base64\":\"Zh==\",\"status\""), {"base64"});
  expect_refused(replaced(good, "\"results\":[\n{", "\"results\":[\n1,{"), {"line 2: /results/0 is not an object"});
  expect_refused(good.substr(0, good.size() - 2), {"ends too early"});
  expect_refused(good.substr(0, good.size() / 2), {"ends too early"});
  expect_refused(good + "x", {"not JSON"});
  expect_refused(good + "[]", {"not a JSON object"});
  expect_refused("{}", {"schema"});
  expect_refused("{\"schema\":1,\"counting\":{\"luma\":\"value\",\"alpha\":\"skip\",\"bins\":256},\"r\":[]}",
                 {"line 1: the document has neither results"});
  expect_refused("{\"a\":" + std::string(100'000, '['), {"nested too deep"});
  const std::string total = render(Command::kHist, ReportFormat::kJson, {}, {sample_results()[4]});
  expect_refused(total, {"holds no histogram"});
}

TEST(JsonTables, CountingMustBeTheSameThroughout) {
  ReportOptions other;
  other.counting.luma = LumaRule::kBt709;
  const auto one = std::vector{sample_results()[0]};
  expect_refused(
      render(Command::kHist, ReportFormat::kJsonl, {}, one) + render(Command::kHist, ReportFormat::kJsonl, other, one),
      {"line 3: /counting differs"});
}

TEST(JsonTables, WhatTheSchemaDoesNotNameIsIgnored) {
  const std::string text =
      replaced(json_table(), "\"schema\":1", "\"shard\":[{\"channels\":{\"x\":-1.5}}],\"schema\":1");
  EXPECT_EQ(read(replaced(text, "\"count\":60", "\"histogram2\":[1],\"count\":60")).tables.size(), 1u);
}

TEST(Tables, MemoryIsBounded) {
  const std::string json = json_table(), csv = csv_table();
  for (const std::string& text : {json, csv}) {
    for (const std::uint64_t limit :
         {std::uint64_t{100}, std::uint64_t{text.size() - 1}, std::uint64_t{sizeof(Table)}}) {
      try {
        read(text, limit);
        ADD_FAILURE() << limit;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kLimit);
        EXPECT_NE(std::string(error.what()).find("--max-memory"), std::string::npos);
      }
    }
  }
}

}  // namespace
}  // namespace gpuhisto
