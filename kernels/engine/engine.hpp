// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// One open device: what the C ABI's functions do, with exceptions instead of status codes. Used by one thread at a
// time.
#pragma once

#include <vector>

#include "methods/keys/key_method.hpp"
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
  hipStream_t stream() const { return stream_.get(); }
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
  friend class KeyCounter;
  friend class StripCounter;
  friend class StripMapper;
  friend class Measurement;
  friend class BatchWork;
  friend class KeyWork;
  friend class MethodWork;
  friend class ReadWork;

  /// For one image.
  LaunchContext context();
  /// The same for keys with that many bins.
  LaunchContext key_context(std::uint64_t bins);

  DeviceTraits traits_;
  Stream stream_;
  DeviceBuffer workspace_, sums_, bins_, tables_, pattern_tables_, key_sums_;
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
/// Throws DeviceError when the request, of images or keys, makes no sense.
void check_request(const gpuhisto_count& request);
CountTask task_of(const gpuhisto_count& request);
/// The method and policy for this task; a method that takes no mask hands over to per-block. Throws with the limit
/// named.
Plan plan_task(const gpuhisto_count& request, const CountTask& task, const DeviceTraits& device);

/// The same of requests for keys.
struct KeyPlan {
  const KeyMethod* method = nullptr;
  KernelPolicy policy;
};
void count_keys(Engine& engine, gpuhisto_count& request);
void check_key_request(const gpuhisto_count& request);
KeyTask key_task_of(const gpuhisto_count& request);
KeyPlan plan_keys(const gpuhisto_count& request, const KeyTask& task, const DeviceTraits& device);
/// A strip that is whole in device memory, as one launch sees it; without gaps it is one row.
PixelView key_view(const gpuhisto_strip& strip);

}  // namespace gpuhisto::kernels
