// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// planted_bugs NAME: a small histogram kernel with one deliberate bug, run on the emulated device in every lane order
// and wave size. Exit code 0: nothing noticed; 10: the result is wrong; 11: the emulated device reports a fault;
// anything else: a sanitizer, or a crash. "none" is the kernel without a bug.
#include <cstdio>
#include <cstring>
#include <vector>

#include "device/block_bins.hpp"
#include "emulated/config.hpp"
#include "plugin.h"
#include "runtime/buffer.hpp"
#include "runtime/device.hpp"
#include "runtime/stream.hpp"

extern "C" const gpuhisto_plugin_table* gpuhisto_plugin(uint32_t abi_version);

namespace {

using namespace gpuhisto;
using namespace gpuhisto::kernels;

enum Bug {
  kNone,
  kUninitialised,
  kMissingBarrier,
  kNonAtomic,
  kSharedOutOfBounds,
  kGlobalOutOfBounds,
  kMisaligned,
  kDivergentBarrier,
  kBlockRace,
  kWave32,
  kByteOverflow,
};
constexpr const char* kNames[] = {"none",          "uninitialised-shared", "missing-barrier",   "non-atomic-increment",
                                  "shared-bounds", "global-bounds",        "misaligned-load",   "divergent-barrier",
                                  "block-race",    "hard-coded-wave-32",   "eight-bit-overflow"};

struct Arguments {
  const std::uint8_t* data;
  std::uint32_t pixels;
  std::uint32_t* bins;
  std::uint32_t* odd;  ///< number of odd pixels, counted by ballots
  int bug;
};

/// What a lane counts with: an atomic, or not.
void count_one(std::uint32_t* counter, int bug) {
  if (bug == kNonAtomic)
    *counter += 1;
  else if (bug == kByteOverflow)
    *counter = (*counter & ~255u) | ((*counter + 1) & 255u);
  else
    atomicAdd(counter, 1u);
}

/// Four pixels at a time from a word boundary; with the bug, from wherever the image starts.
void count_words(const Arguments& a, std::uint32_t* shared, std::uint32_t thread, std::uint32_t threads) {
  const std::uint32_t head = a.bug == kMisaligned ? 0 : (16 - reinterpret_cast<std::uintptr_t>(a.data) % 16) % 16;
  const std::uint32_t units = (a.pixels - head) / 16;
  for (std::uint32_t i = thread; i < units; i += threads) {
    const Unit<4> unit = load_unit<GrayFormat>(a.data + head + i * 16);
    for (const std::uint32_t word : unit.word)
      for (unsigned k = 0; k < 4; ++k) count_one(&shared[word >> (8 * k) & 255u], a.bug);
  }
  if (thread < head) count_one(&shared[a.data[thread]], a.bug);
  const std::uint32_t end = a.pixels + (a.bug == kGlobalOutOfBounds ? 1 : 0);
  for (std::uint32_t i = head + units * 16 + thread; i < end; i += threads) count_one(&shared[a.data[i]], a.bug);
}

void count_odd(const Arguments& a, std::uint32_t thread, std::uint32_t threads) {
  const std::uint32_t rounds = (a.pixels + threads - 1) / threads;
  const unsigned wave = a.bug == kWave32 ? 32 : warpSize;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const std::uint32_t i = round * threads + thread;
    const LaneMask odd = wave_ballot(i < a.pixels && (a.data[i] & 1u) != 0);
    if (threadIdx.x % wave == 0) atomicAdd(a.odd, static_cast<std::uint32_t>(__builtin_popcountll(odd)));
  }
}

__global__ void buggy_kernel(Arguments a) {
  HIP_DYNAMIC_SHARED(uint4, raw);
  std::uint32_t* shared = reinterpret_cast<std::uint32_t*>(raw);
  if (a.bug != kUninitialised)
    for (unsigned i = threadIdx.x; i < kBins; i += blockDim.x) shared[i] = 0;
  if (a.bug != kMissingBarrier) __syncthreads();
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  count_words(a, shared, thread, threads);
  if (a.bug == kSharedOutOfBounds && threadIdx.x == 0) atomicAdd(&shared[kBins], 1u);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kBins; i += blockDim.x) {
    if (a.bug == kBlockRace)
      a.bins[i] += shared[i];
    else
      atomicAdd(&a.bins[i], shared[i]);
  }
  count_odd(a, thread, threads);
  if (a.bug == kDivergentBarrier && threadIdx.x < 100) __syncthreads();
}

