// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Runs kernels: one fiber per lane. Everything here passes values, never references, so that instrumented kernel code
// does not touch the scheduler's own memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpuhisto::emulated {

struct Extent {
  unsigned x = 1, y = 1, z = 1;
};

/// Where in a kernel a lane waits.
struct Site {
  const char* file = "";
  int line = 0;
};

Extent thread_index();
Extent block_index();
Extent block_extent();
Extent grid_extent();
unsigned wave_size();

/// Waits until `lanes` lanes of the block have arrived at barrier `id` (0: the whole block).
void barrier(unsigned id, unsigned lanes, Site site);
/// The bits of all lanes of the wave.
std::uint64_t wave_ballot(bool bit, Site site);
/// The value that lane `source` of the wave gave.
std::uint64_t wave_shuffle(std::uint64_t value, unsigned source, Site site);
/// Orders the memory of the lanes of the wave.
void wave_barrier(Site site);
/// Index of the running lane within its wave.
unsigned lane_of_wave();

void* dynamic_shared();
/// Tells the access counters of an atomic update; cheap while they are off.
void note_atomic(const void* address);
/// The same for a plain access to shared memory.
void note_shared(const void* address);

struct Launch {
  Extent grid, block;
  std::size_t shared_bytes = 0;
  void (*body)(void*) = nullptr;  ///< what a lane runs
  void* argument = nullptr;
};
/// Runs all blocks. Returns 0, or the hipError_t of a launch the device refuses or of a kernel that went wrong.
int run(const Launch& launch);

}  // namespace gpuhisto::emulated
