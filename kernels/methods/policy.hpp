// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <string>

namespace gpuhisto::kernels {

/// What a thread's 8-bit counters do when they are full.
enum class Overflow {
  kPeriodicMerge,  ///< the block adds them up before any can be full, again and again
  kAvoid,          ///< so many blocks that no thread ever counts more than 255 pixels
  kCheck,          ///< every update looks whether its counter wrapped, and keeps the 256
};
/// Where a thread's 256 counters lie within its group's shared memory.
enum class Layout {
  kByteLane,     ///< bin by bin, and within a bin so that the lanes of a wave use different banks
  kInterleaved,  ///< words of four bins, threads next to each other: the CUDA Handbook's 4 x 64
  kColumn,       ///< bin by bin, threads in order: four lanes share a bank
  kRow,          ///< thread by thread: banks depend on the pixels
};
/// Everything about a launch that is a choice. Zero means: the method's own.
struct KernelPolicy {
  std::uint32_t block = 0;     ///< threads per block
  std::uint32_t blocks = 0;    ///< blocks per multiprocessor, at most
  std::uint32_t grid = 0;      ///< blocks in all, exactly; 0: by `blocks`, and none without work
  std::uint32_t replicas = 0;  ///< copies of the bins of a block
  std::uint32_t loads = 0;     ///< units of 16 bytes or more that a thread has in flight
  std::uint32_t lanes = 0;     ///< threads that take a row together
  Overflow overflow = Overflow::kCheck;
  Layout layout = Layout::kByteLane;
  std::uint32_t merge_rounds = 0;  ///< units a thread counts between two merges
  std::uint64_t bound = 0;         ///< pixels per launch

  bool operator==(const KernelPolicy&) const = default;
};

/// "block=1024,blocks=2,…", all of it, as parse_policy takes it.
std::string to_text(const KernelPolicy& policy);
/// Changes `policy` by "key=value,…". Throws DeviceError(kRequest) naming the key or the value that is wrong,
/// a key given twice, or a comma with nothing before or after it.
void parse_policy(const std::string& text, KernelPolicy& policy);

}  // namespace gpuhisto::kernels
