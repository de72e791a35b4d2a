// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What an emulated device is, and what tests may change about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace gpuhisto::emulated {

/// In which order the lanes of a block run between two barriers. A correct kernel gives the same result in each.
enum class LaneOrder { kForward, kReverse, kRandom };

struct Config {
  unsigned wave_size = 64;
  LaneOrder order = LaneOrder::kForward;
  std::uint32_t seed = 1;  ///< of the random order
  unsigned workers = 1;    ///< operating-system threads that share the blocks of a launch
  unsigned multiprocessors = 2;
  unsigned max_block_lanes = 1024;
  std::size_t shared_bytes = std::size_t{64} << 10;  ///< per block and per multiprocessor
  std::size_t memory_bytes = std::size_t{1} << 30;   ///< of the device; more is hipErrorOutOfMemory
  bool count_accesses = false;                       ///< fill access_counts(); slow
};

/// The configuration of the device that hipSetDevice chose on this thread (0 at first). Device 0 has waves of 64 and 64
/// KiB of shared memory, as an AMD CDNA device; device 1 waves of 32 and 227 KiB, as an NVIDIA Hopper.
Config& config();
Config& device_config(int device);
inline constexpr int kDevices = 2;

/// What the kernels did since reset_access_counts(), as the hardware would see it: the k-th access that each lane of a
/// wave makes after a barrier counts as one instruction of that wave.
struct AccessCounts {
  std::uint64_t global_atomics = 0;  ///< lanes that updated global memory
  std::uint64_t shared_atomics = 0;  ///< lanes that updated shared memory
  std::uint64_t shared_passes =
      0;  ///< instructions on shared memory, each counted once per pass its bank conflicts need
  std::uint64_t shared_instructions = 0;
  std::uint64_t same_address = 0;  ///< lanes that met another lane of their wave at the same shared address
};
AccessCounts access_counts();
void reset_access_counts();

/// The next `times` calls of the named hip function return `error` after `skip` good ones. Used by tests of error
/// paths. "hipSetDevice(1)" are the calls for device 1; so for all that name a device.
void plan_failure(const std::string& call, int error, int skip = 0, int times = 1);

/// What kernels and callers did wrong since the last call: divergent barriers with file and line, writes past the end
/// of an allocation, wave operations that part of a wave missed. "" when nothing.
std::string take_faults();

}  // namespace gpuhisto::emulated
