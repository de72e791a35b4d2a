// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The studies' inputs, launch shapes and figures, as they were published.
#include <gtest/gtest.h>

#include "gpuhisto/bench.hpp"

namespace gpuhisto::bench {
namespace {

const Preset& preset(const std::string& name) {
  for (const auto& preset : presets())
    if (preset.name == name) return preset;
  throw std::runtime_error(name);
}
std::vector<PresetCase> cases(const std::string& name) { return preset(name).cases(preset(name).size); }
std::vector<PresetCase> on_device(const std::string& name) {
  auto list = cases(name);
  std::erase_if(list, [](const PresetCase& c) { return c.on_cpu; });
  return list;
}
const Candidate& candidate(const PresetCase& study, const std::string& label) {
  for (const auto& candidate : study.request.candidates)
    if (candidate.label == label) return candidate;
  throw std::runtime_error(label);
}
double milliseconds(const PresetCase& study, const std::string& label) {
  return static_cast<double>(study.request.shape.width) / candidate(study, label).published.value().rate * 1e3;
}

TEST(BenchPresets, AreTheFiveStudies) {
  std::vector<std::string> names;
  for (const auto& preset : presets()) names.emplace_back(preset.name);
  EXPECT_EQ(names, (std::vector<std::string>{"hip-tutorial", "cuda-handbook", "leetcuda", "mi300x", "book"}));
}

TEST(BenchPresets, HaveACaseForTheCpuAndAreSmallWhereReduced) {
  for (const auto& preset : presets())
    for (const std::uint64_t size : {preset.size, preset.reduced}) {
      int cpu = 0;
      for (const auto& [request, on_cpu] : preset.cases(size)) {
        cpu += on_cpu ? 1 : 0;
        EXPECT_LE(request.shape.pixels(), size) << preset.name;
        EXPECT_FALSE(request.title.empty()) << preset.name;
        EXPECT_FALSE(request.candidates.empty()) << preset.name;
        for (const auto& candidate : request.candidates) EXPECT_FALSE(candidate.label.empty()) << preset.name;
      }
      EXPECT_EQ(cpu, 1) << preset.name;
    }
}

TEST(BenchPresets, HipTutorial) {
  const PresetCase study = on_device("hip-tutorial").front();
  EXPECT_EQ(study.request.shape.pixels(), 16777216u);
  EXPECT_EQ(study.request.shape.keys, Keys::kU32);
  EXPECT_EQ(study.request.shape.map, BinMap::kModulo);
  EXPECT_EQ(study.request.shape.bins, 256u);
  EXPECT_EQ(study.request.input.pattern.pattern, Pattern::kEveryFourth);
  EXPECT_EQ(candidate(study, "1 naive").policy, "block=256,grid=65536");
  EXPECT_EQ(candidate(study, "2 shared, 16 items").policy, "block=256,grid=4096,loads=4,replicas=1");
  EXPECT_EQ(candidate(study, "3 partial, 16 items").policy, "block=256,grid=4096,replicas=1");
  EXPECT_EQ(candidate(study, "3 partial, 16 items").method, "per-block-partial");
}

TEST(BenchPresets, LeetCuda) {
  const auto studies = on_device("leetcuda");
  EXPECT_EQ(studies[0].request.shape.pixels(), 16777216u);
  EXPECT_TRUE(studies[0].request.input.bins_from_keys);
  EXPECT_EQ(studies[0].request.input.key_range, 256u);
  EXPECT_EQ(candidate(studies[0], "i32x4").policy, "block=64,grid=65536");
  EXPECT_NEAR(milliseconds(studies[0], "i32"), 3.676, 1e-9);
  EXPECT_NEAR(milliseconds(studies[0], "i32x4"), 3.620, 1e-9);
  EXPECT_NEAR(milliseconds(studies[0], "torch.histc (here: per-block)"), 0.144, 1e-9);
  EXPECT_EQ(studies[1].request.input.key_range, 16777216u);
  EXPECT_NEAR(milliseconds(studies[1], "i32"), 0.364, 1e-9);
  EXPECT_NEAR(milliseconds(studies[1], "i32x4"), 0.407, 1e-9);
}

TEST(BenchPresets, Mi300x) {
  const PresetCase study = on_device("mi300x").front();
  EXPECT_EQ(study.request.shape.pixels(), 67108864u);
  EXPECT_EQ(study.request.shape.bins, 4096u);
  EXPECT_EQ(study.request.input.pattern.pattern, Pattern::kZipf);
  EXPECT_NEAR(milliseconds(study, "one global atomic per key"), 86.3898, 1e-9);
  EXPECT_NEAR(milliseconds(study, "larger blocks, vector loads"), 86.3963, 1e-9);
  EXPECT_NEAR(milliseconds(study, "wave-aggregated"), 73.2241, 1e-9);
  EXPECT_NEAR(milliseconds(study, "block-local, merged once"), 0.1015, 1e-9);
}

TEST(BenchPresets, CudaHandbook) {
  const PresetCase uniform = on_device("cuda-handbook")[0];
  EXPECT_EQ(uniform.request.shape.keys, Keys::kPixels);
  EXPECT_EQ(candidate(uniform, "per block, 400 x 256").policy, "block=256,grid=400,replicas=1");
  EXPECT_EQ(candidate(uniform, "per thread 4x64, periodic merge").published->rate, 139e9);
  EXPECT_EQ(candidate(uniform, "per thread 4x64, avoidance").published->rate, 90e9);
  EXPECT_EQ(candidate(uniform, "per thread 4x64, periodic merge").policy,
            "block=128,grid=128,overflow=periodic-merge,layout=interleaved");
  EXPECT_NE(uniform.request.note.find("blocks of 128 threads, the study's are 64"), std::string::npos);
  const PresetCase cpu = cases("cuda-handbook").back();
  ASSERT_TRUE(cpu.on_cpu);
  EXPECT_EQ(candidate(cpu, "single-threaded").published->rate, 885e6);
  EXPECT_EQ(candidate(cpu, "single-threaded").policy, "threads=1");
  EXPECT_EQ(candidate(cpu, "fork/join, private bins").published->rate, 2990e6);
}

TEST(BenchPresets, BookBeginsWithTheLostUpdate) {
  const PresetCase study = on_device("book").front();
  EXPECT_EQ(study.request.candidates[0].method, "unsafe-nonatomic");
  EXPECT_EQ(study.request.candidates[1].method, "per-grid");
  EXPECT_EQ(study.request.candidates[2].method, "per-block");
  EXPECT_FALSE(candidate(study, "privatised, a block per 4096").policy.empty());
  EXPECT_EQ(cases("book").back().request.candidates.front().method, "unsafe-nonatomic");
}

}  // namespace
}  // namespace gpuhisto::bench
