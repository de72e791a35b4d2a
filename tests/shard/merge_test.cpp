// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/merge.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "gpuhisto/error.hpp"
#include "report/damaged.hpp"

namespace gpuhisto {
namespace {

constexpr auto kWhole = Merge::Accept::kWhole;
constexpr auto kPartial = Merge::Accept::kPartial;

FileResult image(const std::string& name, std::uint64_t count) {
  FileResult result;
  result.input = name;
  result.width = 1;
  result.height = count;
  result.histogram.channels.set(Channel::kLuma);
  result.histogram[Channel::kLuma][count % kBins] = count;
  result.histogram.pixels = count;
  return result;
}

std::string render(const std::vector<FileResult>& results, std::optional<ShardSet> shard = {},
                   ReportFormat format = ReportFormat::kJsonl) {
  std::ostringstream out;
  const auto reporter = make_hist_reporter(format, {}, out);
  Total total;
  reporter->begin();
  for (const auto& result : results) {
    reporter->result(result);
    total.add(result);
  }
  total.shard = std::move(shard);
  reporter->finish(total, true);
  return out.str();
}

ShardSet shard(std::uint64_t index, std::uint64_t count, std::uint64_t inputs, char digit = 'a') {
  return {{index}, count, inputs, std::string(64, digit), ""};
}

void add(Merge& merge, const std::string& text, const std::string& name = "file") {
  merge.add(*open_memory({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}), name);
}

void expect_refused(Merge merge, const std::string& text, ErrorKind kind, const std::string& part) {
  const std::uint64_t before = merge.total().histogram.pixels;
  try {
    add(merge, text);
    ADD_FAILURE() << "accepted: " << text.substr(0, 300);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
  EXPECT_EQ(merge.total().histogram.pixels, before);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

TEST(Merge, AddsWholeListsAndForgetsNone) {
  Merge merge(kWhole);
  add(merge, render({image("a", 5), image("b", 9)}));
  add(merge, render({image("c", 5)}, {}, ReportFormat::kJson) + render({image("d", 1)}));
  EXPECT_EQ(merge.total().ok, 4u);
  EXPECT_EQ(merge.total().histogram.pixels, 20u);
  EXPECT_EQ(merge.total().histogram[Channel::kLuma][5], 10u);
  EXPECT_EQ(merge.missing(), "");
}

TEST(Merge, NamesMissingShardsUntilAllAreThere) {
  Merge merge(kWhole);
  add(merge, render({image("a", 5)}, shard(2, 4, 4)));
  EXPECT_EQ(merge.missing(), "1, 3-4");
  EXPECT_EQ(merge.total().shard->indexes, std::vector<std::uint64_t>{2});
  add(merge, render({image("a", 5)}, shard(4, 4, 4)) + render({image("a", 5)}, shard(1, 4, 4)));
  EXPECT_EQ(merge.missing(), "3");
  EXPECT_EQ(merge.total().shard->indexes, (std::vector<std::uint64_t>{1, 2, 4}));
  add(merge, render({image("a", 5)}, shard(3, 4, 4)));
  EXPECT_EQ(merge.missing(), "");
  EXPECT_FALSE(merge.total().shard);
}

TEST(Merge, RefusesWhatDoesNotGoTogether) {
  Merge merge(kWhole);
  add(merge, render({image("a", 5)}, shard(2, 4, 4)), "first");
  const auto one = std::vector{image("a", 5)};
  const auto usage = ErrorKind::kUsage;
  expect_refused(merge, render(one, shard(2, 4, 4)), usage, "shard 2 of 4 is in both first and file");
  expect_refused(merge, render(one, shard(3, 5, 4)), usage, "first is shard 2 of 4, file is shard 3 of 5");
  expect_refused(merge, render(one, shard(3, 4, 4, 'b')), usage, "first and file are shards of different lists");
  expect_refused(merge, render(one), usage, "first is of a shard, file of a whole list");
  expect_refused(merge, render(one, shard(1, 4, 4)) + render(one), usage, "file holds shards and");
  expect_refused(merge, render(one, shard(1, 4, 4)) + render(one, shard(1, 4, 4)), usage, "is in both file and file");
  const std::string other = replaced(render({}, shard(1, 4, 0)), "bt601", "bt709");
  expect_refused(merge, other, usage, "luma is bt601 in first, bt709 in file");
  const std::string fewer =
      replaced(render({}, shard(1, 4, 0)), "\"bins\":256", "\"bins\":256,\"channels\":\"luma,red\"");
  expect_refused(merge, fewer, usage, "channels is luma,red,green,blue,alpha in first, luma,red in file");
  expect_refused(merge, replaced(fewer, "luma,red", "luma,pink"), ErrorKind::kInput, "no list of channels");
}

TEST(Merge, RefusesOtherPixelsAndOtherBins) {
  const auto with = [](const std::string& more) { return replaced(render({}), "\"bins\":256", "\"bins\":256" + more); };
  const auto mask = [&](const std::string& name, char digit) {
    return with(",\"mask\":\"" + name + "\",\"mask_digest\":\"" + std::string(64, digit) + '"');
  };
  const auto usage = ErrorKind::kUsage;
  Merge all(kWhole), roi(kWhole), masked(kWhole);
  add(all, with(""), "first");
  expect_refused(all, with(",\"roi\":\"1,2,3,4\""), usage, "roi is none in first, 1,2,3,4 in file");
  expect_refused(all, mask("m.png", 'a'), usage, "mask is none in first, m.png (digest aaaaaaaaaaaa...) in file");
  const std::string binned = replaced(render({}), "\"bins\":256", "\"bins\":16");
  expect_refused(all, binned, usage, "bins is 256 in first, 16 in file");
  add(roi, with(",\"roi\":\"1,2,3,4\""), "first");
  expect_refused(roi, with(",\"roi\":\"1,2,3,5\""), usage, "roi is 1,2,3,4 in first, 1,2,3,5 in file");
  add(masked, mask("m.png", 'a'), "first");
  add(masked, mask("elsewhere/m.png", 'a'));
  expect_refused(masked, mask("m.png", 'b'), usage,
                 "m.png (digest aaaaaaaaaaaa...) in first, m.png (digest bbbbbbbbbbbb...)");
}

TEST(Merge, RefusesWhatIsNotWhole) {
  const auto input = ErrorKind::kInput;
  const std::string good = render({image("a", 5), image("b", 9)}), lines = good.substr(0, good.rfind("{\"schema\""));
  const Merge merge(kWhole);
  expect_refused(merge, lines, input, "without a total");
  expect_refused(merge, good.substr(good.find('\n') + 1), input, "line 2: /total is not the sum");
  expect_refused(merge, replaced(good, "{\"files\"", "{\"incomplete\":true,\"files\""), input, "--partial");
  expect_refused(merge, render({image("a", 5)}, shard(1, 2, 4)), input, "1 file, but shard 1 of 2 has 2 inputs");
  expect_refused(merge, "", input, "empty");
  expect_refused(merge, "file,value,luma,red,green,blue,alpha\n", input, "CSV");
  expect_refused(merge, "P5 1 1 255\nx", input, "no JSON");
  Merge partial(kPartial);
  add(partial, lines);
  EXPECT_EQ(partial.total().histogram.pixels, 14u);
  EXPECT_TRUE(partial.total().incomplete);
}

TEST(Merge, PartialTakesTheWholeResultsOfATextCutAnywhere) {
  for (const auto format : {ReportFormat::kJson, ReportFormat::kJsonl}) {
    const std::string whole = render({image("a", 5), image("b", 9)}, {}, format);
    const std::size_t a = whole.find("\"b\"") - 1;  // from here on, "a" is told
    for (std::size_t cut = whole.size() - 2; cut > 0; --cut) {
      Merge partial(kPartial);
      try {
        add(partial, whole.substr(0, cut));
      } catch (const Error& error) {
        ASSERT_LT(cut, a) << error.what();
        continue;
      }
      const Total total = partial.total();
      ASSERT_TRUE(total.incomplete) << cut;
      ASSERT_TRUE(total.histogram.pixels == 5 || total.histogram.pixels == 14) << cut;
      ASSERT_EQ(total.ok, total.histogram.pixels == 5 ? 1u : 2u) << cut;
      expect_refused(Merge(kWhole), whole.substr(0, cut), ErrorKind::kInput, "--partial");
    }
  }
}

TEST(Merge, ACutTextMustTellHowItWasCountedFirst) {
  const std::string line = render({image("a", 5)});
  const std::string counting =
      line.substr(line.find("\"counting\""), line.find(",\"result\"") - line.find("\"counting\""));
  const std::string result = line.substr(line.find("\"result\""), line.find('\n') - 1 - line.find("\"result\""));
  const std::string first = "{\"schema\":1," + counting + "," + result, last = "{\"schema\":1," + result + ",";
  Merge partial(kPartial);
  add(partial, first);
  EXPECT_EQ(partial.total().histogram.pixels, 5u);
  expect_refused(Merge(kPartial), last, ErrorKind::kInput, "ends too early");
  expect_refused(Merge(kPartial), first + "}\n" + last, ErrorKind::kInput, "ends too early");
  // Begun is not told.
  for (std::size_t cut = 0; cut < counting.size(); ++cut) {
    const std::string begun = last + replaced(counting, "bt601", "bt709").substr(0, cut);
    expect_refused(Merge(kPartial), begun, ErrorKind::kInput, "");
    expect_refused(Merge(kPartial), first + "}\n" + begun, ErrorKind::kInput, "");
  }
}

TEST(Merge, WhatFollowsAWholeDocumentIsNoCut) {
  for (const char* more : {"x", "]", "}", "1"})
    for (const auto accept : {kWhole, kPartial})
      expect_refused(Merge(accept), render({image("a", 5)}) + more, ErrorKind::kInput, "not ");
}

TEST(Merge, ACutTextOfAShardIsAddedToTheOtherShards) {
  for (const auto format : {ReportFormat::kJson, ReportFormat::kJsonl})
    for (const bool cut_first : {false, true}) {
      const std::string whole = render({image("a", 5)}, shard(1, 2, 2), format);
      std::string cut = render({image("b", 9)}, shard(2, 2, 2), format);
      cut.resize(cut.find("\"total\""));
      Merge merge(kPartial);
      add(merge, cut_first ? cut : whole, cut_first ? "cut" : "whole");
      add(merge, cut_first ? whole : cut, cut_first ? "whole" : "cut");
      EXPECT_EQ(merge.total().histogram.pixels, 14u);
      EXPECT_TRUE(merge.total().incomplete);
      EXPECT_EQ(merge.missing(), "2");
      EXPECT_EQ(merge.of_unknown_shard(), std::vector<std::string>{"cut"});
      expect_refused(merge, render({image("a", 5)}), ErrorKind::kUsage, "whole is of a shard, file of a whole list");
      Merge list(kPartial);
      add(list, cut, "cut");
      add(list, render({image("a", 5)}), "list");
      expect_refused(list, whole, ErrorKind::kUsage, "file is of a shard, list of a whole list");
    }
}

TEST(Merge, RefusesMalformedShards) {
  const std::string good = render({image("a", 5)}, shard(1, 2, 2));
  const Merge merge(kWhole);
  for (const auto& [from, to, part] :
       std::vector<std::array<std::string, 3>>{{"\"index\":1", "\"index\":0", "out of order"},
                                               {"\"index\":1", "\"index\":3", "beyond its count"},
                                               {"\"index\":1", "\"index\":1.0", "whole number"},
                                               {"\"index\":1", "\"index\":-1", "whole number"},
                                               {"\"index\":1", "\"indexes\":[]", "no index"},
                                               {"\"index\":1", "\"indexes\":[1,1]", "out of order"},
                                               {"\"index\":1", "\"indexes\":[1,[2]]", "whole number"},
                                               {"\"index\":1", "\"index\":1,\"indexes\":[1]", "either"},
                                               {"\"index\":1", "\"index\":1,\"index\":1", "twice"},
                                               {"\"count\":2,\"inputs\"", "\"inputs\"", "no \"count\""},
                                               {"\"inputs\":2,", "", "or neither"},
                                               {"aaaa\"", "aaaA\"", "SHA-256"},
                                               {"{\"files\"", "{\"incomplete\":1,\"files\"", "true or false"},
                                               {"\"skipped\":0", "\"skip\":0", "no \"skipped\""}}) {
    const bool shard_first = from != "{\"files\"";
    expect_refused(merge,
                   replaced(good, shard_first ? from : "{\"shard\"", shard_first ? to : "{\"incomplete\":1,\"shard\""),
                   ErrorKind::kInput, part);
  }
}

TEST(Merge, OverflowAndHugeValuesAreErrors) {
  const std::string most = "18446744073709551615";
  Merge merge(kWhole);
  const std::string huge =
      replaced(replaced(replaced(render({}), "\"pixels\":0", "\"pixels\":" + most), "\"ok\":0", "\"ok\":" + most),
               "\"channels\":{}", "\"channels\":{}");
  add(merge, huge);
  expect_refused(merge, render({image("a", 1)}), ErrorKind::kLimit, "2^64");
  expect_refused(merge, replaced(huge, "\"pixels\":" + most, "\"pixels\":0"), ErrorKind::kLimit, "2^64 - 1 files");
  expect_refused(merge, "{\"x\":\"" + std::string(17 << 20, 'x'), ErrorKind::kLimit, "16 MiB");
  expect_refused(merge, "{\"a\":" + std::string(1'000'000, '['), ErrorKind::kInput, "nested too deep");
}

// Cut off or changed anywhere: merged or refused, never more.
TEST(Merge, DamageNeverDoesMoreThanThrow) {
  const std::string good = render({image("a", 5), image("b", 9)}, shard(1, 2, 4));
  int refused = 0;
  for (std::size_t i = 0; i < 900; ++i) {
    try {
      Merge merge(kWhole);
      add(merge, gpuhisto::testing::damaged(good, i));
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 600);
}

}  // namespace
}  // namespace gpuhisto
