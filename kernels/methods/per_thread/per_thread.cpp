// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// per-thread: every thread has 256 8-bit counters of its own in shared memory; no atomics in the loop.
// Idea: private counters cannot collide, so the time does not depend on the pixels. Eight bits are all that fits, and
// what to
//   do when one is full is the method's policy: merge before it can happen (periodic-merge), launch so many blocks that
//   it never does (avoid), or look at each update (check).
// Wins when: shared-memory atomics are slow or missing: GPUs before 2014, and some embedded ones.
// Loses when: they are fast: a counter update costs a load and a store, an atomic half of that.
// Limits: 32 KiB of shared memory for 128 threads and each histogram; what does not fit at once takes more passes.
// Source: N. Wilt, The CUDA Handbook, ch. 15 ("per-thread", 4 x 64 and its three overflow strategies).
//
// Tuned on one H200: as many groups of 128 threads as fit, one block a multiprocessor, byte-per-lane, check.
#include "device/thread_counters.hpp"
#include "methods/launching.hpp"

namespace gpuhisto::kernels {
namespace {

/// A round counts one unit (16 pixels at most), a pixel of a head and a pixel of a tail: 14 * 18 = 252 <= 255.
constexpr unsigned kRoundsBetweenMerges = 14;
/// In one row without gaps a thread meets one head pixel and one tail pixel in all its rounds: 15 * 16 + 2 = 242 <=
/// 255.
constexpr unsigned kRoundsOneRow = 15;

/// Shared memory holds the counters of so few threads for color that they may have all the registers they want.
__host__ __device__ constexpr unsigned most_threads(unsigned slots) { return slots < 3 ? 1024 : 256; }

struct ThreadArguments {
  CountArguments count;
  SlotSet slots;
  Layout layout = Layout::kByteLane;
  unsigned merge_rounds = 0;  ///< 0: no merges within the loop
};

template <typename Counters>
__device__ __forceinline__ void merge_group(Counters& counters) {
  named_barrier(counters.group() + 1, kGroupThreads);
  counters.merge();
  named_barrier(counters.group() + 1, kGroupThreads);
}

/// Rounds over rows: a piece a thread, the next one loaded before this one is counted.
template <bool kChecked, typename Format, typename Counters>
__device__ __forceinline__ void count_rows(const ThreadArguments& a, Counters& counters) {
  const typename Format::Luma luma(a.count.luma);
  const PixelView& view = a.count.view;
  const RowPlan& plan = a.count.plan;
  const std::uint32_t teams = blockDim.x / plan.lanes * gridDim.x;
  const std::uint64_t pieces = std::uint64_t{view.rows} * plan.segments;
  const std::uint32_t rounds = static_cast<std::uint32_t>((pieces + teams - 1) / teams);  // the same for every thread
  const std::uint32_t lane = threadIdx.x % plan.lanes;
  RowWalk walk(plan, team_of_grid(plan));
  RowPiece<Format, 1> next(view, plan, walk, lane);
  std::uint32_t since_merge = 0;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const RowPiece<Format, 1> piece = next;
    walk.next(plan);
    next = RowPiece<Format, 1>(view, plan, walk, lane);
    piece.visit(luma, counters);
    if (!kChecked && ++since_merge == a.merge_rounds) {
      merge_group(counters);
      since_merge = 0;
    }
  }
}

/// The same over one row, without what rows cost.
template <bool kChecked, typename Format, typename Counters>
__device__ __forceinline__ void count_flat(const ThreadArguments& a, Counters& counters) {
  constexpr std::size_t kUnitBytes = Format::kUnitWords * 4;
  const typename Format::Luma luma(a.count.luma);
  const PixelView& view = a.count.view;
  const RowParts parts = split_row<Format>(view.data, view.width);
  const std::uint8_t* body = view.data + parts.head * Format::kPixelBytes;
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  const std::uint32_t rounds = (parts.units + threads - 1) / threads;  // the same for every thread
  if (thread < parts.head) visit_pixel<Format>(load_pixel<Format>(view.data + thread), luma, counters);
  if (thread < parts.tail)
    visit_pixel<Format>(load_pixel<Format>(body + parts.units * kUnitBytes + thread), luma, counters);
  std::uint32_t i = thread, since_merge = 0;
  Unit<Format::kUnitWords> next = {};
  if (i < parts.units) next = load_unit<Format>(body + i * kUnitBytes);
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const Unit<Format::kUnitWords> unit = next;
    const bool counts = i < parts.units;
    i += threads;
    if (i < parts.units) next = load_unit<Format>(body + i * kUnitBytes);
    if (counts) Format::visit_unit(unit, luma, counters);
    if (!kChecked && ++since_merge == a.merge_rounds) {
      merge_group(counters);
      since_merge = 0;
    }
  }
}

template <typename Format, bool kInterleaved, bool kChecked, bool kFlat>
__global__ void GPUHISTO_LAUNCH_BOUNDS(most_threads(Format::kSlots), 1) per_thread_kernel(ThreadArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  ThreadCounters<Format, kInterleaved, kChecked> counters(shared, a.layout, a.slots);
  counters.clear();
  __syncthreads();
  if constexpr (kFlat)
    count_flat<kChecked, Format>(a, counters);
  else
    count_rows<kChecked, Format>(a, counters);
  __syncthreads();
  counters.merge();
  __syncthreads();
  counters.emit_totals([&](unsigned slot, unsigned bin, std::uint32_t sum) {
    if (sum != 0) atomicAdd(&a.count.bins[Format::channel(slot) * kBins + bin], sum);
  });
}

