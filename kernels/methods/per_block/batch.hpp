// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Many small images in one launch. Results are compact: of each image the histograms of its slots (slots_of) alone, so
// that a gray image writes 1 KiB.
#pragma once

#include "methods/launching.hpp"

namespace gpuhisto::kernels::per_block {

/// Images of one launch are this small at most: larger ones fill the device on their own, and half of a 32-bit word
/// holds what one copy of the bins counts of one image.
inline constexpr std::uint64_t kMostBatchedPixels = std::uint64_t{1} << 20;

/// One image of a batch: pixels without gaps.
struct BatchItem {
  const std::uint8_t* data = nullptr;
  std::uint32_t pixels = 0;
  std::uint32_t unused = 0;
};

struct Batch {
  const BatchItem* items = nullptr;  ///< of the device
  unsigned count = 0;
  std::uint32_t* results = nullptr;  ///< of the device: count x batch_words, which hold anything before
  std::uint64_t shift = 0;           ///< bytes by which all images lie further than their items say
};

/// Words of one image's result.
unsigned batch_words(const CountTask& task);
/// Adds one image's result to kChannels x kBins bins.
void add_batch_result(const CountTask& task, const std::uint32_t* result, std::uint64_t* bins);

/// Fills what is zero in the policy for `count` images. `task` gives the format alone, here and below.
void tune_batch(const CountTask& task, const DeviceTraits& device, unsigned count, KernelPolicy& policy);
/// "" or why a batch cannot be counted with this policy.
std::string batch_refusal(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device);
LaunchInfo describe_batch(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device,
                          unsigned count);
/// Counts each item into its own result, all in one launch.
void run_batch(const CountTask& task, const KernelPolicy& policy, const LaunchContext& context, const Batch& batch);

/// The form for gray images in 32 copies of the bins: batch_pairs.cpp. Threads of a block at most, and blocks that
/// share a multiprocessor: with fewer registers the loads in flight would be spilled.
inline constexpr std::uint32_t kPairThreads = 512, kPairBlocks = 3;
bool pairs_fit(const CountTask& task, const KernelPolicy& policy);
inline unsigned pairs_of(unsigned count) { return count / 2 + count % 2; }
LaunchInfo describe_pairs(const KernelPolicy& policy, const DeviceTraits& device, unsigned count);
void run_pairs(const KernelPolicy& policy, const LaunchContext& context, const Batch& batch);

}  // namespace gpuhisto::kernels::per_block
