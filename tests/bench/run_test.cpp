// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Rounds, verification and rotation, over a machine that can be told to err.
#include <gtest/gtest.h>

#include "bench/fastest_read.hpp"
#include "fake_target.hpp"
#include "gpuhisto/bench_report.hpp"

namespace gpuhisto::bench {
namespace {

const Line& line_of(const Group& group, const std::string& method, LineKind kind = LineKind::kMethod) {
  for (const Line& line : group.lines)
    if (line.method == method && line.kind == kind) return line;
  throw std::runtime_error("no line " + method);
}

TEST(BenchRun, VerifiesEveryRoundWithFreshValuesAndPoisonedCounts) {
  FakeTarget target;
  Request request = request_of({"right"});
  request.input.pattern = {Pattern::kUniform, 1};
  request.seed = 40;
  const Group group = run(target, request);
  const Line& line = line_of(group, "right");
  EXPECT_EQ(line.verification.rounds, 3u);
  EXPECT_TRUE(line.verification.passed());
  EXPECT_EQ(line.time.count, 3u);
  EXPECT_DOUBLE_EQ(line.time.median, 1e-4);
  EXPECT_TRUE(target.poisoned);
  EXPECT_EQ(target.seeds, (std::vector<std::uint64_t>{40, 41, 42}));
  EXPECT_TRUE(warnings(group).empty());
}

TEST(BenchRun, WrongCountIsAMismatchThatIsNamed) {
  FakeTarget target;
  const Group group = run(target, request_of({"right", "wrong"}));
  EXPECT_FALSE(line_of(group, "right").mismatch());
  const Line& line = line_of(group, "wrong");
  ASSERT_TRUE(line.mismatch());
  EXPECT_EQ(line.verification.wrong, 3u);
  ASSERT_TRUE(line.verification.first);
  EXPECT_EQ(line.verification.first->bin, 77u);
  EXPECT_EQ(line.verification.first->channel, Channel::kLuma);
  EXPECT_EQ(line.verification.first->expected, 1000u);
  EXPECT_EQ(line.verification.first->got, 999u);
  EXPECT_EQ(describe_mismatch(line), "wrong: bin 77 of luma has 999 instead of 1000 (wrong in 3 of 3 rounds)");
}

TEST(BenchRun, CountsThatWereNeverWrittenAreWrong) {
  FakeTarget target;
  EXPECT_TRUE(line_of(run(target, request_of({"unwritten"})), "unwritten").mismatch());
}

TEST(BenchRun, WhatAnotherMethodLeftOnTheDeviceDoesNotPass) {
  FakeTarget target;
  EXPECT_TRUE(line_of(run(target, request_of({"right", "stale"})), "stale").mismatch());
}

TEST(BenchRun, InexactMethodTellsWhatItLost) {
  FakeTarget target;
  const Group group = run(target, request_of({"lossy"}));
  const Line& line = line_of(group, "lossy");
  EXPECT_FALSE(line.mismatch());
  EXPECT_EQ(line.verification.missing, 3u);
  EXPECT_EQ(line.verification.expected_total, 3000u);
  EXPECT_TRUE(warnings(group).empty());
}

TEST(BenchRun, MethodThatCannotDoItHasANoteAndTheOthersGoOn) {
  FakeTarget target;
  const Group group = run(target, request_of({"unable", "right"}));
  EXPECT_EQ(line_of(group, "unable").note, "the method cannot do it");
  EXPECT_EQ(line_of(group, "unable").time.count, 0u);
  EXPECT_TRUE(line_of(group, "right").verification.passed());
}

TEST(BenchRun, MethodWithoutMemoryHasANoteAndTheOthersGoOn) {
  FakeTarget target;
  const Group group = run(target, request_of({"greedy", "right"}));
  EXPECT_EQ(line_of(group, "greedy").note, "no memory for it");
  EXPECT_TRUE(line_of(group, "right").verification.passed());
  EXPECT_THROW((void)run(target, request_of({"greedy", "unable"})), Error);
}

/// What a run tells of a method that stops after its first round.
void expect_stopped(const Line& line, const std::string& note) {
  EXPECT_EQ(line.note, "stopped after 1 round: " + note);
  EXPECT_EQ(line.verification.rounds, 1u);
  EXPECT_EQ(line.time.count, 0u);
}

TEST(BenchRun, MethodThatStopsAmidTheRoundsHasANoteAndNoTime) {
  for (const std::string company : {"", "lossy", "right"})
    for (const std::string method : {"greedy", "unable"}) {
      SCOPED_TRACE(method + " " + company);
      FakeTarget target;
      target.good_rounds = 1;
      std::vector<std::string> methods = {method};
      if (!company.empty()) methods.push_back(company);
      const Group group = run(target, request_of(methods));
      const std::string note = method == "greedy" ? "no memory for it" : "the method cannot do it";
      expect_stopped(line_of(group, method), note);
      EXPECT_EQ(line_of(group, method).memory_short, method == "greedy");
      expect_stopped(line_of(group, method, LineKind::kEndToEnd), note);
      EXPECT_EQ(target.carriers, std::vector<std::string>{method});  // and nobody takes its place
      if (!company.empty()) {
        EXPECT_EQ(line_of(group, company).time.count, 3u);
      }
    }
}

TEST(BenchRun, WrongCountsOfAMethodThatStopsAreTold) {
  FakeTarget target;
  target.good_rounds = 1;
  target.all_wrong = true;
  EXPECT_TRUE(line_of(run(target, request_of({"greedy"})), "greedy").mismatch());
}

TEST(BenchRun, NoPassOfAReadFindsWhatTheOneBeforeLeftInTheCaches) {
  std::vector<std::string> steps;
  const auto pass = [&](int threads) {
    steps.push_back(std::to_string(threads));
    return threads == 4 ? 2.0 : 1.0;
  };
  const auto evict = [&] { steps.emplace_back("evict"); };
  EXPECT_DOUBLE_EQ(fastest_read(4, pass, evict), 1);
  EXPECT_EQ(steps, (std::vector<std::string>{"4", "evict", "1"}));
  steps.clear();
  EXPECT_DOUBLE_EQ(fastest_read(1, pass, evict), 1);
  EXPECT_EQ(steps, std::vector<std::string>{"1"});
}

TEST(BenchRun, RooflineAndTransferHaveLinesOfTheirOwn) {
  FakeTarget target;
  const Group group = run(target, request_of({"right"}));
  EXPECT_DOUBLE_EQ(group.read_rate(), 1e9);
  EXPECT_EQ(line_of(group, "copy", LineKind::kCopy).time.count, 3u);
  const Line& transfer = line_of(group, "right", LineKind::kEndToEnd);
  EXPECT_DOUBLE_EQ(transfer.time.median, 1e-2);
  EXPECT_TRUE(transfer.verification.passed());
}

TEST(BenchRun, TransferThatMemoryDoesNotSufficeForHasANoteAndNoTime) {
  FakeTarget target;
  target.good_transfers = 0;
  const Group never = run(target, request_of({"right"}));
  EXPECT_EQ(line_of(never, "right", LineKind::kEndToEnd).note, "no memory for the transfer");
  EXPECT_EQ(line_of(never, "right").time.count, 3u);
  FakeTarget later;
  later.good_transfers = 1;
  expect_stopped(line_of(run(later, request_of({"right"})), "right", LineKind::kEndToEnd),
                 "no memory for the transfer");
}

TEST(BenchRun, KernelsOfATwoPassMethodShareItsTime) {
  FakeTarget target;
  target.second_share = 0.25;
  const Group group = run(target, request_of({"right"}));
  std::vector<double> parts;
  for (const Line& line : group.lines)
    if (line.kind == LineKind::kKernel) {
      parts.push_back(line.time.median);
      EXPECT_EQ(line.verification.rounds, 0u);
    }
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_DOUBLE_EQ(parts[0], 0.75e-4);
  EXPECT_DOUBLE_EQ(parts[1], 0.25e-4);
}

TEST(BenchRun, SmallImagesRotateAndTheLastOneIsCompared) {
  FakeTarget target;
  target.info_.cache_bytes = 1 << 16;
  Request request = request_of({"right"}, 1 << 12);
  request.input.pattern = {Pattern::kUniform, 1};
  const Group group = run(target, request);
  EXPECT_TRUE(line_of(group, "right").verification.passed());
  EXPECT_EQ(target.bursts.back().launches, 16u);
  EXPECT_EQ(target.bursts.back().stride, 1u << 12);
  EXPECT_EQ(target.bursts.back().rounds, 2u);  // the first one drives the images out of the caches
  EXPECT_EQ(target.evictions, 0);
}

TEST(BenchRun, HotCountsOneImage) {
  FakeTarget target;
  target.info_.cache_bytes = 1 << 16;
  Request request = request_of({"right"}, 1 << 12);
  request.hot = true;
  (void)run(target, request);
  EXPECT_EQ(target.bursts.back().stride, 0u);
  EXPECT_EQ(target.bursts.back().launches, 20u);  // two milliseconds
}

TEST(BenchRun, SlowMethodsAreLaunchedOnce) {
  FakeTarget target;
  target.info_.cache_bytes = 1 << 16;
  target.seconds = 0.2;
  (void)run(target, request_of({"right"}, 1 << 12));
  EXPECT_EQ(target.bursts.back().launches, 1u);
  EXPECT_EQ(target.bursts.back().rounds, 1u);
}

TEST(BenchRun, MinTimeGoesOnWithRounds) {
  FakeTarget target;
  Request request = request_of({"right"});
  request.rounds = 1;
  request.min_seconds = 0.5;
  EXPECT_GT(line_of(run(target, request), "right").verification.rounds, 1u);
}

TEST(BenchRun, PlainIncrementsOfOneThreadLoseNothingAndOfSeveralAreNoMismatch) {
  const auto target = make_cpu_target(4);
  Request request = request_of({}, 1 << 20);
  request.candidates = {{"unsafe-nonatomic", "threads=1", "", {}}, {"unsafe-nonatomic", "threads=4", "", {}}};
  const Group group = run(*target, request);
  std::vector<const Line*> lines;
  for (const Line& line : group.lines)
    if (line.kind == LineKind::kMethod) lines.push_back(&line);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]->verification.missing, 0u);
  EXPECT_FALSE(lines[1]->exact);
  EXPECT_FALSE(lines[1]->mismatch());
  EXPECT_EQ(lines[1]->verification.rounds, 3u);
}

