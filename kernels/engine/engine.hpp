// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// One open device: what the C ABI's functions do, with exceptions instead of status codes. Used by one thread at a
// time.
#pragma once

#include "device/block_key_bins.hpp"
#include "engine/lane.hpp"
#include "engine/queue.hpp"
#include "engine/stage.hpp"
#include "methods/keys/key_method.hpp"
#include "plugin.h"
#include "runtime/buffer.hpp"

namespace gpuhisto::kernels {

class Engine {
 public:
  explicit Engine(int index);

  const DeviceTraits& traits() const { return traits_; }
  hipStream_t stream() const { return lane_.stream.get(); }
  /// Makes it the calling thread's device; every entry point begins so.
  void select() const { GPUHISTO_CHECK(hipSetDevice(traits_.index)); }

  void* allocate(std::uint64_t bytes);
  void release(void* memory);
  void* allocate_pinned(std::uint64_t bytes);
  void release_pinned(void* memory);
  void upload(void* to, const void* from, std::uint64_t bytes);
  void download(void* to, const void* from, std::uint64_t bytes);
  void fill(const gpuhisto_fill& fill);
  void count(gpuhisto_count& request);
  Queue& queue() { return queue_; }
  void apply(const gpuhisto_apply& request);
  void measure(gpuhisto_measure& request);
  void describe(const gpuhisto_count& request, gpuhisto_description& description);

 private:
  friend class ClaheMapper;
  friend class KeyCounter;
  friend class StripCounter;
  friend class StripMapper;
  friend class Measurement;
  friend class BatchWork;
  friend class KeyWork;
  friend class MethodWork;
  friend class ReadWork;

  /// Without bins.
  LaunchContext context() { return {traits_, lane_.stream, lane_.workspace}; }
  /// Launches what counts one image by use(context). Returns where the counts are until as many launches follow as the
  /// ring has results.
  template <typename Use>
  std::uint32_t* launch(Use use) {
    return launch_in(lane_.ring, use);
  }
  /// The same for keys with that many bins; the counts stay until the next launch of keys.
  template <typename Use>
  std::uint32_t* launch_keys(std::uint64_t bins, Use use) {
    if (bins <= kMostRingBins) return launch_in(key_ring_, use);
    lane_.bins.reserve(static_cast<std::size_t>(sizeof(std::uint32_t) * bins));
    LaunchContext with_bins = context();
    with_bins.bins = lane_.bins.as<std::uint32_t>();
    use(with_bins);
    return with_bins.bins;
  }
  template <typename Use>
  std::uint32_t* launch_in(ResultRing& ring, Use use) {
    const ResultRing::Place place = ring.begin(lane_.stream);
    LaunchContext with_bins = context();
    with_bins.bins = place.result;
    with_bins.next = place.next;
    use(with_bins);
    ring.end();
    return place.result;
  }

  DeviceTraits traits_;
  Lane lane_;  ///< of all that is done at once
  ResultRing key_ring_{kMostRingBins, 2};
  DeviceBuffer tables_, pattern_tables_;
  DeviceBuffer image_, plane_, tile_counts_, tile_tables_, cells_;  ///< of CLAHE
  Queue queue_{traits_};                                            ///< of what is done in the background
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
/// Fills counted_by.
void name_method(gpuhisto_count& request, const LaneCounter& counter);
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
