// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// One open device: what the C ABI's functions do, with exceptions instead of status codes. Used by one thread at a
// time.
#pragma once

#include <vector>

#include "methods/registry.hpp"
#include "plugin.h"
#include "runtime/buffer.hpp"
#include "runtime/device.hpp"
#include "runtime/stream.hpp"

namespace gpuhisto::kernels {

class Engine {
 public:
  explicit Engine(int index);

  const DeviceTraits& traits() const { return traits_; }
  /// Makes it the calling thread's device; every entry point begins so.
  void select() const { GPUHISTO_CHECK(hipSetDevice(traits_.index)); }

  void* allocate(std::uint64_t bytes);
  void release(void* memory);
  void upload(void* to, const void* from, std::uint64_t bytes);
  void download(void* to, const void* from, std::uint64_t bytes);
  void fill(const gpuhisto_fill& fill);
  void count(gpuhisto_count& request);
  void apply(const gpuhisto_apply& request);
  void measure(gpuhisto_measure& request);
  void describe(const gpuhisto_count& request, gpuhisto_description& description);

 private:
  friend class StripCounter;
  friend class StripMapper;
  friend class Measurement;

  LaunchContext context() {
    return {traits_, stream_, workspace_, sums_.as<std::uint32_t>(), bins_.as<std::uint32_t>(), nullptr};
  }

  DeviceTraits traits_;
  Stream stream_;
  DeviceBuffer workspace_, sums_, bins_, tables_, pattern_tables_;
  PinnedBuffer results_;
  /// Pieces of images on their way: while one is counted, the next is copied into pinned memory.
  struct Stage {
    PinnedBuffer pinned;
    DeviceBuffer device;
    Event done;
    bool busy = false;
  };
  Stage stages_[2];
};

/// The request's task for a view on the device, its method and policy; what all entry points agree on.
struct Plan {
  const Method* method = nullptr;
  KernelPolicy policy;
};
/// Throws DeviceError when the request is not one this version serves.
void check_request(const gpuhisto_count& request);
CountTask task_of(const gpuhisto_count& request);
/// The method and policy for this task; a method that takes no mask hands over to per-block. Throws with the limit
/// named.
Plan plan_task(const gpuhisto_count& request, const CountTask& task, const DeviceTraits& device);

}  // namespace gpuhisto::kernels