TEST(BenchRun, CpuCountsPixelsAndBatchesRight) {
  const auto target = make_cpu_target(2);
  for (const int channels : {1, 3})
    for (const std::uint64_t images : {1u, 3u})
      for (const std::uint64_t width : {0u, 1u, 4095u, 4097u, 20000u}) {
        Request request = request_of({"cpu"}, width);
        request.rounds = 1;
        request.input.pattern = {Pattern::kUniform, 1};
        request.shape.channels = channels;
        request.shape.luma = channels == 3 && images == 1;
        request.shape.images = images;
        request.hot = true;  // emptying caches takes long
        request.candidates = {{"cpu", "threads=1", "", {}}, {"cpu", "threads=2", "", {}}};
        for (const Line& line : run(*target, request).lines)
          if (line.kind == LineKind::kMethod) {
            EXPECT_TRUE(line.verification.passed()) << width << " " << channels << " " << images;
          }
      }
}

TEST(BenchRun, CpuCountsKeysRight) {
  const auto target = make_cpu_target(3);
  for (const BinMap map : {BinMap::kModulo, BinMap::kRange})
    for (const std::uint64_t bins : {1u, 256u, 1000u, 100000u})
      for (const std::uint64_t width : {0u, 1u, 20001u}) {
        Request request = request_of({}, width);
        request.rounds = 1;
        request.hot = true;
        request.input.pattern = {Pattern::kZipf, 1};
        request.input.key_range = 5000;
        request.input.bins_from_keys = map == BinMap::kRange && bins == 1000;
        request.shape.keys = Keys::kU32;
        request.shape.map = map;
        request.shape.bins = bins;
        request.candidates = {{"cpu", "threads=1", "", {}}, {"cpu", "threads=3", "", {}}};
        const Group group = run(*target, request);
        for (const Line& line : group.lines)
          if (line.kind == LineKind::kMethod) {
            EXPECT_TRUE(line.verification.passed()) << bins << " bins, " << width << " keys";
          }
        if (!request.input.bins_from_keys) continue;
        EXPECT_LE(group.shape.bins, 5000u);
        EXPECT_GE(group.shape.bins, width < 2 ? 1u : 1000u);
      }
}

}  // namespace
}  // namespace gpuhisto::bench