/// Luma is always counted here; the launcher leaves its slot out of the passes when it is not wanted.
template <typename Use>
auto with_thread_format(const CountTask& task, Use use) {
  if (task.channels < 3) return with_gray_format(task, use);
  if (task.luma == GPUHISTO_LUMA_VALUE) return with_color_format<LargestLuma>(task, use);
  return with_color_format<WeightedLuma>(task, use);
}

template <typename Format, bool kFlat>
auto* kernel_of_form(const KernelPolicy& policy) {
  const bool checked = policy.overflow == Overflow::kCheck;
  if (policy.layout == Layout::kInterleaved)
    return checked ? per_thread_kernel<Format, true, true, kFlat> : per_thread_kernel<Format, true, false, kFlat>;
  return checked ? per_thread_kernel<Format, false, true, kFlat> : per_thread_kernel<Format, false, false, kFlat>;
}

/// Gray pixels in one row have a form of their own: they are what the methods are compared by.
template <typename Format>
auto* kernel_for(const CountTask& task, const KernelPolicy& policy) {
  if constexpr (Format::kPixelBytes == 1)
    if (task.view.rows == 1) return kernel_of_form<Format, true>(policy);
  return kernel_of_form<Format, false>(policy);
}

std::size_t bytes_of(unsigned groups, unsigned slots) {
  return std::size_t{groups} * slots * kGroupBytes + std::size_t{slots} * kBins * sizeof(std::uint32_t);
}

/// Histograms that one pass can hold for a block of this size; 0: none.
unsigned slots_per_pass(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  unsigned slots = slots_of(task);
  while (slots > 0 && bytes_of(policy.block / kGroupThreads, slots) > device.shared_per_block) --slots;
  return slots;
}

unsigned most_rounds(const CountTask& task) { return task.view.rows == 1 ? kRoundsOneRow : kRoundsBetweenMerges; }

std::string refusal(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  if (task.mask) return "per-thread takes no mask";
  if (policy.block % kGroupThreads != 0)
    return "block=" + std::to_string(policy.block) + " is no multiple of the " + std::to_string(kGroupThreads) +
           " threads that share counters";
  if (policy.block > most_threads(slots_of(task)))
    return "block=" + std::to_string(policy.block) + " is more than the " +
           std::to_string(most_threads(slots_of(task))) + " threads that per-thread has for these pixels";
  if (slots_per_pass(task, policy, device) == 0)
    return "block=" + std::to_string(policy.block) + " needs " +
           std::to_string(bytes_of(policy.block / kGroupThreads, 1)) + " bytes of shared memory, a block can have " +
           std::to_string(device.shared_per_block);
  if (policy.overflow != Overflow::kCheck && policy.merge_rounds > most_rounds(task))
    return "merge-rounds=" + std::to_string(policy.merge_rounds) + " is more than the " +
           std::to_string(most_rounds(task)) + " rounds that 8-bit counters hold";
  if (policy.overflow == Overflow::kAvoid && policy.grid != 0)
    return "grid=" + std::to_string(policy.grid) + ": with overflow=avoid the pixels decide how many blocks there are";
  return check_policy(task, policy, device);
}

void tune(const CountTask& task, const DeviceTraits& device, KernelPolicy& policy) {
  if (policy.block == 0) {
    const unsigned slots = slots_of(task);
    unsigned groups = 1;
    while ((groups + 1) * kGroupThreads <= most_threads(slots) &&
           bytes_of(groups + 1, slots) <= device.shared_per_block)
      ++groups;
    policy.block = std::min(groups * kGroupThreads, device.max_block_threads);
  }
  if (policy.blocks == 0) policy.blocks = 1;
  if (policy.merge_rounds == 0) policy.merge_rounds = most_rounds(task);
  tune_common(task, device, policy.block, policy);
}

/// Blocks: the policy's, or with `avoid` so many that no thread makes more rounds than its counters hold.
template <typename Format>
unsigned blocks_for(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  const RowPlan plan = plan_rows<Format>(task.view, policy.lanes, 1);
  const std::uint64_t pieces = std::uint64_t{task.view.rows} * plan.segments;
  const std::uint64_t teams = policy.block / policy.lanes;
  if (policy.overflow != Overflow::kAvoid) return grid_for(pieces, teams, policy, device);
  const std::uint64_t per_block = teams * policy.merge_rounds;
  return static_cast<unsigned>(std::max<std::uint64_t>(1, (pieces + per_block - 1) / per_block));
}

LaunchInfo describe(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  const unsigned at_once = slots_per_pass(task, policy, device);
  return with_thread_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    const LaunchShape shape = {blocks_for<Format>(task, policy, device), policy.block,
                               bytes_of(policy.block / kGroupThreads, at_once)};
    return LaunchInfo{address_of(kernel_for<Format>(task, policy)), "per_thread_kernel", shape,
                      (slots_of(task) + at_once - 1) / at_once};
  });
}

void run(const CountTask& task, const KernelPolicy& policy, LaunchContext& context) {
  clear_next(context);
  if (pixels_of(task) == 0) return;
  const LaunchShape shape = describe(task, policy, context.device).shape;
  const unsigned at_once = slots_per_pass(task, policy, context.device), slots = slots_of(task);
  with_thread_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    ThreadArguments a = {arguments<Format>(task, policy, 1, shape.blocks, context.bins), {}, policy.layout, 0};
    if (policy.overflow == Overflow::kPeriodicMerge) a.merge_rounds = policy.merge_rounds;
    for (unsigned first = 0; first < slots; first += at_once) {
      a.slots.count = std::min(at_once, slots - first);
      a.slots.bits = ((1u << a.slots.count) - 1) << first;
      launch(kernel_for<Format>(task, policy), shape, context.stream(), a);
    }
  });
}

}  // namespace

const Method& per_thread_method() {
  static constexpr Method kMethod = {per_thread_names, refusal, tune, describe, run};
  return kMethod;
}

}  // namespace gpuhisto::kernels
