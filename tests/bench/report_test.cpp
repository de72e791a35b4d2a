// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Reports of made-up results, in full.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "gpuhisto/bench_report.hpp"

namespace gpuhisto::bench {
namespace {

Line line_of(LineKind kind, const std::string& method, double microseconds, std::uint64_t bytes) {
  Line line;
  line.kind = kind;
  line.method = method;
  line.bytes = bytes;
  line.time = summarize({microseconds / 1e6, microseconds / 1e6, microseconds / 1e6});
  return line;
}

/// A GPU's results: a method with two kernels, one that cannot run, one that loses counts, one that is wrong and noisy.
Group sample() {
  Group group;
  group.target = {"gpu:0", "A card", "cuda", true, 0, 0};
  group.input.name = "uniform";
  group.shape.width = 1000000;
  group.seed = 3;
  group.lines = {line_of(LineKind::kRead, "read", 10, 1000000), line_of(LineKind::kCopy, "copy", 40, 2000000)};
  Line line = line_of(LineKind::kMethod, "per-block-partial", 20, 1000000);
  line.pixels = 1000000;
  line.kernel = line.description.kernel = "first_kernel";
  line.description.block_threads = 1024;
  line.description.registers = 40;
  line.description.shared_bytes = 32768;
  line.description.occupancy = 1;
  line.verification.rounds = 3;
  group.lines.push_back(line);
  line.kind = LineKind::kKernel;
  line.time.median = 15e-6;
  group.lines.push_back(line);
  Line unable;
  unable.method = "vendor";
  unable.note = "there is no library";
  group.lines.push_back(unable);
  Line lossy = line_of(LineKind::kMethod, "unsafe-nonatomic", 12.5, 1000000);
  lossy.pixels = 1000000;
  lossy.exact = false;
  lossy.verification = {3, 3, Mismatch{0, 1, Channel::kLuma, 10, 5}, 1000, 250};
  group.lines.push_back(lossy);
  Line wrong = line_of(LineKind::kMethod, "per-grid", 1000, 1000000);
  wrong.policy = "block=128";
  wrong.pixels = 1000000;
  wrong.time = summarize({1e-3, 2e-3, 3e-3});
  wrong.verification = {3, 1, Mismatch{0, 7, Channel::kRed, 13, 12}, 1000, 1};
  group.lines.push_back(wrong);
  group.lines.push_back(line_of(LineKind::kEndToEnd, "per-block", 200, 1000000));
  return group;
}

std::string report(std::unique_ptr<Reporter> (*make)(std::ostream&), const std::vector<Group>& groups) {
  std::ostringstream out;
  const auto reporter = make(out);
  reporter->begin({"1.2.3", {"gpuhisto", "bench"}, 3, 4, {sample().target}});
  for (const Group& group : groups) reporter->group(group);
  reporter->finish(true);
  return out.str();
}

TEST(BenchReport, Text) {
  EXPECT_EQ(report(make_text_reporter, {sample()}),
            R"(gpu:0: A card
Medians of the rounds, launches back to back. read: reading alone, the limit; copy: bytes read and written; ~: noisy.

uniform, 1000000 gray pixels (977 KiB), policy block=128
  method             median us   GB/s  Gpix/s  % of read  spread %  regs  shared B  occup. %  exact rounds
  read                   10.00  100.0              100.0       0.0
  copy                   40.00  50.00                          0.0
  per-block-partial      20.00  50.00   50.00       50.0       0.0    40     32768       100  3 of 3
    first_kernel         15.00                                        40     32768       100
  vendor                                                                                      not run
  unsafe-nonatomic       12.50  80.00   80.00       80.0       0.0                            inexact, lost 25.0 %
  per-grid                2000  0.500   0.500        0.5    ~ 50.0                            WRONG in 1 of 3
  with the transfer from host memory: per-block 200.0 us, 5.000 GB/s
  vendor: there is no library
)");
}

TEST(BenchReport, WhatStopsAmidTheRoundsIsNoFigure) {
  Group group = sample();
  Line& method = group.lines[2];
  Line& transfer = group.lines.back();
  for (Line* line : {&method, &transfer}) {
    line->time = {};
    line->verification.rounds = 1;
    line->note = "stopped after 1 round: no memory";
  }
  group.lines.erase(group.lines.begin() + 3);  // its kernel
  const std::string text = report(make_text_reporter, {group});
  for (const char* part : {" stopped\n", "  per-block-partial: stopped after 1 round: no memory\n",
                           "  with the transfer from host memory: per-block: stopped after 1 round: no memory\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_EQ(text.find("  per-block: stopped"), std::string::npos) << text;
  const std::string json = report(make_json_reporter, {group});
  const std::size_t last = json.find("\"kind\":\"end-to-end\"");
  ASSERT_NE(last, std::string::npos) << json;
  EXPECT_NE(json.find("\"note\":\"stopped after 1 round: no memory\"", last), std::string::npos) << json;
  EXPECT_EQ(json.find("median_us", last), std::string::npos) << json;
}

TEST(BenchReport, TextNamesTheMachineWhereItChanges) {
  Group other = sample();
  other.target.id = "cpu";
  const std::string text = report(make_text_reporter, {sample(), sample(), other});
  EXPECT_EQ(text.find("gpu:0: A card"), text.rfind("gpu:0: A card"));
  EXPECT_NE(text.find("\ncpu: A card\n"), std::string::npos);
}

TEST(BenchReport, TextOfAStudyHasItsFiguresAndLaunches) {
  Group group = sample();
  group.title = "study: case";
  group.note = "what it shows";
  group.source = "somebody";
  group.lines[2].label = "1 naive";
  group.lines[2].policy = "block=64";
  group.lines[2].published = Published{25e9, "0.040 ms", "another card"};
  const std::string text = report(make_text_reporter, {group});
  for (const char* part :
       {"study: case\n  what it shows\n  uniform, ", "step  ", "here : there", "0.040 ms         2.000",
        "  study: somebody; published figures: another card\n", "    1 naive: per-block-partial block=64\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(BenchReport, CsvHasTheSameColumnsForEveryLine) {
  std::istringstream lines(report(make_csv_reporter, {sample()}));
  std::string line, header;
  std::getline(lines, header);
  EXPECT_EQ(header,
            "device,device_name,kind,method,kernel,policy,pattern,keys,map,bins,channels,luma,width,height,images,"
            "pixels,hot,seed,rounds,median_us,min_us,max_us,spread,gb_per_s,gpix_per_s,share_of_read,registers,"
            "spilled_bytes,shared_bytes,occupancy,blocks,block_threads,resident_blocks,passes,full_policy,verified,"
            "wrong_rounds,lost,mismatch_image,mismatch_channel,mismatch_bin,expected,got,global_atomics,shared_atomics,"
            "shared_instructions,shared_passes,same_address,case,label,published,published_g_per_s,published_machine,"
            "published_source,note");
  int count = 0;
  for (; std::getline(lines, line); ++count)
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), std::count(header.begin(), header.end(), ',')) << line;
  EXPECT_EQ(count, 8);
}

TEST(BenchReport, JsonTellsWhatWasWrong) {
  const std::string text = report(make_json_reporter, {sample()});
  EXPECT_EQ(
      text.rfind("{\"schema\":1,\"environment\":{\"version\":\"1.2.3\",\"command\":[\"gpuhisto\",\"bench\"],"
                 "\"seed\":3,\"threads\":4,\"devices\":[{\"device\":\"gpu:0\",\"device_name\":\"A card\",\"platform\":"
                 "\"cuda\"}]},\n\"results\":[\n",
                 0),
      0u);
  for (const char* part : {"\"verified\":\"wrong\",\"wrong_rounds\":1,\"lost\":1,\"mismatch_image\":0,"
                           "\"mismatch_channel\":\"red\",\"mismatch_bin\":7,\"expected\":13,\"got\":12",
                           "\"verified\":\"inexact\"", "\"verified\":\"exact\"", "\"note\":\"there is no library\"",
                           "\"warnings\":[\"rounds differ by more than 5 % (per-grid block=128)"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(BenchReport, ChartHasABarForEachMethodAndInput) {
  Group other = sample();
  other.input.name = "constant";
  const BarChart chart = make_chart(std::vector<Group>{sample(), other});
  EXPECT_EQ(chart.series, (std::vector<std::string>{"uniform", "constant"}));
  ASSERT_EQ(chart.rows.size(), 3u);  // a method that was not run has none
  EXPECT_EQ(chart.rows[0].label, "per-block-partial");
  ASSERT_EQ(chart.rows[0].bars.size(), 2u);
  EXPECT_DOUBLE_EQ(chart.rows[0].bars[1].value, 50);
  EXPECT_EQ(chart.rows[0].bars[1].text, "50.0 GB/s, 50 %");
  EXPECT_FALSE(chart.rows[0].bars[0].suspect);
  EXPECT_TRUE(chart.rows[2].bars[0].suspect);
  EXPECT_DOUBLE_EQ(chart.limit, 100);
  EXPECT_EQ(chart.limit_text, "reading alone, the fastest: 100.0");
}

}  // namespace
}  // namespace gpuhisto::bench
