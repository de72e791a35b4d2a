// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Published studies of histograms: their inputs, methods and launch shapes, and the figures they give.
#include <array>

#include "gpuhisto/bench.hpp"

namespace gpuhisto::bench {
namespace {

constexpr std::uint64_t kAllKeys = std::uint64_t{1} << 32;

struct Named {
  const char* name;
  PatternSpec spec;
};
constexpr Named kUniform = {"uniform", {Pattern::kUniform, 1}}, kZipf = {"zipf", {Pattern::kZipf, 1}},
                kRamp = {"ramp", {Pattern::kRamp, 1}}, kConstant = {"constant", {Pattern::kConstant, 1}},
                kHot = {"hot-90", {Pattern::kHot90, 1}}, kEveryFourth = {"every-4th-fixed", {Pattern::kEveryFourth, 1}};

Request request_of(std::string title, std::string note, const Named& pattern, std::uint64_t size) {
  Request request;
  request.title = std::move(title);
  request.note = std::move(note);
  request.input.name = pattern.name;
  request.input.pattern = pattern.spec;
  request.shape.width = size;
  request.transfer = false;
  return request;
}

void make_keys(Request& request, BinMap map, std::uint64_t bins, std::uint64_t range) {
  request.shape.keys = Keys::kU32;
  request.shape.map = map;
  request.shape.bins = bins;
  request.input.key_range = range;
}

std::string number(std::uint64_t n) { return std::to_string(n < 1 ? 1 : n); }

/// The same input counted by one thread and by all.
PresetCase on_cpu(const PresetCase& device, std::uint64_t most) {
  PresetCase cpu;
  cpu.on_cpu = true;
  cpu.request = device.request;
  cpu.request.shape.width = std::min(cpu.request.shape.width, most);
  cpu.request.note.clear();
  cpu.request.candidates = {{"cpu", "threads=1", "sequential", {}}, {"cpu", "", "fork/join, private bins", {}}};
  return cpu;
}
constexpr std::uint64_t kMostOnCpu = std::uint64_t{1} << 26;

// ---- AMD's HIP tutorial

std::string items_policy(std::uint64_t size, std::uint64_t items) {
  const char* loads = items >= 16 ? "4" : items >= 8 ? "2" : "1";
  return "block=256,grid=" + number(size / (256 * items)) + ",loads=" + loads + ",replicas=1";
}

std::vector<PresetCase> hip_tutorial(std::uint64_t size) {
  PresetCase main;
  main.request = request_of("three steps", "from a global atomic per key to none at all", kEveryFourth, size);
  make_keys(main.request, BinMap::kModulo, 256, kAllKeys);
  const std::string naive = "block=256,grid=" + number(size / 256), sixteen = items_policy(size, 16);
  const std::string partial = "block=256,grid=" + number(size / (256 * 16)) + ",replicas=1";
  main.request.candidates = {{"per-grid", naive, "1 naive", {}},
                             {"per-block", sixteen, "2 shared, 16 items", {}},
                             {"per-block-partial", partial, "3 partial, 16 items", {}},
                             {"per-block", "", "gpuhisto's per-block", {}},
                             {"vendor", "", "the vendor's library", {}}};
  PresetCase items = main;
  items.request.title = "items per thread";
  items.request.note = "where step 3 overtakes step 2: the merge costs less the more a block counts";
  items.request.candidates.clear();
  for (const std::uint64_t n : {4u, 8u, 16u, 32u, 64u}) {
    const std::string word = std::to_string(n) + " items";
    items.request.candidates.push_back({"per-block", items_policy(size, n), "shared, " + word, {}});
    items.request.candidates.push_back(
        {"per-block-partial", "block=256,grid=" + number(size / (256 * n)) + ",replicas=1", "partial, " + word, {}});
  }
  return {main, items, on_cpu(main, kMostOnCpu)};
}

// ---- LeetCUDA

Published leetcuda_figure(double milliseconds, const char* figure) {
  return {16777216 / milliseconds * 1e3, figure, "card not named"};
}

std::vector<PresetCase> leetcuda(std::uint64_t size) {
  const std::string i32 = "block=256,grid=" + number(size / 256), i32x4 = "block=64,grid=" + number(size / 256);
  PresetCase few;
  few.request = request_of("256 bins", "vector loads do nothing where atomics bind; private bins do", kUniform, size);
  make_keys(few.request, BinMap::kRange, 256, 256);
  few.request.input.bins_from_keys = true;
  few.request.candidates = {{"per-grid", i32, "i32", leetcuda_figure(3.676, "3.676 ms")},
                            {"per-grid-vec4", i32x4, "i32x4", leetcuda_figure(3.620, "3.620 ms")},
                            {"per-block", "", "torch.histc (here: per-block)", leetcuda_figure(0.144, "0.144 ms")},
                            {"vendor", "", "the vendor's library", {}}};
  PresetCase many;
  many.request = request_of("one bin per key", "updates that never meet: private bins gain nothing", kUniform, size);
  make_keys(many.request, BinMap::kRange, size, size);
  many.request.input.bins_from_keys = true;
  many.request.candidates = {{"per-grid", i32, "i32", leetcuda_figure(0.364, "0.364 ms")},
                             {"per-grid-vec4", i32x4, "i32x4", leetcuda_figure(0.407, "0.407 ms")},
                             {"per-block", "", "gpuhisto's per-block", {}}};
  PresetCase ordered = many;
  ordered.request.title = "one bin per key, in order";
  ordered.request.note = "the study does not say how keys were drawn: here each one is there once, in order";
  ordered.request.input.name = kRamp.name;
  ordered.request.input.pattern = kRamp.spec;
  return {few, many, ordered, on_cpu(few, kMostOnCpu)};
}

// ---- The MI300X study

Published mi300x_figure(double milliseconds, const char* figure) {
  return {67108864 / milliseconds * 1e3, figure, "MI300X, ROCm 7.2.4"};
}

std::vector<PresetCase> mi300x(std::uint64_t size) {
  PresetCase main;
  main.request = request_of("four methods, 4096 bins",
                            "the study does not specify its skew: here key v has weight (v + 1)^-1.2", kZipf, size);
  make_keys(main.request, BinMap::kRange, 4096, 4096);
  const std::string wide = "block=1024";
  main.request.candidates = {
      {"per-grid", "block=256", "one global atomic per key", mi300x_figure(86.3898, "86.3898 ms")},
      {"per-grid-vec4", wide, "larger blocks, vector loads", mi300x_figure(86.3963, "86.3963 ms")},
      {"wave-aggregated", "block=256", "wave-aggregated", mi300x_figure(73.2241, "73.2241 ms")},
      {"per-block", "", "block-local, merged once", mi300x_figure(0.1015, "0.1015 ms")},
      {"vendor", "", "the vendor's library", {}}};
  return {main, on_cpu(main, kMostOnCpu)};
}

// ---- A textbook's chapter

std::vector<PresetCase> book(std::uint64_t size) {
  PresetCase spread;
  spread.request =
      request_of("from the lost update to the grid-stride loop",
                 "two threads read 5, both write 6: plain increments lose counts, atomics do not", kUniform, size);
  const std::string once = "block=256,replicas=1,grid=" + number(size / (256 * 16));
  spread.request.candidates = {{"unsafe-nonatomic", "block=256", "plain increments", {}},
                               {"per-grid", "block=256", "global atomics", {}},
                               {"per-block", once, "privatised, a block per 4096", {}},
                               {"per-block", "block=256,replicas=1", "privatised, grid-stride loop", {}},
                               {"per-block", "", "gpuhisto's per-block", {}}};
  PresetCase hot = spread;
  hot.request.title = "the same with a hot bin";
  hot.request.note = "nine of ten pixels are 200: contention, not bandwidth, decides";
  hot.request.input.name = kHot.name;
  hot.request.input.pattern = kHot.spec;
  PresetCase cpu = on_cpu(hot, kMostOnCpu);
  cpu.request.title = "the lost update between the CPU's threads";
  auto& steps = cpu.request.candidates;
  steps.insert(steps.begin(), {"unsafe-nonatomic", "", "plain increments, all threads", {}});
  return {spread, hot, cpu};
}

// ---- The CUDA Handbook

/// Of its own program on an H200, Gpix/s.
Published handbook_figure(double rate, const char* figure) { return {rate * 1e9, figure, "its code, H200"}; }

PresetCase handbook_case(const Named& pattern, std::uint64_t size) {
  const bool uniform = pattern.spec.pattern == Pattern::kUniform;
  PresetCase result;
  result.request =
      request_of("granularities, " + std::string(pattern.name),
                 "data do not matter per thread (blocks of 128 threads, the study's are 64); per block wins on native "
                 "shared atomics",
                 pattern, size);
  // The study's 256 blocks of 64 threads, which per-thread refuses, as half as many of twice the size.
  const std::string thread = "block=128,grid=128,overflow=periodic-merge,layout=";
  const auto figure = [&](double a, const char* at, double b, const char* bt) {
    return handbook_figure(uniform ? a : b, uniform ? at : bt);
  };
  result.request.candidates = {
      {"per-grid", "block=256", "per grid", figure(3.9, "3.9 Gpix/s", 1.4, "1.4 Gpix/s")},
      {"per-block", "block=256,grid=400,replicas=1", "per block, 400 x 256",
       figure(1014, "1014 Gpix/s", 1030, "1030 Gpix/s")},
      {"per-block-partial", "block=256,grid=400,replicas=1", "per block, reduced",
       figure(160, "160 Gpix/s", 161, "161 Gpix/s")},
      {"per-thread", thread + "row", "per thread, row", {}},
      {"per-thread", thread + "column", "per thread, column", {}},
      {"per-thread", thread + "interleaved", "per thread 4x64, periodic merge",
       figure(139, "139 Gpix/s", 139, "139 Gpix/s")},
      {"per-thread", "block=128,overflow=avoid,layout=interleaved", "per thread 4x64, avoidance",
       figure(90, "90 Gpix/s", 90, "90 Gpix/s")},
      {"per-thread", "block=128,grid=128,overflow=check,layout=interleaved", "per thread 4x64, check", {}},
      {"per-thread", "", "gpuhisto's per-thread", {}},
      {"per-block", "", "gpuhisto's per-block", {}}};
  return result;
}

std::vector<PresetCase> cuda_handbook(std::uint64_t size) {
  const PresetCase uniform = handbook_case(kUniform, size), constant = handbook_case(kConstant, size);
  PresetCase cpu = on_cpu(uniform, kMostOnCpu);
  const char* machine = "Ryzen 7 7700X, 8 cores";
  cpu.request.candidates[0].label = "single-threaded";
  cpu.request.candidates[0].published = Published{885e6, "885 Mpix/s", machine};
  cpu.request.candidates[1].published = Published{2990e6, "2990 Mpix/s", machine};
  return {uniform, constant, cpu};
}

constexpr std::uint64_t kMi = std::uint64_t{1} << 20, kKi = std::uint64_t{1} << 10;
constexpr std::array<Preset, 5> kPresets = {{
    {"hip-tutorial", "AMD, Optimizing histogram in HIP", 16 * kMi, 64 * kKi, hip_tutorial},
    {"cuda-handbook", "The CUDA Handbook, histogram chapter and its code", 256 * kMi, 64 * kKi, cuda_handbook},
    {"leetcuda", "LeetCUDA, a note on i32 and i32x4 kernels", 16 * kMi, 16 * kKi, leetcuda},
    {"mi300x", "a four-method study on an AMD Instinct MI300X VF", 64 * kMi, 64 * kKi, mi300x},
    {"book", "a CUDA textbook's histogram chapter", 64 * kMi, 64 * kKi, book},
}};

}  // namespace

std::span<const Preset> presets() { return kPresets; }

}  // namespace gpuhisto::bench