struct Result {
  std::vector<std::uint32_t> bins = std::vector<std::uint32_t>(kBins);
  std::uint32_t odd = 0;
  bool operator==(const Result&) const = default;
};

Result run(int bug, const DeviceBuffer& memory, std::uint32_t offset, std::uint32_t pixels) {
  const Stream stream;
  DeviceBuffer counts((kBins + 1) * sizeof(std::uint32_t));
  GPUHISTO_CHECK(hipMemsetAsync(counts.as<void>(), 0, counts.bytes(), stream.get()));
  auto* words = counts.as<std::uint32_t>();
  launch(buggy_kernel, LaunchShape{4, 128, kBins * sizeof(std::uint32_t)}, stream.get(),
         Arguments{memory.as<std::uint8_t>() + offset, pixels, words, words + kBins, bug});
  Result result;
  std::memcpy(result.bins.data(), words, kBins * sizeof(std::uint32_t));
  result.odd = words[kBins];
  return result;
}

int check(int bug) {
  constexpr std::uint32_t kPixels = 20003, kOffset = 5;
  const DeviceBuffer memory(kPixels + kOffset);
  Result expected;
  for (std::uint32_t i = 0; i < kPixels; ++i) {
    const auto value = static_cast<std::uint8_t>((i * 2654435761u) >> 29);  // 8 values: every counter passes 255
    memory.as<std::uint8_t>()[kOffset + i] = value;
    ++expected.bins[value];
    expected.odd += value & 1u;
  }
  int noticed = 0;
  for (int device = 0; device < emulated::kDevices; ++device)
    for (const auto order :
         {emulated::LaneOrder::kForward, emulated::LaneOrder::kReverse, emulated::LaneOrder::kRandom}) {
      GPUHISTO_CHECK(hipSetDevice(device));
      emulated::config().order = order;
      try {
        if (run(bug, memory, kOffset, kPixels) != expected) noticed = 10;
      } catch (const DeviceError& error) {
        std::printf("%s\n", error.what());
      }
      if (const std::string faults = emulated::take_faults(); !faults.empty()) {
        std::printf("%s\n", faults.c_str());
        return 11;
      }
    }
  return noticed;
}

/// The method that is wrong on purpose, as the engine offers it.
int check_unsafe_method() {
  const gpuhisto_plugin_table* table = gpuhisto_plugin(GPUHISTO_PLUGIN_ABI);
  gpuhisto_device* device = nullptr;
  if (table->open_device(0, &device) != GPUHISTO_OK) return 2;
  constexpr std::uint64_t kPixels = 20000;
  const DeviceBuffer memory(kPixels);
  std::memset(memory.as<void>(), 7, kPixels);
  const gpuhisto_strip strip = {memory.as<void>(), kPixels, 1, kPixels, nullptr, 0, nullptr};
  gpuhisto_count count = {};
  count.size = sizeof count;
  count.channels = 1;
  count.strips_count = 1;
  count.strips = &strip;
  count.method = "unsafe-nonatomic";
  float milliseconds = 0;
  std::vector<std::uint64_t> bins(kChannels * kBins);
  gpuhisto_measure measure = {};
  measure.size = sizeof measure;
  measure.rounds = 1;
  measure.count = &count;
  measure.milliseconds = &milliseconds;
  measure.bins = bins.data();
  const gpuhisto_status status = table->measure(device, &measure);
  table->close_device(device);
  if (status != GPUHISTO_OK) return 2;
  return bins[7] == kPixels ? 0 : 10;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "unsafe-nonatomic") == 0) return check_unsafe_method();
  for (int bug = 0; argc == 2 && bug < static_cast<int>(std::size(kNames)); ++bug)
    if (std::strcmp(argv[1], kNames[bug]) == 0) return check(bug);
  std::printf("usage: planted_bugs NAME, one of");
  for (const char* name : kNames) std::printf(" %s", name);
  std::printf("\n");
  return 2;
}
