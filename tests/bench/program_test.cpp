// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The whole command on a machine that seems to have two GPUs, the second of which counts wrong.
#include "program.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "gpuhisto/bench_report.hpp"
#include "gpuhisto/module.hpp"

namespace gpuhisto::app {
namespace {

struct Outcome {
  int exit = 0;
  std::string out, err;
};

Outcome run_bench(std::vector<std::string> arguments) {
  ::setenv("GPUHISTO_PLUGIN_PATH", GPUHISTO_FAULTY_FOLDER ":" GPUHISTO_MODULE_FOLDER, 1);
  arguments.insert(arguments.begin(), "bench");
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.exit = run_program(arguments);
  outcome.err = ::testing::internal::GetCapturedStderr();
  outcome.out = ::testing::internal::GetCapturedStdout();
  return outcome;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(BenchProgram, TimesADeviceAgainstItsMemory) {
  const Outcome outcome =
      run_bench({"--method", "per-block,per-block-partial", "--pixels", "5000,300K", "--pattern", "uniform", "-q"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  for (const char* part : {"gpu:0: ", "uniform, 5000 gray pixels", "% of read", "copy", "5 of 5", "second kernel",
                           "regs", "with the transfer from host memory: per-block"})
    EXPECT_TRUE(has(outcome.out, part)) << part << "\n" << outcome.out;
  EXPECT_FALSE(has(outcome.out, "WRONG"));
  for (std::size_t at = 0, end; at < outcome.out.size(); at = end + 1) {
    end = std::min(outcome.out.find('\n', at), outcome.out.size());
    EXPECT_LE(end - at, 120u) << outcome.out.substr(at, end - at);
  }
}

TEST(BenchProgram, WrongCountIsExit5AndNamed) {
  const Outcome outcome =
      run_bench({"--device", "gpu:1", "--method", "per-grid", "--pixels", "5000", "--pattern", "constant", "-q"});
  EXPECT_EQ(outcome.exit, 5);
  EXPECT_TRUE(has(outcome.out, "WRONG in 5 of 5")) << outcome.out;
  EXPECT_EQ(outcome.err, "gpuhisto: per-grid: bin 77 of luma has 4999 instead of 5000 (wrong in 5 of 5 rounds)\n");
}

TEST(BenchProgram, WhatAnInexactMethodLosesIsNoMismatch) {
  const Outcome outcome = run_bench(
      {"--device", "gpu:1", "--method", "unsafe-nonatomic", "--pixels", "5000", "--pattern", "constant", "-q"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_TRUE(has(outcome.out, "inexact, lost 0.0200 %")) << outcome.out;
}

TEST(BenchProgram, EmulatedRefusalStopsNoOtherMethodAndRoundsAreTold) {
  const Outcome outcome =
      run_bench({"--device", "emulated", "--policy", "bound=100", "--pixels", "50,200", "--pattern", "constant",
                 "--method", "per-block,unsafe-nonatomic", "--rounds", "2", "--format", "csv", "-q"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_TRUE(has(outcome.err, "method 'per-block' did not run: more than 100 pixels")) << outcome.err;
  EXPECT_TRUE(has(outcome.out, ",50,0,1,2,,")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, ",exact,0,")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, ",inexact,0,")) << outcome.out;
}

TEST(BenchProgram, UnwritablePlotIsToldBeforeMeasuring) {
  const Outcome outcome =
      run_bench({"--device", "emulated", "--plot", "/no-such-folder/a.svg", "--pixels", "50", "-q"});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(has(outcome.err, "/no-such-folder/a.svg")) << outcome.err;
}

TEST(BenchProgram, BothMachinesInOneRun) {
  const Outcome outcome = run_bench({"--method", "per-block,cpu", "--pixels", "5000", "--pattern", "uniform",
                                     "--format", "csv", "--rounds", "1", "-q"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_TRUE(has(outcome.out, "\ngpu:0,")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "\ncpu,"));
  EXPECT_TRUE(has(outcome.out, ",end-to-end,per-block,"));
}

TEST(BenchProgram, KeysThroughTheSameCalls) {
  const Outcome outcome = run_bench({"--keys", "u32", "--bins", "auto", "--pixels", "3000", "--pattern", "all",
                                     "--rounds", "1", "--method", "per-block", "-q"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_TRUE(has(outcome.out, "zipf, 3000 32-bit keys")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "Gkeys/s"));
}

TEST(BenchProgram, MissingGpuIsExit4) {
  const Outcome outcome = run_bench({"--preset", "mi300x", "--device", "gpu:7"});
  EXPECT_EQ(outcome.exit, 4);
  EXPECT_TRUE(has(outcome.err, "there is no gpu:7")) << outcome.err;
}

TEST(BenchProgram, FailingGpuIsToldWhereTheCpuStandsIn) {
  ::setenv("BENCH_TEST_GPU_FAILS", "1", 1);
  const std::vector<std::string> small = {"--pixels", "5000", "--pattern", "constant", "--rounds", "1", "--hot"};
  const Outcome quiet = run_bench(small);
  auto named = small;
  named.insert(named.end(), {"--method", "per-block,all"});
  const Outcome refused = run_bench(named);
  ::unsetenv("BENCH_TEST_GPU_FAILS");
  EXPECT_EQ(quiet.exit, 0) << quiet.err;
  EXPECT_TRUE(has(quiet.err, "the CPU is measured instead")) << quiet.err;
  EXPECT_EQ(refused.exit, 4) << refused.err;
  EXPECT_EQ(refused.out, "");
}

TEST(BenchProgram, AGpuLostAmidTheRunLeavesAWholeDocument) {
  int measured = 0;
  for (bool whole = false; !whole && measured < 100; ++measured) {
    ::setenv("BENCH_TEST_MEASURES", std::to_string(measured).c_str(), 1);
    const Outcome outcome = run_bench({"--method", "per-block", "--pixels", "50,60", "--pattern", "constant",
                                       "--rounds", "1", "--format", "json", "-q"});
    ::unsetenv("BENCH_TEST_MEASURES");
    whole = outcome.exit == 0;
    EXPECT_EQ(outcome.exit, whole ? 0 : 4) << outcome.err;
    const auto document = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(document.contains("incomplete"), !whole) << outcome.out;
    EXPECT_TRUE(document.contains("warnings")) << outcome.out;
  }
  EXPECT_GT(measured, 2);
  EXPECT_LT(measured, 100) << "the last run was whole";
}

TEST(BenchProgram, MemoryThatEndsAmidTheRoundsIsNoUsageError) {
  for (const char* methods : {"per-grid", "per-grid,unsafe-nonatomic"}) {
    ::setenv("BENCH_TEST_PER_GRID", "2", 1);  // the first launch, and the first round
    const Outcome outcome = run_bench({"--method", methods, "--pixels", "50", "--pattern", "constant", "-q"});
    ::unsetenv("BENCH_TEST_PER_GRID");
    EXPECT_EQ(outcome.exit, 1) << outcome.err;
    EXPECT_TRUE(has(outcome.err, "method 'per-grid' stopped after ")) << outcome.err;
    EXPECT_TRUE(has(outcome.out, "host memory: per-grid: stopped after ")) << outcome.out;
  }
}

/// A study of few keys on the first GPU, as text.
std::string study(const bench::Preset& preset, std::uint64_t size) {
  set_module_path({GPUHISTO_FAULTY_FOLDER, GPUHISTO_MODULE_FOLDER});
  const auto target = bench::open_device_target("gpu:0");
  std::ostringstream out;
  const auto reporter = bench::make_text_reporter(out);
  for (auto& [request, on_cpu] : preset.cases(size)) {
    if (on_cpu) continue;
    request.rounds = 1;
    request.source = preset.source;
    const bench::Group group = bench::run(*target, request);
    for (const auto& line : group.lines) EXPECT_FALSE(line.mismatch()) << bench::describe_mismatch(line);
    reporter->group(group);
  }
  return out.str();
}

TEST(BenchProgram, StudiesStandBesideTheirFigures) {
  for (const auto& preset : bench::presets()) {
    const std::string text = study(preset, 2048);
    EXPECT_TRUE(has(text, "1 of 1")) << text;
    if (preset.name != "hip-tutorial" && preset.name != "book") {
      EXPECT_TRUE(has(text, "here : there")) << text;
    }
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120u) << line;
  }
}

}  // namespace
}  // namespace gpuhisto::app
